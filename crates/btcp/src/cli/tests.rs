//! What command lines mean, without a browser.

use std::sync::LazyLock;
use std::time::Duration;

use btcp::{Access, Egress, Group, Isolation, Secrets, Settings, export};
use btcp_actions::{Call, CatalogAction, ENTRIES, Example, Output, Result as Done, Text, Toolset};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::*;
use crate::settings::ourselves;

/// Tune a string instrument.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "it is only read")]
struct TuneString {
    /// Which string.
    string_name: String,
    /// Turns of the peg.
    turns: Option<u32>,
}

struct Tuned;

impl Output for Tuned {
    fn data(&self) -> Value {
        json!({ "hertz": 440 })
    }

    fn text(&self) -> Text {
        Text::ours("440")
    }
}

impl CatalogAction for TuneString {
    const NAME: &'static str = "tune_string";
    const ALIASES: &'static [&'static str] = &["tighten"];
    const GROUP: Group = Group::Debugging;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Reads;
    type Output = Tuned;

    fn examples() -> Vec<Example> {
        vec![Example::gives("The A", json!({ "stringName": "a" }), json!({ "hertz": 440 }))]
    }

    async fn run(self, _: &Call<'_>) -> Done<Tuned> {
        Ok(Tuned)
    }
}

/// Every action, and one that was just made up.
pub(super) fn entries() -> &'static [Entry] {
    static ALL: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        ENTRIES.iter().copied().chain([Entry::of_catalog::<TuneString>()]).collect()
    });
    &ALL
}

/// Nothing here knows an action by its name: one that was just made up is read, helped with and completed.
#[test]
fn an_action_that_was_just_made_up_is_a_command() {
    for words in [["tune-string", "a", "--turns", "2"], ["tighten", "a", "--turns=2", "--json"]] {
        let call = call_of(&words);
        assert_eq!((call.action, call.reads), (Some("tune_string"), true));
        assert_eq!(Value::Object(call.arguments), json!({ "stringName": "a", "turns": 2 }));
    }
    let told = |line: &str| match read_line(line).unwrap() {
        Command::Print(text) => text,
        other => panic!("nothing is printed: {other:?}"),
    };
    let help = told("btcp help tune-string");
    for part in ["Tune a string instrument", "<STRING-NAME>", "--turns", "btcp tune-string a"] {
        assert!(help.contains(part), "no {part} in {help}");
    }
    for line in
        ["btcp help", "btcp completions bash", "btcp completions fish", "btcp man", "btcp skill"]
    {
        let text = told(line).replace("\\-", "-");
        assert!(text.contains("tune-string"), "{line}: {text}");
    }
    assert!(continuations(&[]).contains(&"tune-string".to_owned()));
    assert!(continuations(&["tune-string".to_owned()]).contains(&"--turns".to_owned()));
    let wrong = read_line("btcp tune-strin").unwrap_err().to_string();
    assert!(wrong.contains("did you mean tune-string"), "{wrong}");
}

fn read_line(line: &str) -> Result<Command, clap::Error> {
    read(line.split(' '), &Surroundings::default()).map(|arguments| arguments.command)
}

fn settings_of(line: &str) -> Settings {
    match read_line(line).unwrap() {
        Command::Mcp { settings, .. } | Command::Demo { settings, .. } => *settings,
        other => panic!("no browser there: {other:?}"),
    }
}

fn call_of(words: &[&str]) -> ActionCall {
    let words = std::iter::once("btcp").chain(words.iter().copied());
    match read(words, &Surroundings::default()).unwrap().command {
        Command::Action(call) => *call,
        other => panic!("no action: {other:?}"),
    }
}

#[test]
fn the_command_line_is_consistent() {
    own::command().debug_assert();
    for entry in entries() {
        // Also that no parameter has the name of a setting: clap would panic.
        action::whole(entry, &export::parameters(entry)).debug_assert();
    }
}

#[test]
fn without_flags_the_settings_are_the_default() {
    let default = Settings { sweeper: Some(ourselves()), ..Settings::default() };
    assert_eq!(settings_of("btcp mcp"), default);
    assert_eq!(settings_of("btcp demo"), default);
}

#[test]
fn a_default_that_is_told_is_the_default() {
    let plain = Settings::default();
    for setting in settings::all() {
        let Some(default) = setting.default else { continue };
        if let Sets::Browser(set) = setting.sets {
            let mut told = Settings::default();
            set(&mut told, &[default.to_owned()]).unwrap();
            assert_eq!(told, plain, "{}", setting.name);
        }
    }
}

