//! What a caller was not granted is denied through the binary, and told to the person.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use btcp_testkit::{Mcp, Surface, server};
use serde_json::{Value, json};

const BTCP: &str = env!("CARGO_BIN_EXE_btcp");

#[tokio::test]
async fn what_is_not_granted_is_denied_not_listed_and_written_down() {
    let audit = std::env::temp_dir().join(format!("btcp-audit-{}", std::process::id()));
    let _ = std::fs::remove_file(&audit);
    let (file, origin) = (audit.to_string_lossy(), server().origin());
    let granted = "navigate,dom:write,capture";
    let flags =
        ["--toolset", "all", "--capabilities", granted, "--origins", &origin, "--audit", &*file];
    let mcp = Mcp::start_with(Path::new(BTCP), &flags).await;

    let listed = mcp.request("tools/list", json!({})).await["result"]["tools"].to_string();
    assert!(listed.contains("browser_click") && !listed.contains("browser_evaluate"), "{listed}");
    mcp.call("navigate", json!({ "url": server().url("click.html") })).await.unwrap();
    mcp.call("click", json!({ "selector": "#send" })).await.unwrap();
    let elsewhere = format!("{}/click.html", server().other_origin());
    for (name, args, says) in [
        ("evaluate", json!({ "script": "1" }), "needs script, which is not granted"),
        ("tabs", json!({ "do": "list" }), "needs tabs, which is not granted"),
        ("upload", json!({ "selector": "#a", "files": ["/x"] }), "needs files:read"),
        ("navigate", json!({ "url": elsewhere }), "outside this caller's origins"),
    ] {
        let refusal = mcp.call(name, args).await.unwrap_err();
        assert_eq!(refusal.code, "denied", "{}", refusal.text);
        assert!(refusal.text.contains(says), "{}", refusal.text);
    }

    let written = std::fs::read_to_string(&audit).unwrap();
    let lines: Vec<Value> =
        written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 4, "{written}");
    assert_eq!(lines[0]["denied"], "browser_evaluate");
    assert!(lines[3]["why"].as_str().unwrap().contains("origins"), "{written}");
    std::fs::remove_file(&audit).unwrap();
}

