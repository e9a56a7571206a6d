//! Downloads: told by the action that began them, kept safely, limited, and never in the way.

use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use btcp_engine::Settings;
use btcp_testkit::{TestPage, empty, empty_with, open, server};
use serde_json::{Value, json};

use crate::refusal::{assert_goes_on, text_of};

const PAGE: &str = "downloads.html";

async fn all(page: &TestPage) -> Vec<Value> {
    let listed = page.call("downloads", json!({ "wait": true, "timeout": "60s" })).await;
    let listed = listed.unwrap_or_else(|failure| panic!("{}", failure.text()));
    listed.data["downloads"].as_array().expect("a list").clone()
}

/// Points the page's link at a file.
async fn link_to(page: &TestPage, query: &str) {
    page.eval(&format!("document.getElementById('file').href = '/file?{query}'; 1")).await;
}

#[tokio::test]
async fn a_click_on_a_file_tells_where_it_is() {
    let page = open(PAGE).await;

    let outcome = page.call("click", json!({ "selector": "#file" })).await.unwrap();

    assert_eq!(outcome.data["effect"], "download", "{}", outcome.data);
    let path = outcome.data["download"]["path"].as_str().expect("it has a path").to_owned();
    assert_eq!(std::fs::read(&path).expect("the file is there"), [7; 1000]);
    let mode = std::fs::metadata(&path).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "{mode:o}");
    let text = outcome.text.for_model();
    assert!(
        text.ends_with(&format!(r#"downloaded "report.bin" (1000 bytes) to {path}"#)),
        "{text}"
    );
    let listed = all(&page).await;
    let wanted = json!({ "id": 1, "filename": "report.bin", "state": "complete", "bytes": 1000, "total": 1000, "path": path });
    assert_eq!(listed, [wanted]);
    assert_goes_on(&page).await;
}

/// The link opens a tab that becomes a file and is gone; the click tells of the file all the same.
#[tokio::test]
async fn a_file_in_a_tab_of_its_own_belongs_to_the_click() {
    let page = open(PAGE).await;

    let outcome = page.call("click", json!({ "selector": "#blank" })).await.unwrap();

    assert_eq!(outcome.data["download"]["filename"], "report.bin", "{}", outcome.data);
    assert_eq!(all(&page).await.len(), 1);
    assert_goes_on(&page).await;
}

#[tokio::test]
async fn two_files_of_one_name_are_two_files() {
    let page = open(PAGE).await;

    for name in ["report.bin", "report (2).bin"] {
        let outcome = page.call("click", json!({ "selector": "#file" })).await.unwrap();
        let path = outcome.data["download"]["path"].as_str().expect("it has a path");
        assert!(path.ends_with(name), "{path}");
    }
}

#[tokio::test]
async fn a_name_cannot_lead_out_of_the_folder_or_hide() {
    let page = open(PAGE).await;
    for (suggested, ending) in [
        ("..%2F..%2Fevil.sh", "evil.sh"),
        (".bashrc", "bashrc"),
        ("NUL.txt", "NUL.txt"),
        ("a%E2%80%AEfdp.exe", "fdp.exe"),
    ] {
        link_to(&page, &format!("name={}", suggested.replace('%', "%25"))).await;
        let outcome = page.call("click", json!({ "selector": "#file" })).await.unwrap();
        let path = outcome.data["download"]["path"].as_str().expect("it has a path").to_owned();
        let path = std::path::Path::new(&path);
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        assert!(name.ends_with(ending) && !name.starts_with('.'), "{suggested}: {name}");
        assert!(path.parent().expect("a folder").ends_with("downloads"), "{}", path.display());
        let mode = std::fs::metadata(path).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o111, 0, "{name}: {mode:o}");
    }
}

