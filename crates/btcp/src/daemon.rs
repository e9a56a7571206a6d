//! The daemon, and the commands that are about it: `status`, `stop`, `sessions`.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use btcp::daemon::{Given, Host, Trouble, serve};
use btcp::{Catalog, Grant, Sessions};
use serde_json::{Value, json};

use crate::settings::{self, Sets, said};
use crate::{call, output, signals};

/// Serves until nobody needs us.
pub(crate) async fn run(idle: Duration) -> anyhow::Result<ExitCode> {
    // The terminal we were started from may close, and its keys are not for us.
    if let Err(error) = rustix::process::setsid() {
        tracing::debug!(%error, "already at the head of a session");
    }
    let told_to_end = async {
        signals::asked_to_end().await;
    };
    let end = serve(Arc::new(Settled), idle, told_to_end).await?;
    tracing::debug!(?end, "the daemon ends");
    Ok(ExitCode::SUCCESS)
}

/// Makes browsers of settings.
struct Settled;

impl Host for Settled {
    fn catalog(&self, given: &Given) -> Result<Catalog, String> {
        let settings = settings::browser(given)?;
        output::keep_secret(&settings.secrets);
        Ok(Catalog::new(Sessions::new(settings)))
    }

    fn admit(
        &self,
        catalog: Catalog,
        given: &Given,
        folder: Option<&Path>,
    ) -> Result<(Catalog, Grant), String> {
        let granted = settings::granted(given)?;
        let catalog = granted.applied(catalog).map_err(|error| format!("{error:#}"))?;
        let grant = granted.for_person(&catalog, folder).map_err(|error| said(&error))?;
        Ok((catalog, grant))
    }

    fn is_of_browser(&self, name: &str) -> bool {
        let setting = settings::find(name);
        name.starts_with('@') || setting.is_some_and(|one| matches!(one.sets, Sets::Browser(_)))
    }

    fn default(&self, name: &str) -> Vec<String> {
        let default = settings::find(name).and_then(|setting| setting.default);
        default.into_iter().map(str::to_owned).collect()
    }

    fn idle(&self, given: &Given) -> Option<Duration> {
        given.get("daemon-idle")?.last()?.parse().ok().map(Duration::from_secs)
    }

    fn differs(&self, name: &str) -> String {
        match name.starts_with('@') {
            false => format!("'{name}' is set otherwise now"),
            // What a page was given is masked for as long as its session lives, so it keeps its own.
            true => "this call came with other secrets, or another state key, than it has; \
                     have them in the environment from its first call on"
                .to_owned(),
        }
    }
}

/// `btcp status`.
pub(crate) fn status(json: bool) -> ExitCode {
    tell(json, |status| {
        let Some(status) = status else {
            return "no daemon runs; the next action starts one".into();
        };
        let started = status["startedAt"].as_u64().unwrap_or_default();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let sessions = status["sessions"].as_array().map_or(0, Vec::len);
        format!(
            "daemon {}, btcp {}, for {} s\nsessions: {sessions}, calls under way: {}\nsocket: {}\nlog: {}",
            status["pid"],
            status["version"].as_str().unwrap_or_default(),
            now.saturating_sub(started),
            status["running"],
            status["socket"].as_str().unwrap_or_default(),
            status["log"].as_str().unwrap_or_default(),
        )
    })
}

/// `btcp sessions`.
pub(crate) fn sessions(json: bool) -> ExitCode {
    let one = |session: &Value| {
        let name = session["session"].as_str().unwrap_or_default().to_owned();
        let set = session["set"].as_array().map(Vec::as_slice).unwrap_or_default();
        let set: Vec<&str> = set.iter().filter_map(Value::as_str).collect();
        if set.is_empty() { name } else { format!("{name} (set: {})", set.join(", ")) }
    };
    match asked() {
        Err(trouble) => troubled(&trouble, json),
        Ok(status) => {
            let sessions = status.map(|mut status| status["sessions"].take());
            let sessions = sessions.as_ref().and_then(Value::as_array).cloned().unwrap_or_default();
            match json {
                true => output::line(&json!({ "sessions": sessions }).to_string()),
                false => sessions.iter().for_each(|session| output::line(&one(session))),
            }
            ExitCode::SUCCESS
        }
    }
}

/// `btcp stop`.
pub(crate) fn stop(json: bool) -> ExitCode {
    match call::client("60").and_then(|client| client.stop()) {
        Err(trouble) => troubled(&trouble, json),
        Ok(stopped) => {
            match (json, stopped) {
                (true, _) => {
                    output::line(&json!({ "success": true, "stopped": stopped }).to_string())
                }
                (false, true) => output::line("the daemon has ended"),
                (false, false) => output::line("no daemon runs"),
            }
            ExitCode::SUCCESS
        }
    }
}

fn asked() -> Result<Option<Value>, Trouble> {
    call::client("60")?.status()
}

fn tell(json: bool, text: impl FnOnce(Option<&Value>) -> String) -> ExitCode {
    match asked() {
        Err(trouble) => troubled(&trouble, json),
        Ok(status) if json => {
            let mut told = json!({ "running": status.is_some() });
            if let (Some(Value::Object(status)), Some(told)) = (status, told.as_object_mut()) {
                // How many calls are under way has another name here: `running` is whether it does.
                for (name, value) in status {
                    let name = if name == "running" { "calls".to_owned() } else { name };
                    told.insert(name, value);
                }
            }
            output::line(&told.to_string());
            ExitCode::SUCCESS
        }
        Ok(status) => {
            output::line(&text(status.as_ref()));
            ExitCode::SUCCESS
        }
    }
}

fn troubled(trouble: &Trouble, json: bool) -> ExitCode {
    match json {
        true => {
            let error = json!({ "code": "internal", "message": trouble.to_string() });
            output::line(&json!({ "error": error }).to_string());
        }
        false => output::error(&trouble.to_string()),
    }
    ExitCode::FAILURE
}