/// A page that is out of bounds: an address that led there says so, what stands on it is not told, and
/// nothing is done on it, in a batch neither; each refusal has its line, a step by its own name.
#[tokio::test]
async fn a_page_of_another_origin_is_neither_told_nor_worked_with_and_each_step_is_written_down() {
    let audit = std::env::temp_dir().join(format!("btcp-audit-steps-{}", std::process::id()));
    let _ = std::fs::remove_file(&audit);
    let (file, origin) = (audit.to_string_lossy(), server().origin());
    let granted = "navigate,dom:write,tabs";
    let flags =
        ["--toolset", "all", "--capabilities", granted, "--origins", &origin, "--audit", &*file];
    let mcp = Mcp::start_with(Path::new(BTCP), &flags).await;
    let elsewhere = format!("{}/fill_form.html", server().other_origin());
    let led = server().url(&format!("redirect?to={elsewhere}"));
    let outside = "are outside this caller's origins";

    // A click leads there: its address is told, nothing of what it says.
    let login = server().url(&format!("boundary/login.html?back={elsewhere}"));
    mcp.call("navigate", json!({ "url": login })).await.unwrap();
    let clicked = mcp.call("click", json!({ "selector": "#back" })).await.unwrap();
    assert!(clicked.text.contains(&elsewhere), "{}", clicked.text);
    assert!(!clicked.text.contains("fill_form\""), "{}", clicked.text);
    let refusal = mcp.call("snapshot", json!({})).await.unwrap_err();
    assert!(refusal.code == "denied" && refusal.text.contains(outside), "{}", refusal.text);

    let went = mcp.call("navigate", json!({ "url": led })).await.unwrap();
    assert!(
        went.text.contains(&elsewhere) && !went.text.contains("\"fill_form\""),
        "{}",
        went.text
    );

    for (name, args) in [("tabs", json!({})), ("get_all_tabs", json!({}))] {
        let list = mcp.call(name, args).await.unwrap();
        assert!(list.text.contains(&format!("\"\" {elsewhere}")), "{}", list.text);
    }

    // The same in a batch, whose first step is led there.
    let steps = json!([
        { "action": "navigate", "url": led },
        { "action": "fill", "selector": "#name", "value": "Ada" },
        { "action": "title" },
    ]);
    let batch = mcp.call("batch", json!({ "steps": steps })).await.unwrap();
    assert!(batch.text.contains("did 1 of 3 steps"), "{}", batch.text);
    assert!(batch.text.contains(outside), "{}", batch.text);
    let says = ["\"fill_form\"", "I agree"].iter().any(|words| batch.text.contains(words));
    assert!(!says, "{}", batch.text);

    // What a step may not do at all is known before the first of them.
    let steps = json!([
        { "action": "click", "selector": "#send" },
        { "action": "evaluate", "script": "1" },
    ]);
    let refusal = mcp.call("batch", json!({ "steps": steps })).await.unwrap_err();
    let says = "Step 2: 'evaluate' needs script, which is not granted";
    assert!(refusal.text.starts_with(says), "{}", refusal.text);

    let written = std::fs::read_to_string(&audit).unwrap();
    let lines: Vec<Value> =
        written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told: Vec<(&str, &str)> = lines
        .iter()
        .map(|line| (line["denied"].as_str().unwrap(), line["why"].as_str().unwrap()))
        .collect();
    let other = format!("Pages of \"{}\" {outside}", server().other_origin());
    assert_eq!(told[0], ("browser_snapshot", other.as_str()), "{written}");
    assert_eq!(told[1], ("fill", other.as_str()), "{written}");
    assert_eq!(told[2], ("browser_batch", says), "{written}");
    assert_eq!(told.len(), 3, "{written}");

    // A batch of which nothing was done has a line for each step that was refused, too.
    let steps = json!([{ "action": "title" }, { "action": "clear", "selector": "#name" }]);
    let refusal = mcp.call("batch", json!({ "steps": steps, "onError": "continue" })).await;
    assert_eq!(refusal.unwrap_err().code, "denied");
    let written = std::fs::read_to_string(&audit).unwrap();
    let last = written.lines().skip(3).map(|line| serde_json::from_str::<Value>(line).unwrap());
    let last: Vec<Value> = last.map(|line| line["denied"].clone()).collect();
    assert_eq!(last, ["title", "clear"], "{written}");
    std::fs::remove_file(&audit).unwrap();
}

/// A folder the person did not allow, an address nobody may reach, a secret that is meant for another site: each
/// refusal has its line. The same path is open to whoever was started with `--allow-folder`.
#[tokio::test]
async fn folders_addresses_and_secrets_that_are_denied_are_written_down() {
    let folder = std::env::temp_dir().join(format!("btcp-denied-{}", std::process::id()));
    // The temporary folder may be read by all who sit here, and written to by nobody.
    std::fs::create_dir_all(folder.join("kept")).unwrap();
    let (audit, secrets) = (folder.join("audit"), folder.join("secrets.json"));
    let bound = json!({ "KEY": { "value": "s3cret-value", "origins": ["https://bank.test"] } });
    std::fs::write(&secrets, bound.to_string()).unwrap();
    std::fs::set_permissions(&secrets, std::fs::Permissions::from_mode(0o600)).unwrap();
    let (file, known) = (audit.to_str().unwrap(), secrets.to_str().unwrap());
    let flags = ["--toolset", "all", "--audit", file, "--secrets", known];
    let save = json!({ "path": folder.join("kept/state.json") });
    {
        let mcp = Mcp::start_with(Path::new(BTCP), &flags).await;
        mcp.call("navigate", json!({ "url": server().url("fill.html") })).await.unwrap();
        for (name, args) in [
            ("state_save", save.clone()),
            ("navigate", json!({ "url": "http://169.254.169.254/latest" })),
            ("fill", json!({ "selector": "#name", "value": "{{secret:KEY}}" })),
        ] {
            let refusal = mcp.call(name, args).await.unwrap_err();
            assert_eq!(refusal.code, "denied", "{name}: {}", refusal.text);
        }
    }
    let written = std::fs::read_to_string(&audit).unwrap();
    let told: Vec<Value> =
        written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let said = |n: usize| (told[n]["denied"].as_str().unwrap(), told[n]["why"].as_str().unwrap());
    assert_eq!(told.len(), 3, "{written}");
    assert_eq!(said(0).0, "browser_state_save", "{written}");
    assert!(said(0).1.contains("outside the allowed folders"), "{written}");
    assert_eq!(said(1).0, "browser_navigate", "{written}");
    assert!(said(1).1.contains("169.254.169.254"), "{written}");
    assert_eq!(said(2).0, "browser_fill", "{written}");
    assert!(said(2).1.contains("KEY") && !written.contains("s3cret-value"), "{written}");

    let allowed = ["--toolset", "all", "--allow-folder", folder.to_str().unwrap()];
    let mcp = Mcp::start_with(Path::new(BTCP), &allowed).await;
    mcp.call("navigate", json!({ "url": server().url("fill.html") })).await.unwrap();
    mcp.call("state_save", save).await.unwrap();
    assert!(folder.join("kept/state.json").is_file());
    std::fs::remove_dir_all(&folder).unwrap();
}