/// A file that takes long: the answer comes at the deadline, and the rest can be waited for.
#[tokio::test]
async fn a_slow_file_can_be_waited_for() {
    let page = open(PAGE).await;
    link_to(&page, "bytes=200000&ms=15000").await;

    let outcome = page.call("click", json!({ "selector": "#file", "timeout": "1500ms" })).await;

    let outcome = outcome.unwrap_or_else(|failure| panic!("{}", failure.text()));
    assert_eq!(outcome.data["stillLoading"], true, "{}", outcome.data);
    let text = outcome.text.for_model();
    assert!(text.contains(r#"downloading "file.bin","#), "{text}");
    // How far it has come is known meanwhile.
    let mut bytes = 0;
    let mut looks = tokio::time::interval(Duration::from_millis(20));
    while bytes == 0 {
        looks.tick().await;
        let now = page.call("downloads", json!({})).await.unwrap();
        assert_eq!(now.data["downloads"][0]["state"], "running", "{}", now.data);
        assert_eq!(now.data["downloads"][0]["total"], 200_000, "{}", now.data);
        bytes = now.data["downloads"][0]["bytes"].as_u64().unwrap_or_default();
    }
    assert!(bytes < 200_000, "{bytes}");
    let failure =
        page.call("downloads", json!({ "wait": true, "timeout": "200ms" })).await.unwrap_err();
    assert_eq!(failure.code, "timeout", "{}", failure.text());
    assert_eq!(all(&page).await[0]["state"], "complete");
}

#[tokio::test]
async fn what_is_not_there_cannot_be_waited_for() {
    let page = open(PAGE).await;

    let failure = page.call("downloads", json!({ "id": 7, "wait": true })).await.unwrap_err();

    assert_eq!(
        (failure.code, failure.message.as_str()),
        ("invalid_params", "There is no download 7")
    );
}

/// A page cannot fill the disk: neither with one file, nor with many.
#[tokio::test]
async fn files_over_the_limits_are_stopped_with_the_numbers() {
    let limits = Settings { max_download: 100_000, max_downloads: 150_000, ..Settings::default() };
    let page = empty_with(limits).await;
    text_of(&page, "navigate", json!({ "url": server().url(PAGE) })).await;

    // Its size is known at once, or only by counting.
    for query in ["bytes=5000000&ms=3000", "bytes=5000000&size=no&ms=3000"] {
        link_to(&page, query).await;
        let outcome = page.call("click", json!({ "selector": "#file" })).await.unwrap();
        let text = outcome.text.for_model();
        assert!(text.contains(r#"the download of "file.bin" failed after"#), "{text}");
        assert!(text.contains("a file may have at most 100000"), "{text}");
    }
    let direct = json!({ "url": server().url("/file?bytes=5000000&ms=3000") });
    let failure = page.call("navigate", direct).await.unwrap_err();
    assert_eq!(failure.code, "write_failed", "{}", failure.text());
    assert!(failure.message.contains("a file may have at most 100000"), "{}", failure.message);

    link_to(&page, "bytes=90000").await;
    text_of(&page, "click", json!({ "selector": "#file" })).await;
    link_to(&page, "bytes=80000&ms=500").await;
    let outcome = page.call("click", json!({ "selector": "#file" })).await.unwrap();
    let text = outcome.text.for_model();
    assert!(text.contains("the downloads of a session may have at most 150000"), "{text}");

    let states: Vec<_> = all(&page).await.iter().map(|file| file["state"].clone()).collect();
    assert_eq!(states, ["failed", "failed", "failed", "complete", "failed"]);
    assert_goes_on(&page).await;
}

/// A page that starts one after the other by itself gets a few, not any number.
#[tokio::test]
async fn a_flood_of_files_is_capped() {
    let page = open(PAGE).await;
    // Chrome loads six files of a host at a time.
    let flood = "for (let i = 0; i < 40; i++) { const f = document.createElement('iframe'); \
                 f.src = `http://a${i % 8}.localhost:${location.port}/file?name=f${i}&bytes=2000&ms=20000`; \
                 document.body.append(f) } 1";

    page.eval(flood).await;
    let deadline = Instant::now() + Duration::from_secs(20);
    let seen = loop {
        let now = page.call("downloads", json!({})).await.unwrap();
        let list = now.data["downloads"].as_array().expect("a list").clone();
        let running = list.iter().filter(|file| file["state"] == "running").count();
        assert!(running <= 20, "{running} were running");
        let refused = list.iter().find_map(|file| file["reason"].as_str().map(str::to_owned));
        if let Some(refused) = refused {
            break refused;
        }
        assert!(Instant::now() < deadline, "nothing was refused: {}", now.data);
    };

    assert_eq!(seen, "20 downloads are running, more than 20 may not");
    assert_goes_on(&page).await;
}

/// A disk that is full: told as such, and the session goes on. As root a small disk can be made.
#[tokio::test]
async fn a_full_disk_is_told() {
    let disk = SmallDisk::mount();
    let settings = Settings { out: Some(disk.0.clone()), ..Settings::default() };
    let page = empty_with(settings).await;
    text_of(&page, "navigate", json!({ "url": server().url(PAGE) })).await;

    for query in ["bytes=5000000", "bytes=5000000&size=no"] {
        link_to(&page, query).await;
        let outcome = page.call("click", json!({ "selector": "#file" })).await.unwrap();
        let text = outcome.text.for_model();
        assert!(text.contains("the disk is full"), "{text}");
        let url = server().url(&format!("/file?{query}"));
        let failure = page.call("navigate", json!({ "url": url })).await.unwrap_err();
        assert_eq!(failure.code, "write_failed", "{}", failure.text());
        assert!(failure.message.contains("the disk is full"), "{}", failure.message);
    }

    link_to(&page, "bytes=5000").await;
    let outcome = page.call("click", json!({ "selector": "#file" })).await.unwrap();
    assert_eq!(outcome.data["download"]["bytes"], 5000, "{}", outcome.data);
    assert_goes_on(&page).await;
}

/// A disk of one megabyte.
struct SmallDisk(std::path::PathBuf);

impl SmallDisk {
    fn mount() -> Self {
        let folder = std::env::temp_dir().join(format!("btcp-small-disk-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let mount = ["-t", "tmpfs", "-o", "size=1m", "tmpfs"];
        let mounted = std::process::Command::new("mount").args(mount).arg(&folder).status();
        assert!(mounted.is_ok_and(|status| status.success()), "a tmpfs can be mounted (as root)");
        Self(folder)
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: Chrome may still have a file open there.
        let _ = std::process::Command::new("umount").arg("-l").arg(&self.0).status();
        let _ = std::fs::remove_dir(&self.0);
    }
}

#[tokio::test]
async fn an_empty_session_has_no_downloads() {
    let page = empty().await;

    assert_eq!(text_of(&page, "downloads", json!({})).await, "no downloads");
}