#[test]
fn every_setting_is_a_flag() {
    let line = "btcp mcp --browser /opt/chrome --connect 9222 --connect-remote --connect-tab inbox --profile /tmp/agent --debugging-port 9333 --headed --slow-motion 250 --viewport 800x600 \
                --picture-size 800 \
                --extra-args --lang=de --extra-args --mute-audio --no-install \
                --start-timeout 5 --out /tmp/out --isolation process \
                --idle-timeout 60 --no-spare --max-sessions 3 --max-tabs 4 --max-memory 512 \
                --http-auth https://a.test=ada:secret --max-download 1000 --max-downloads 5000 \
                --header https://a.test=x-team:blue \
                --allow https://a.test --allow 10.0.0.0/8 --deny b.test --allow-resources *.cdn.test \
                --public 127.0.0.0/8 --proxy socks5://ada:secret@127.0.0.1:1080 \
                --allow-folder /tmp --allow-folder /";
    assert_eq!(
        settings_of(line),
        Settings {
            browser: Some("/opt/chrome".into()),
            connect: Some("127.0.0.1:9222".parse().unwrap()),
            connect_remote: true,
            connect_tab: Some("inbox".to_owned()),
            profile: Some("/tmp/agent".into()),
            debugging_port: Some(9333),
            headed: true,
            slow_motion: Duration::from_millis(250),
            viewport: (800, 600),
            picture_size: 800,
            extra_args: vec!["--lang=de".into(), "--mute-audio".into()],
            out: Some("/tmp/out".into()),
            install: false,
            sweeper: Some(ourselves()),
            isolation: Isolation::Process,
            idle_timeout: Duration::from_secs(60),
            spare: false,
            max_sessions: 3,
            max_memory: 512 << 20,
            max_tabs: 4,
            start_timeout: Duration::from_secs(5),
            credentials: vec!["https://a.test=ada:secret".parse().unwrap()],
            headers: vec!["https://a.test=x-team:blue".parse().unwrap()],
            max_download: 1000,
            max_downloads: 5000,
            egress: Egress {
                allow: vec!["https://a.test".parse().unwrap(), "10.0.0.0/8".parse().unwrap()],
                deny: vec!["b.test".parse().unwrap()],
                allow_resources: vec!["*.cdn.test".parse().unwrap()],
                public: vec!["127.0.0.0/8".parse().unwrap()],
                proxy: Some("socks5://ada:secret@127.0.0.1:1080".parse().unwrap()),
                ..Egress::default()
            },
            allow_folders: vec!["/tmp".into(), "/".into()],
            state_key: None,
            secrets: Secrets::default(),
        }
    );
}

/// A file may say `headed = true`; a flag is stronger, whichever way.
#[test]
fn a_switch_is_turned_off_by_its_flag_too() {
    let off = settings_of("btcp mcp --headed=false --no-spare=false --no-install=true");
    assert!(!off.headed && off.spare && !off.install);
    assert!(settings_of("btcp mcp --headed").headed);
    let call = call_of(&["--headed=false", "click", "e4"]);
    assert_eq!(call.settings["headed"], ["false"]);
    let call = call_of(&["--headed", "click", "e4"]);
    assert_eq!((call.action, call.settings["headed"][0].as_str()), (Some("click"), "true"));
}

#[test]
fn a_wrong_value_is_a_usage_error_that_says_what_is_wanted() {
    for line in [
        "btcp mcp --viewport 800",
        "btcp mcp --viewport 0x600",
        "btcp mcp --viewport 99999x1",
        "btcp mcp --picture-size 63",
        "btcp mcp --timeout soon",
        "btcp mcp --headed=perhaps",
        "btcp mcp --debugging-port 70000",
        "btcp mcp --timeout 0",
        "btcp mcp --start-timeout 0",
        "btcp mcp --isolation none",
        "btcp mcp --max-sessions 0",
        "btcp mcp --http-auth a.test=ada:secret",
        "btcp mcp --header x-team:blue",
        "btcp mcp --max-download much",
        "btcp mcp --allow ftp://a.test",
        "btcp mcp --public everything",
        "btcp mcp --proxy a.test",
        "btcp mcp --allow-folder /no/such/folder",
        "btcp mcp --secrets /no/such/file",
        "btcp mcp --connect wss://a.test:9222/x",
        "btcp connect",
        "btcp connect 0",
        "btcp mcp --tool-set all",
        "btcp mcp --capabilities dom:reed",
        "btcp mcp --capabilities eval",
        "btcp mcp --origins ftp://a.test",
        "btcp generate poems",
        "btcp generate ts poems",
        "btcp generate docs reading",
        "btcp dem",
        "btcp clik e4",
        "btcp click",
        "btcp click e4 e5",
        "btcp click e4 --buton left",
        "btcp url --viewport big",
        "btcp url --args [1]",
        "btcp help clik",
        "btcp url --session ",
    ] {
        let error = read_line(line).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{line}");
    }
}

