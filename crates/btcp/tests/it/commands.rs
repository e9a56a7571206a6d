//! Actions as commands, through the daemon, with a real Chrome.

use std::fs;

use btcp_testkit::server;
use serde_json::Value;

use crate::home::{Home, PATIENCE, Said};
use crate::processes::until;

#[test]
fn an_agent_with_a_shell_opens_reads_and_clicks() {
    let home = Home::new();
    let page = server().url("click.html");

    let opened = home.does(&["open", &page]);
    assert!(opened.contains("page \"click\""), "{opened}");
    let seen = home.does(&["snapshot"]);
    let send = seen.lines().find(|line| line.contains("button \"Send\"")).unwrap();
    let send = send.split_whitespace().last().unwrap();
    let clicked = home.does(&["click", send]);
    assert!(clicked.starts_with("clicked button \"Send\" e"), "{clicked}");
    assert_eq!(home.does(&["evaluate", "log.join()"]), "\"click send\"\n");
    assert_eq!(home.does(&["url"]), format!("{page}\n"), "raw, for scripts");
    assert_eq!(home.data(&["url"])["url"], page.as_str());
    assert_eq!(home.does(&["--quiet", "click", send]), "", "quiet tells nothing of what it did");
    assert_eq!(home.does(&["title", "--quiet"]), "click\n", "but what was asked for");

    let missing = home.say(&["click", "#missing", "--timeout", "2s"]);
    assert_eq!((missing.code, missing.out.as_str()), (1, ""));
    let mut lines = missing.err.lines();
    assert_eq!(lines.next(), Some("Selector '#missing' not found"));
    let hint = lines.next().unwrap();
    assert!(hint.contains("`btcp snapshot`") && hint.ends_with("(not_found, done: no)"), "{hint}");
    let missing = home.say(&["click", "#missing", "--timeout", "2s", "--json"]);
    let told: Value = serde_json::from_str(&missing.out).unwrap();
    assert_eq!((missing.code, missing.err.as_str()), (1, ""));
    assert_eq!(
        (&told["error"]["code"], &told["error"]["done"]),
        (&"not_found".into(), &"no".into())
    );

    for (words, code) in [
        (&["click", "--json"][..], "invalid_params"),
        (&["wait", "--state", "gone", "--json", "x"], "invalid_params"),
        (&["click", "#a", "--buton", "left", "--json"], "invalid_params"),
        (&["clik", "#a", "--json"], "unknown_tool"),
        (&["open", "file:///etc/passwd", "--json"], "denied"),
    ] {
        let said = home.say(words);
        let told: Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!(told["error"]["code"], code, "{words:?}");
        let says = |field: &str| told["error"][field].as_str().is_some_and(|it| !it.is_empty());
        assert!(says("message") && says("hint"), "{words:?}: {told}");
        assert!(!told["error"]["message"].as_str().unwrap().contains('\n'), "{words:?}: {told}");
        assert_eq!(said.code, if code == "denied" { 1 } else { 2 }, "{words:?}");
    }
}

/// What a program gets of a slip of the pen: a stable code, and what was meant.
#[test]
fn a_wrong_command_is_told_to_programs_with_what_was_meant() {
    let home = Home::new();
    let error = |words: &[&str]| {
        let said = home.say(words);
        assert_eq!(said.code, 2, "{said:?}");
        serde_json::from_str::<Value>(&said.out).unwrap()["error"].clone()
    };
    let unknown = error(&["clik", "e4", "--json"]);
    assert_eq!(unknown["message"], "There is no command 'clik'");
    assert_eq!(unknown["suggestions"][0], "click", "{unknown}");
    assert!(unknown["hint"].as_str().unwrap().starts_with("did you mean click"), "{unknown}");
    let flag = error(&["click", "e4", "--buton", "left", "--json"]);
    assert_eq!(flag["field"], "--buton", "{flag}");
    assert!(flag["hint"].as_str().unwrap().contains("'--button'"), "{flag}");
    let missing = error(&["click", "--json"]);
    assert!(missing["message"].as_str().unwrap().contains("<SELECTOR>"), "{missing}");
    assert!(missing["hint"].as_str().unwrap().contains("Usage: btcp click"), "{missing}");
}

/// Files are where the command was typed, not where the daemon is.
#[test]
fn files_are_where_the_command_was_typed() {
    let home = Home::new();
    home.does(&["open", &server().url("upload.html")]);
    home.does(&["pdf", "--path", "page.pdf"]);
    assert!(fs::read(home.work().join("page.pdf")).unwrap().starts_with(b"%PDF"));

    let picture = home.data(&["screenshot"]);
    let path = picture["path"].as_str().unwrap();
    let folder = home.folder.join("state/btcp/out/default");
    assert!(path.starts_with(folder.to_str().unwrap()), "{path}");
    assert!(picture["image"].as_str().is_some_and(|image| image.len() > 100));
    assert!(home.does(&["screenshot"]).len() < 400, "a picture is no text");
}

