//! `btcp config`: what is set, and where that was done.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::{Map, Value, json};

use crate::output;
use crate::settings::{self, Held};

pub(crate) fn run(held: &Held, files: &[PathBuf], json: bool) -> ExitCode {
    if json {
        output::line(&object(held, files).to_string());
        return ExitCode::SUCCESS;
    }
    for setting in settings::all() {
        let (value, from) = match held.get(setting.name) {
            Some((values, from)) => (shown(setting, values).join(" "), from.to_string()),
            None => (setting.default.unwrap_or("-").to_owned(), "default".to_owned()),
        };
        output::line(&format!("{} = {value}  ({from})", setting.name));
        output::line(&format!("  {}; --{}, {}", setting.help, setting.name, setting.variable()));
    }
    let files: Vec<String> = files.iter().rev().map(|file| file.display().to_string()).collect();
    output::line(&match files.is_empty() {
        true => {
            "files: none; btcp.toml here or above, btcp/config.toml where settings are".to_owned()
        }
        false => format!("files: {}", files.join(", ")),
    });
    ExitCode::SUCCESS
}

fn object(held: &Held, files: &[PathBuf]) -> Value {
    let mut all = Map::new();
    for setting in settings::all() {
        let (values, from) = match held.get(setting.name) {
            Some((values, from)) => (shown(setting, values), from.to_string()),
            None => (setting.default.map(str::to_owned).into_iter().collect(), "default".into()),
        };
        let value = match setting.many {
            true => json!(values),
            false => json!(values.last()),
        };
        all.insert(setting.name.to_owned(), json!({ "value": value, "from": from }));
    }
    json!({ "settings": all, "files": files })
}

/// Values as they may be shown: what may be a password is not.
fn shown(setting: &settings::Setting, values: &[String]) -> Vec<String> {
    match setting.hidden {
        true => values.iter().map(|_| "[hidden]".to_owned()).collect(),
        false => values.to_vec(),
    }
}