#[test]
fn an_action_is_a_command_under_each_of_its_names() {
    for words in
        [["get-text", "e4"], ["get_text", "e4"], ["getText", "e4"], ["browser_get_text", "e4"]]
    {
        let call = call_of(&words);
        assert_eq!(
            (call.action, call.arguments["selector"].as_str()),
            (Some("get_text"), Some("e4"))
        );
    }
    assert_eq!(call_of(&["open", "a.test"]).action, Some("navigate"));
}

#[test]
fn flags_may_stand_before_and_after_the_command() {
    for words in [
        &["--session", "click", "--json", "click", "e4", "--viewport", "1x1"][..],
        &["click", "--viewport=1x1", "e4", "--session=click", "--json"],
    ] {
        let call = call_of(words);
        assert_eq!((call.action, call.session.as_str(), call.json), (Some("click"), "click", true));
        assert_eq!(call.arguments, *json!({ "selector": "e4" }).as_object().unwrap());
        assert_eq!(call.settings["viewport"], ["1x1"]);
    }
}

#[test]
fn what_an_action_calls_like_a_setting_is_its_own() {
    let call = call_of(&["click", "e4", "--timeout", "2s", "--viewport", "1x1"]);
    assert_eq!(call.arguments["timeout"], "2s");
    let set: Vec<&str> = call.settings.keys().map(String::as_str).collect();
    assert_eq!(set, ["viewport"]);
    // As the repl writes its own flags before each command.
    let call = call_of(&["--timeout", "2s", "click", "e4"]);
    assert_eq!((call.arguments.len(), call.settings["timeout"][0].as_str()), (1, "2s"));
}

#[test]
fn values_are_what_their_schema_says() {
    let of = |words: &[&str]| Value::Object(call_of(words).arguments);
    assert_eq!(of(&["tabs", "list"]), json!({ "do": "list" }));
    assert_eq!(of(&["tabs", "--do", "list"]), json!({ "do": "list" }));
    assert_eq!(of(&["nth", "li", "-1"]), json!({ "selector": "li", "index": -1 }));
    assert_eq!(of(&["upload", "e1", "a", "b"]), json!({ "selector": "e1", "files": ["a", "b"] }));
    assert_eq!(of(&["screenshot", "--full-page"]), json!({ "fullPage": true }));
    assert_eq!(
        of(&["type", "e1", "--", "-x"]),
        json!({ "selector": "e1", "text": "-x" }),
        "what looks like a flag and is none"
    );
    assert_eq!(
        of(&["click", "--args", r#"{"selector":"a","button":"right"}"#, "--changes=false"]),
        json!({ "selector": "a", "button": "right", "changes": false })
    );
    assert_eq!(of(&["wait", "--time", "2s"]), json!({ "time": "2s" }));
}

/// Every example of the registry can be typed, and means the same then.
#[test]
fn every_example_can_be_written_as_a_command() {
    for entry in entries() {
        for example in (entry.examples)() {
            let args = example.args.as_object().cloned().unwrap_or_default();
            let line = export::command_line(entry, &args);
            if line.input.is_some() {
                continue; // Standard input is not ours here; `tests/it` has it.
            }
            let words: Vec<&str> = line.words.iter().map(String::as_str).collect();
            let words = std::iter::once("btcp").chain(words);
            match read(words, &Surroundings::default()) {
                Ok(Arguments { command: Command::Action(call), .. }) => {
                    let read = Value::Object(call.arguments);
                    assert!(alike(&read, &example.args), "{:?}: {read}", line.words);
                }
                Ok(other) => panic!("{:?}: {other:?}", line.words),
                // An example of a required argument that is missing.
                Err(error) => assert_eq!(error.exit_code(), 2, "{:?}: {error}", line.words),
            }
        }
    }
}

/// Equal, but for the order of fields and how a number is written.
fn alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| alike(a, b)))
        }
        (a, b) => a == b,
    }
}

#[test]
fn the_help_of_an_action_has_all_that_is_known_of_it() {
    for entry in entries() {
        let text = help::of(entry);
        for one in export::parameters(entry) {
            assert!(text.contains(&one.says), "{text}");
        }
        let tips = entry.tips.iter().all(|tip| text.contains(tip));
        assert!(tips && text.contains("Examples:"), "{text}");
    }
}