/// What pages of other origins keep is none of the caller's business either: cookies, web storage, files
/// they handed over, what they ask.
#[tokio::test]
async fn belongings_of_another_origin_are_neither_told_nor_changed() {
    let folder = std::env::temp_dir().join(format!("btcp-belongings-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let state = folder.join("all.json");
    let allow = ["--toolset", "all", "--allow-folder", folder.to_str().unwrap()];
    let cookies = async |mcp: &Mcp| mcp.call("cookies_get", json!({})).await.unwrap().text;
    {
        // Somebody who may have both saves what they keep.
        let mcp = Mcp::start_with(Path::new(BTCP), &allow).await;
        for origin in [server().origin(), server().other_origin()] {
            let url = format!("{origin}/storage_set.html");
            mcp.call("open_tab", json!({ "url": url, "timeout": "60s" })).await.unwrap();
            let kept = json!({ "key": "kept", "value": origin, "type": "local" });
            mcp.call("storage_set", kept).await.unwrap();
            mcp.call("cookies_set", json!({ "name": "kept", "value": "1" })).await.unwrap();
        }
        let told = cookies(&mcp).await;
        assert!(told.contains("127.0.0.1") && told.contains("localhost"), "{told}");
        let saved = mcp.call("state_save", json!({ "path": state })).await.unwrap();
        assert!(saved.text.contains("2 cookies and the storage of 2 origins"), "{}", saved.text);
    }

    let origin = server().origin();
    let flags: Vec<&str> = allow.iter().copied().chain(["--origins", &origin]).collect();
    let mcp = Mcp::start_with(Path::new(BTCP), &flags).await;
    mcp.call("navigate", json!({ "url": server().url("storage_set.html") })).await.unwrap();
    let loaded = mcp.call("state_load", json!({ "path": state, "timeout": "60s" })).await.unwrap();
    assert!(loaded.text.contains("1 cookie and the storage of 1 origin"), "{}", loaded.text);
    let told = cookies(&mcp).await;
    assert!(told.contains("127.0.0.1") && !told.contains("localhost"), "{told}");
    let refused =
        mcp.call("cookies_set", json!({ "name": "a", "value": "1", "domain": "localhost" }));
    let refused = refused.await.unwrap_err();
    assert_eq!(refused.code, "denied", "{}", refused.text);
    assert!(refused.text.contains("outside this caller's origins"), "{}", refused.text);

    // A page leads elsewhere, which keeps something, hands over a file and asks.
    let elsewhere = format!("{}/boundary/keeps.html", server().other_origin());
    let led = server().url(&format!("redirect?to={elsewhere}"));
    mcp.call("navigate", json!({ "url": led, "timeout": "60s" })).await.unwrap();
    let files = mcp.call("downloads", json!({ "wait": true })).await.unwrap();
    assert_eq!(files.text, "no downloads");
    let told = cookies(&mcp).await;
    assert!(told.contains("127.0.0.1") && !told.contains("localhost"), "{told}");
    let answer = mcp.call("dialog", json!({ "response": "accept" })).await.unwrap_err();
    assert_eq!(answer.code, "denied", "{}", answer.text);
    let own = folder.join("own.json");
    let saved = mcp.call("state_save", json!({ "path": own })).await.unwrap();
    assert!(saved.text.contains("1 cookie and"), "{}", saved.text);
    let written = std::fs::read_to_string(&own).unwrap();
    assert!(!written.contains("localhost"), "{written}");
    std::fs::remove_dir_all(&folder).unwrap();
}
