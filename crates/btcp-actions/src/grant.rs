//! The grant: what a caller may use. One function judges each call, before it runs.
//!
//! Toolset, capabilities and the pages it may be about are judged here; which files, by the file
//! door with the grant's folders (`btcp_engine::Folders`). What a call runs as, a locator's
//! subaction or a step of a batch, is judged as that.

use std::sync::Arc;

use btcp_engine::{Folders, Reach};
use serde_json::{Map, Value};

use crate::action::{Action, Entry};
use crate::actions::Dialog;
use crate::capabilities::{self, Capabilities, Capability};
use crate::error::CallError;
use crate::origins::Origins;

/// What a caller may use.
#[derive(Debug, Clone)]
pub struct Grant {
    tools: Vec<&'static str>,
    capabilities: Capabilities,
    origins: Arc<Origins>,
    folders: Arc<Folders>,
    /// Whether the caller types commands.
    types: bool,
}

/// What is left to be seen once the page is there.
#[derive(Debug, Clone)]
pub(crate) struct OnPage {
    /// Of which it may be.
    works: Option<Arc<Origins>>,
    /// Of which may be told what they say: those it leads to as well.
    tells: Option<Arc<Origins>>,
}

impl OnPage {
    /// No page is out of bounds.
    pub(crate) fn any() -> Self {
        Self { works: None, tells: None }
    }

    /// What either of two leaves to be seen; both are of one caller.
    pub(crate) fn or(self, other: Self) -> Self {
        Self { works: self.works.or(other.works), tells: self.tells.or(other.tells) }
    }

    /// Whether the call may be about a page of this address.
    pub(crate) fn allows(&self, url: &str) -> Result<(), CallError> {
        match &self.works {
            Some(origins) => origins.check(url),
            None => Ok(()),
        }
    }

    /// Whether what a page of this address says may be told.
    pub(crate) fn tells(&self, url: &str) -> bool {
        self.tells.as_ref().is_none_or(|origins| origins.check(url).is_ok())
    }
}

impl Grant {
    /// A grant for the tools of a toolset, with everything they need.
    pub fn for_tools(tools: Vec<&'static str>) -> Self {
        Self {
            tools,
            capabilities: Capabilities::all(),
            origins: Arc::default(),
            folders: Arc::default(),
            types: false,
        }
    }

    /// The same, for somebody who may read and write files there.
    #[must_use]
    pub fn with_folders(mut self, folders: Folders) -> Self {
        self.folders = Arc::new(folders);
        self
    }

    /// The same with no other capabilities than these; tools that need more are not offered.
    #[must_use]
    pub fn with_capabilities(mut self, capabilities: Capabilities) -> Self {
        self.capabilities = capabilities;
        let tools = std::mem::take(&mut self.tools);
        self.with_tools(tools)
    }

    /// The same, for pages of these origins only.
    #[must_use]
    pub fn with_origins(mut self, origins: Origins) -> Self {
        self.origins = Arc::new(origins);
        self
    }

    /// The same with other tools, as far as its capabilities reach.
    pub(crate) fn with_tools(&self, mut tools: Vec<&'static str>) -> Self {
        tools.retain(|name| {
            let entry = crate::ENTRIES.iter().find(|entry| entry.name == *name);
            entry.is_none_or(|entry| self.lacks(entry).is_none())
        });
        Self { tools, ..self.clone() }
    }

    /// Where the caller may read and write files, besides the session's folder.
    pub fn folders(&self) -> &Arc<Folders> {
        &self.folders
    }

    /// Whether the caller has this capability.
    pub fn may(&self, capability: Capability) -> bool {
        self.capabilities.has(capability)
    }

    /// Whether the caller's toolset has this action.
    pub fn has(&self, name: &str) -> bool {
        self.tools.contains(&name)
    }

    /// The same grant, of somebody who types commands: hints name those, not tools.
    #[must_use]
    pub fn typing(mut self) -> Self {
        self.types = true;
        self
    }

    /// How the caller calls an action.
    pub(crate) fn spelling(&self, entry: &Entry) -> String {
        match self.types {
            true => format!("`btcp {}`", entry.name.replace('_', "-")),
            false => entry.tool_name(),
        }
    }

    /// Whether passwords and cookies are told; else their lengths.
    pub fn reveals(&self) -> bool {
        self.may(Capability::SecretsRead)
    }

    /// Whose belongings the caller may have: cookies, web storage; `None` if everybody's.
    pub(crate) fn reach(&self) -> Option<Arc<dyn Reach>> {
        (!self.origins.is_any()).then(|| self.origins.clone() as Arc<dyn Reach>)
    }

    /// The toolset, in the order in which tools are listed.
    pub fn tools(&self) -> &[&'static str] {
        &self.tools
    }

    fn lacks(&self, entry: &Entry) -> Option<Capability> {
        self.capabilities.lacks(capabilities::needed(entry.name, entry.group))
    }

