//! Who is not ours: a program that knocks where only our Chrome is served, and pages that are not the
//! web's.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use btcp_engine::{CallContext, Progress, Sessions, Settings, TabHandle, WaitUntil};
use btcp_testkit::{OwnChrome, server};

use crate::launch::without_chrome;

const PROXY: &str = "--proxy-server=socks5://";

/// The guard of a running Chrome, as everybody on this machine can find it.
fn guard_of(chrome: &OwnChrome) -> String {
    let [leader] = &chrome.leaders()[..] else { panic!("{:?}", chrome.leaders()) };
    let line = leader.told("cmdline");
    let told = line.split('\0').find_map(|word| word.strip_prefix(PROXY));
    told.unwrap_or_else(|| panic!("it has no guard: {line:?}")).to_owned()
}

async fn go(tab: &TabHandle, path: &'static str) {
    let context = CallContext::new(Duration::from_secs(20), Progress::default());
    let work = tab.run(context, move |tab| {
        Box::pin(async move { tab.navigate(&server().url(path), WaitUntil::Load).await })
    });
    work.await.expect("the page loads");
}

/// Chrome has no password for its guard; who knocks is known by whose process it is.
#[tokio::test(flavor = "multi_thread")]
async fn only_chrome_is_served_by_its_guard() {
    if without_chrome() {
        return;
    }
    let chrome = OwnChrome::new();
    // Elsewhere it is told to Chrome by a command; a profile's own context has it by a flag.
    let profile = std::env::temp_dir().join(format!("btcp-strangers-{}", std::process::id()));
    let settings = Settings { profile: Some(profile.clone()), ..chrome.settings() };
    let sessions = Sessions::new(settings);
    let session = sessions.open("first").await.unwrap();
    let tab = session.tab_for(None, None).await.unwrap();
    let victim = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = victim.local_addr().unwrap().port();
    victim.set_nonblocking(true).unwrap();

    // As Chrome asks it: to a port of this machine, by number.
    let mut stranger = TcpStream::connect(guard_of(&chrome)).unwrap();
    stranger.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut asks = vec![5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1];
    asks.extend_from_slice(&port.to_be_bytes());
    stranger.write_all(&asks).unwrap();
    let mut answer = Vec::new();
    // Closed or reset; anything but silence.
    let ended = stranger.read_to_end(&mut answer);

    let silent = ended.as_ref().is_err_and(|e| e.kind() == std::io::ErrorKind::WouldBlock);
    assert!(!silent, "it was kept waiting");
    assert!(answer.len() <= 2, "it was answered: {answer:?}");
    assert!(victim.accept().is_err(), "somebody came to where the stranger wanted to go");
    // Chrome itself reaches this machine through it, where the agent says so.
    go(&tab, "title.html").await;
    sessions.close_all().await;
    std::fs::remove_dir_all(profile).unwrap();
}

const MANIFEST: &str = r#"{
  "manifest_version": 3, "name": "stranger", "version": "1",
  "host_permissions": ["<all_urls>"], "background": { "service_worker": "background.js" }
}"#;

/// Opens a page of its own in a tab and in a window, and says so.
const BACKGROUND: &str = "
  const opened = chrome.tabs.create({ url: 'page.html' }).then(() => chrome.windows.create({ url: 'page.html' }))
  opened.then(() => fetch('{report}', { method: 'POST' }))
";

/// A profile may have extensions; what they show is between them and the person.
#[tokio::test(flavor = "multi_thread")]
async fn pages_of_extensions_are_never_tabs() {
    if without_chrome() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("btcp-extension-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let key = format!("extension-{}", std::process::id());
    let report = server().url(&format!("count/{key}"));
    let files =
        [("manifest.json", MANIFEST), ("background.js", BACKGROUND), ("page.html", "<p>Stranger")];
    for (name, text) in files {
        std::fs::write(folder.join(name), text.replace("{report}", &report)).unwrap();
    }
    let chrome = OwnChrome::new();
    let settings = Settings {
        profile: Some(folder.join("profile")),
        extra_args: vec![format!("--load-extension={}", folder.display())],
        ..chrome.settings()
    };
    let sessions = Sessions::new(settings);
    let session = sessions.open("first").await.unwrap();
    let tab = session.tab_for(None, None).await.unwrap();

    let counted = tokio::time::timeout(Duration::from_secs(40), server().counted(&key)).await;

    assert!(counted.is_ok(), "the extension opened no page");
    // Whatever Chrome told before it answers is known then.
    go(&tab, "title.html").await;
    let tabs: Vec<String> = session.list_tabs().await.into_iter().map(|tab| tab.url).collect();
    assert_eq!(tabs, [server().url("title.html")]);
    sessions.close_all().await;
    std::fs::remove_dir_all(folder).unwrap();
}