#[test]
fn sessions_are_apart_and_other_settings_begin_only_their_own_anew() {
    let home = Home::new();
    let page = server().url("click.html");
    home.does(&["open", &page]);
    home.does(&["--session", "other", "open", &server().url("fill.html")]);
    assert_eq!(home.does(&["url"]), format!("{page}\n"));
    assert_eq!(home.does(&["sessions"]), "default\nother\n");

    let mut waiting = home.starts(&["--session", "other", "wait", "--time", "20s"]);
    let under_way = || home.data(&["status"])["calls"] == 1;
    until(PATIENCE, "the call is under way", under_way);
    let width = home.say(&["--viewport", "801x600", "evaluate", "innerWidth"]);
    assert_eq!(width.out, "801\n", "{width:?}");
    assert!(width.err.contains("Session 'default' began anew: 'viewport'"), "{}", width.err);
    assert_eq!(home.does(&["evaluate", "innerWidth"]), "801\n", "who asks for nothing, stays");
    assert!(waiting.try_wait().unwrap().is_none(), "it was over before anything had changed");
    let answered = waiting.wait_with_output().unwrap();
    assert!(answered.status.success(), "{answered:?}");
    assert_eq!(home.does(&["--session", "other", "title"]), "fill\n");
    assert_eq!(home.does(&["sessions"]), "default (set: viewport)\nother\n");

    home.does(&["close"]);
    assert_eq!(home.does(&["sessions"]), "other\n");
}

/// What may be set is set by files and the environment too, and an error says where it is wrong.
#[test]
fn settings_come_from_files_and_the_environment() {
    let home = Home::new();
    fs::create_dir(home.folder.join("config/btcp")).unwrap();
    fs::write(home.folder.join("config/btcp/config.toml"), "viewport = \"700x500\"\n").unwrap();
    fs::write(home.work().join("btcp.toml"), "toolset = \"minimal,evaluate\"\n").unwrap();

    assert_eq!(home.does(&["evaluate", "innerWidth"]), "700\n");
    let denied = home.say(&["click", "#a"]);
    assert!(denied.code == 1 && denied.err.contains("(denied"), "{denied:?}");
    let config = home.data(&["config", "--proxy", "http://ada:hush@127.0.0.1:1"]);
    let settings = &config["settings"];
    assert_eq!(settings["viewport"]["value"], "700x500");
    assert!(settings["viewport"]["from"].as_str().unwrap().ends_with("config/btcp/config.toml"));
    assert_eq!(settings["proxy"]["from"], "flag");
    assert!(!config.to_string().contains("hush"), "{config}");
    assert_eq!(settings["session"]["from"], "default");

    let named = home.command(&["sessions"]).output().unwrap();
    assert!(named.status.success());
    let mut url = home.command(&["url"]);
    assert!(url.env("BTCP_SESSION", "named").output().unwrap().status.success());
    assert!(home.does(&["sessions"]).contains("named"));
    let mut wrong = home.command(&["url"]);
    let wrong = wrong.env("BTCP_VEIWPORT", "1x1").output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("did you mean 'BTCP_VIEWPORT'?"));
    fs::write(home.work().join("btcp.toml"), "tolset = \"all\"\n").unwrap();
    let wrong = home.say(&["url"]);
    assert!(wrong.code == 2 && wrong.err.contains("did you mean 'toolset'?"), "{wrong:?}");
}

#[test]
fn time_and_the_size_of_pictures_are_settings() {
    let home = Home::new();
    let page = server().url("click.html");
    home.does(&["open", &page, "--picture-size", "320"]);
    let picture = home.data(&["screenshot"]);
    assert_eq!((&picture["width"], &picture["height"]), (&320.into(), &180.into()), "{picture}");

    let mut command = home.command(&["wait-for-function", "false"]);
    let late = Said::of(command.env("BTCP_TIMEOUT", "2s").output().unwrap());
    assert!(late.code == 1 && late.err.contains("Timeout after 2s "), "{late:?}");
    let late = home.say(&["--timeout", "9m", "wait-for-function", "false", "--timeout", "1s"]);
    assert!(late.code == 1 && late.err.contains("Timeout after 1s "), "{late:?}");
    assert_eq!(home.does(&["url"]).trim(), page, "another time limit is no other browser");
}

