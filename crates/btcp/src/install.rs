//! `btcp install`: gets a browser where none is, and says which.

use std::process::ExitCode;

use btcp::Settings;
use btcp_engine::launch::{self, Installed, Kind, LaunchError, News, Unit, Wanted};
use serde_json::json;

use crate::output::{self, Bar, Counts};
use crate::signals;

/// How it was asked for.
#[derive(Debug)]
pub(crate) struct How {
    /// Chrome for Testing, whatever else there is.
    pub(crate) force: bool,
    pub(crate) json: bool,
    pub(crate) quiet: bool,
}

pub(crate) async fn run(settings: Settings, how: How) -> anyhow::Result<ExitCode> {
    let wanted = if how.force { Wanted::Newest } else { Wanted::Any };
    let silent = how.quiet || how.json;
    let mut bar = Bar::new("", silent);
    let mut began = false;
    let mut hear = |news| match news {
        News::Line(line) => {
            began = true;
            bar.clear();
            if !silent {
                output::note(&line);
            }
        }
        News::Amount { unit, done, total } => {
            let counts = match unit {
                Unit::Bytes => Counts::Bytes,
                Unit::Parts => Counts::Parts,
            };
            bar.draw(done, total, counts);
        }
    };
    let got = tokio::select! {
        got = launch::obtain(wanted, &settings, &mut hear) => got,
        // What has come is kept. apt-get, which must not be killed, hears of it too and decides itself.
        code = signals::asked_to_end() => {
            bar.clear();
            return Ok(code);
        }
    };
    drop(bar);
    let checked = match got {
        Ok(installed) => launch::version(&installed).await.map(|version| (installed, version)),
        Err(error) => Err(error),
    };
    Ok(match checked {
        Ok((installed, version)) => {
            told(&installed, &version, began, &settings, &how);
            ExitCode::SUCCESS
        }
        Err(error) => failed(&error, how.json),
    })
}

fn told(installed: &Installed, version: &str, new: bool, settings: &Settings, how: &How) {
    let path = installed.path.display().to_string();
    if how.json {
        let answer = json!({ "success": true, "installed": new, "path": path, "version": version });
        return output::line(&answer.to_string());
    }
    if how.quiet {
        return;
    }
    let already = if new { "is" } else { "is already" };
    output::line(&format!("{version} {already} at {path}"));
    match launch::find(settings) {
        Ok(found) if found.path != installed.path && found.kind == Kind::Full => output::note(
            &format!("{} goes before it; --browser {path} takes this one", found.path.display()),
        ),
        _ => {}
    }
}

fn failed(error: &LaunchError, json: bool) -> ExitCode {
    let (message, hint) = (error.to_string(), hint(error));
    if json {
        let error = json!({ "code": "no_browser", "message": message, "hint": hint });
        output::line(&json!({ "error": error }).to_string());
    } else {
        output::error(&format!("{message}\n{hint} (no_browser)"));
    }
    ExitCode::FAILURE
}

fn hint(error: &LaunchError) -> String {
    match error {
        LaunchError::InstallFailed { how, .. } => how.clone(),
        // What its maker says it needs.
        LaunchError::Died { path, .. } | LaunchError::Spawn { path, .. } => {
            let needs = path.with_file_name("deb.deps");
            match needs.is_file() {
                true => format!("It may lack libraries; {} names them.", needs.display()),
                false => "It may lack libraries; `btcp doctor` tells more.".to_owned(),
            }
        }
        _ => "`btcp doctor` tells more.".to_owned(),
    }
}
