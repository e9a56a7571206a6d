//! Settings of a caller: its tools, what it may do where, and who hears of what was denied.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use btcp::{CallError, Capabilities, Catalog, Folders, Grant, Origins};

use super::{Sets, Setting, last};
use crate::output;

pub(super) const SETTINGS: &[Setting] = &[
    Setting::new(
        "toolset",
        "Presets, groups and tools to offer; +LIST adds to the default",
        Sets::Caller(|granted, values| {
            granted.toolset = Some(last(values)?.to_owned());
            Ok(())
        }),
    )
    .value("LIST"),
    Setting::new(
        "capabilities",
        "What may be done: dom:read, navigate, script ... [default: all of the toolset]",
        Sets::Caller(|granted, values| {
            let read = Capabilities::parse(last(values)?).map_err(|error| said(&error))?;
            granted.capabilities = Some(read);
            Ok(())
        }),
    )
    .value("LIST"),
    Setting::new(
        "origins",
        "Pages that may be worked with: https://a.test, *.b.test [default: all]",
        Sets::Caller(|granted, values| {
            granted.origins = Origins::parse(last(values)?).map_err(|error| said(&error))?;
            Ok(())
        }),
    )
    .value("LIST"),
    Setting::new(
        "timeout",
        "How long a call may take that says nothing of it",
        Sets::Caller(|granted, values| {
            granted.timeout = Some(btcp_actions::read_duration(last(values)?)?);
            Ok(())
        }),
    )
    .value("TIME")
    .default("15s"),
    Setting::new(
        "audit",
        "Where a line goes for each call that is denied [default: stderr]",
        Sets::Caller(|granted, values| {
            granted.audit = Some(last(values)?.into());
            Ok(())
        }),
    )
    .value("FILE")
    .path(),
];

/// What a caller is granted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Granted {
    pub(crate) toolset: Option<String>,
    capabilities: Option<Capabilities>,
    origins: Origins,
    audit: Option<PathBuf>,
    timeout: Option<Duration>,
}

impl Granted {
    /// The grant of a model whose person sits at this machine.
    pub(crate) fn for_model(self, catalog: &Catalog, toolset: &str) -> Result<Grant, CallError> {
        let capabilities = self.capabilities.unwrap_or_else(Capabilities::for_models);
        let folders = Folders::here().allowing(&catalog.sessions().settings().allow_folders);
        let tools = self.toolset.as_deref().unwrap_or(toolset);
        let grant = catalog.grant(tools)?.with_folders(folders);
        Ok(grant.with_capabilities(capabilities).with_origins(self.origins))
    }

    /// The grant of somebody at a command line in this folder: all there is, secrets too.
    pub(crate) fn for_person(
        self,
        catalog: &Catalog,
        folder: Option<&Path>,
    ) -> Result<Grant, CallError> {
        let capabilities = self.capabilities.unwrap_or_else(Capabilities::all);
        let allowed = &catalog.sessions().settings().allow_folders;
        let folders = Folders::at(folder.map(Path::to_path_buf)).allowing(allowed);
        let grant = catalog.grant(self.toolset.as_deref().unwrap_or("all"))?.with_folders(folders);
        let grant = grant.with_capabilities(capabilities).with_origins(self.origins);
        Ok(grant.typing())
    }

    /// The catalog as this caller has it: with its time limit, and telling what it denies.
    pub(crate) fn applied(&self, catalog: Catalog) -> anyhow::Result<Catalog> {
        let catalog = match self.timeout {
            Some(timeout) => catalog.with_timeout(timeout),
            None => catalog,
        };
        let Some(path) = &self.audit else { return Ok(catalog.auditing(output::note)) };
        let file = Mutex::new(open(path)?);
        Ok(catalog.auditing(move |line| {
            let mut file = file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if let Err(error) = writeln!(file, "{line}") {
                output::note(&format!("the audit cannot be written: {error}; {line}"));
            }
        }))
    }
}

/// An error of the catalog as one sentence.
pub(crate) fn said(error: &CallError) -> String {
    match error {
        CallError::InvalidParams { reason, hint: Some(hint), .. } => format!("{reason}. {hint}"),
        error => error.to_string(),
    }
}

fn open(path: &Path) -> anyhow::Result<std::fs::File> {
    use anyhow::Context as _;
    let opened = OpenOptions::new().append(true).create(true).mode(0o600).open(path);
    opened.with_context(|| format!("cannot write the audit to {}", path.display()))
}