/// A whole task in one call, as JSON and as lines, and how far it comes where a step fails.
#[test]
fn a_batch_is_read_from_a_file_or_standard_input() {
    let home = Home::new();
    let page = server().url("batch.html");
    let lines = format!(
        "# order\nopen {page}\nbtcp fill '#name' \"Ada L\"\ncheck '#agree'\nclick text=Send\n"
    );
    let said = home.say_with(&["batch"], &lines);
    assert_eq!(said.code, 0, "{said:?}");
    assert_eq!(home.does(&["evaluate", "log.at(-1)"]), "\"sent Ada L true\"\n");

    let steps = r##"[{"action":"fill","selector":"#name","value":"Bob"},
        {"action":"click","selector":"#missing","timeout":2000},{"action":"click","selector":"text=Send"}]"##;
    fs::write(home.work().join("steps.json"), steps).unwrap();
    let data = |said: &Said| serde_json::from_str::<Value>(&said.out).unwrap();
    // A script that goes on with `&&` must not go on.
    let stopped = home.say(&["batch", "steps.json", "--json"]);
    assert_eq!((stopped.code, stopped.err.as_str()), (1, ""), "{stopped:?}");
    let stopped = data(&stopped);
    assert_eq!(
        (&stopped["success"], &stopped["results"][2]["error"]),
        (&false.into(), &"Not tried".into())
    );
    let went_on = home.say(&["batch", "steps.json", "--on-error", "continue", "--json"]);
    assert_eq!(went_on.code, 1, "{went_on:?}");
    assert_eq!(data(&went_on)["results"][2]["success"], true);
    let told = home.say(&["batch", "steps.json", "--quiet"]);
    assert!(told.code == 1 && told.out.contains("did 1 of 3 steps"), "{told:?}");

    for (input, says) in [
        ("click #a\nfil '#name' x", "Line 2: There is no command 'fil'"),
        ("fill '#name", "Line 1: a quote is not closed"),
        ("click", "Line 1: the following required arguments were not provided: <SELECTOR>"),
        ("[1", "The steps are no JSON"),
    ] {
        let said = home.say_with(&["batch"], input);
        assert!(said.code == 2 && said.err.contains(says), "{said:?}");
    }
}

/// A secret is in the environment of the command, and nowhere else.
#[test]
fn secrets_come_with_the_call_and_stay_secret() {
    let home = Home::new();
    let origin = server().url("");
    home.does(&["open", &server().url("fill.html")]);
    let value = "correct-horse-battery";
    let with = |words: &[&str]| {
        let mut command = home.command(words);
        let command = command.env("BTCP_SECRET_PASS", value);
        let command = command.env("BTCP_SECRET_PASS_ORIGINS", origin.trim_end_matches('/'));
        Said::of(command.output().unwrap())
    };
    let begun = with(&["open", &server().url("fill.html")]);
    assert_eq!(begun.code, 0, "{begun:?}");
    let filled = with(&["fill", "input", "{{secret:PASS}}"]);
    assert!(filled.code == 0 && !filled.out.contains(value), "{filled:?}");
    let read = home.say(&["input-value", "input"]);
    assert!(read.out.contains("{{secret:PASS}}") && !read.out.contains(value), "{read:?}");
    let daemon = home.daemon().unwrap();
    assert!(!daemon.told("environ").contains(value) && !daemon.told("cmdline").contains(value));
    let log = fs::read_to_string(home.runtime().join("daemon.log")).unwrap();
    assert!(!log.contains(value), "{log}");
}

/// The key is in the environment of the command: what it saves says nothing without it.
#[test]
fn a_state_is_sealed_with_the_key_of_the_environment() {
    let home = Home::new();
    let with = |key: Option<&str>, words: &[&str]| {
        let mut command = home.command(words);
        let command = command.envs(key.map(|key| ("BTCP_STATE_KEY", key.repeat(64))));
        Said::of(command.output().unwrap())
    };
    let done = |key: Option<&str>, words: &[&str]| {
        let said = with(key, words);
        assert_eq!(said.code, 0, "{words:?}: {said:?}");
        said.out
    };
    let url = server().url("state/visit.html");
    done(Some("a"), &["open", &url]);
    done(Some("a"), &["eval", "put()"]);
    let saved = done(Some("a"), &["state-save", "sealed.json", "--json"]);
    let saved: Value = serde_json::from_str(&saved).unwrap();
    assert_eq!(saved["encrypted"], true, "{saved}");
    let file = fs::read(home.work().join("sealed.json")).unwrap();
    assert!(!file.windows(4).any(|part| part == b"cart" || part == b"dark"));

    // A session keeps what it began with, so the one without a key is another.
    let plain = ["--session", "plain"];
    done(None, &[&plain[..], &["open", &url]].concat());
    let without = with(None, &[&plain[..], &["state-load", "sealed.json"]].concat());
    assert_eq!(without.code, 2, "{without:?}");
    let why = "The state is encrypted, and BTCP_STATE_KEY is not set";
    assert!(without.err.contains(why) || without.out.contains(why), "{without:?}");
    done(Some("a"), &["eval", "localStorage.clear()"]);
    done(Some("a"), &["state-load", "sealed.json"]);
    assert_eq!(done(Some("a"), &["eval", "localStorage.theme"]).trim(), "\"dark\"");
}