    /// Judges a call: toolset, capabilities, the address it names. What it may not do on which page
    /// is in the answer, to be asked in the tab's turn. Whoever runs calls inside a call asks for
    /// each of them.
    pub(crate) fn judge(
        &self,
        entry: &Entry,
        written: &str,
        args: &Map<String, Value>,
    ) -> Result<OnPage, CallError> {
        self.check(entry, &format!("'{}'", written))?;
        let more = capabilities::needed_by(entry.name, args);
        if let Some(missing) = self.capabilities.lacks(more) {
            return Err(lacking(&format!("'{}'", written), missing));
        }
        if let Some(Value::String(url)) = args.get("url").filter(|_| goes_there(entry)) {
            self.origins.check(url)?;
        }
        let tells = (!self.origins.is_any()).then(|| self.origins.clone());
        let is_about_page = entry.on_page || entry.name == Dialog::NAME;
        let works = tells.clone().filter(|_| is_about_page && !goes_there(entry));
        Ok(OnPage { works, tells })
    }

    /// Judges what a call runs as: a locator's subaction.
    pub(crate) fn check_inner(&self, entry: &Entry, written: &str) -> Result<(), CallError> {
        self.check(entry, &format!("The subaction of '{}'", written))
    }

    /// Refuses by the name the caller wrote: what it stands for is not theirs to know.
    fn check(&self, entry: &Entry, what: &str) -> Result<(), CallError> {
        if self.has(entry.name) {
            return Ok(());
        }
        match self.lacks(entry) {
            Some(missing) => Err(lacking(what, missing)),
            None => Err(CallError::Denied {
                message: format!("{what} is outside this caller's toolset"),
            }),
        }
    }
}

/// Whether an action is about going elsewhere, so that the page it leaves does not matter.
fn goes_there(entry: &Entry) -> bool {
    let needs = capabilities::needed(entry.name, entry.group);
    needs.iter().all(|one| matches!(one, Capability::Navigate | Capability::Tabs))
}

fn lacking(what: &str, missing: Capability) -> CallError {
    CallError::NotGranted {
        message: format!("{what} needs {}, which is not granted", missing.name()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ENTRIES;

    fn grant(capabilities: &str, origins: &str) -> Grant {
        Grant::for_tools(ENTRIES.iter().map(|entry| entry.name).collect())
            .with_capabilities(Capabilities::parse(capabilities).unwrap())
            .with_origins(Origins::parse(origins).unwrap())
    }

    fn judged(grant: &Grant, name: &str, args: Value) -> Result<OnPage, String> {
        let entry = ENTRIES.iter().find(|entry| entry.name == name).unwrap();
        let args = args.as_object().cloned().unwrap_or_default();
        grant.judge(entry, name, &args).map_err(|error| error.to_string())
    }

    #[test]
    fn every_action_of_the_registry_is_denied_to_somebody_without_its_capabilities() {
        let nobody = grant("", "");
        for entry in ENTRIES {
            let needs = capabilities::needed(entry.name, entry.group);
            let judged = judged(&nobody, entry.name, json!({}));
            assert_eq!(judged.is_ok(), needs.is_empty(), "{}", entry.name);
            assert_eq!(nobody.has(entry.name), needs.is_empty(), "{} is listed", entry.name);
            let all: Vec<&str> = needs.iter().map(|one| one.name()).collect();
            let just_enough = grant(&all.join(","), "");
            assert!(self::judged(&just_enough, entry.name, json!({})).is_ok(), "{}", entry.name);
        }
        let said = judged(&grant("dom:read", ""), "click", json!({})).unwrap_err();
        assert_eq!(said, "'click' needs dom:write, which is not granted");
    }

    #[test]
    fn pages_of_other_origins_are_neither_gone_to_nor_worked_with() {
        let only = grant("all", "https://a.test");
        for name in ["navigate", "open_tab", "tabs"] {
            assert!(judged(&only, name, json!({ "url": "https://a.test/x" })).is_ok());
            let said = judged(&only, name, json!({ "url": "https://b.test/x" })).unwrap_err();
            assert_eq!(said, "Pages of \"https://b.test\" are outside this caller's origins");
        }
        let about_pages = |entry: &&Entry| entry.on_page || entry.name == "dialog";
        for entry in ENTRIES.iter().filter(about_pages) {
            let on_page = judged(&only, entry.name, json!({})).unwrap();
            assert!(on_page.allows("https://a.test/").is_ok(), "{}", entry.name);
            let leaves = goes_there(entry);
            assert_eq!(on_page.allows("https://b.test/").is_ok(), leaves, "{}", entry.name);
            assert!(on_page.tells("https://a.test/") && !on_page.tells("https://b.test/"));
        }
        let any = grant("all", "");
        assert!(judged(&any, "click", json!({})).unwrap().allows("https://b.test").is_ok());
    }
}
