//! `btcp install` from a mirror on this machine: what breaks on the way, and what is left then.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::home::{Home, PATIENCE, Said};
use crate::mirror::{Manners, Mirror, VERSION, archive};
use crate::processes::until;

impl Home {
    /// `btcp install` with a cache of this home's.
    pub(crate) fn install(&self, mirror: &str, words: &[&str]) -> Command {
        let mut command = self.command(&[&["install"], words].concat());
        command.env("XDG_CACHE_HOME", self.folder.join("cache")).env("BTCP_INSTALL_FROM", mirror);
        command
    }

    fn cache(&self) -> PathBuf {
        self.folder.join("cache/btcp/chrome")
    }

    /// What there is, without the lock.
    fn cached(&self) -> Vec<String> {
        let entries = fs::read_dir(self.cache()).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name != ".lock").collect();
        names.sort();
        names
    }

    fn part(&self) -> u64 {
        let part = self.cache().join(format!(".{VERSION}.part"));
        fs::metadata(part).map_or(0, |part| part.len())
    }
}

fn installed(command: &mut Command) -> Value {
    let said = Said::of(command.output().unwrap());
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{said:?}");
    serde_json::from_str(&said.out).unwrap()
}

fn refused(command: &mut Command) -> String {
    let said = Said::of(command.output().unwrap());
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.err.trim_end().ends_with("(no_browser)"), "{said:?}");
    said.err
}

#[test]
fn chrome_for_testing_is_downloaded_once_and_then_there() {
    let home = Home::new();
    let good = Manners::default();
    let sha256: String =
        Sha256::digest(&good.archive).iter().map(|byte| format!("{byte:02x}")).collect();
    let mirror = Mirror::new(Manners { sha256: Some(sha256), ..good });

    let said = Said::of(home.install(&mirror.url, &["--force"]).output().unwrap());
    assert_eq!(said.code, 0, "{said:?}");
    let program = home.cache().join(VERSION).join("chrome-linux64/chrome");
    let says = format!("Google Chrome for Testing {VERSION} is at {}\n", program.display());
    assert_eq!(said.out, says, "{said:?}");
    assert!(said.err.contains(&format!("btcp: downloading Chrome for Testing {VERSION}\n")));
    assert!(!said.err.contains(['\r', '#']), "no bar where no terminal is: {said:?}");
    assert_eq!(home.cached(), [VERSION], "nothing but the browser is left");

    let again = installed(&mut home.install(&mirror.url, &["--force", "--json"]));
    assert_eq!(again["installed"], false);
    assert_eq!(again["path"], program.to_str().unwrap());
    assert_eq!(mirror.asked().len(), 1, "{:?}", mirror.asked());
    // There is a browser on machines that run these tests.
    let plain = installed(&mut home.install("http://127.0.0.1:9/none", &["--json"]));
    assert_eq!(plain["installed"], false, "{plain}");
}

#[test]
fn a_broken_connection_is_gone_on_with() {
    let (ranges, none) = (Home::new(), Home::new());
    let mirror = Mirror::new(Manners { breaks: (300_000, 2), ..Manners::default() });

    let done = installed(&mut ranges.install(&mirror.url, &["--force", "--json"]));

    assert_eq!(done["installed"], true);
    let rest = |from: usize| format!("bytes={from}- Some(\"\\\"one\\\"\")");
    assert_eq!(mirror.asked(), ["whole".to_owned(), rest(300_000), rest(600_000)]);

    // A server that does not know ranges sends all of it again.
    let manners = Manners { breaks: (300_000, 1), knows_ranges: false, ..Manners::default() };
    let mirror = Mirror::new(manners);
    installed(&mut none.install(&mirror.url, &["--force", "--json"]));
    assert_eq!(mirror.asked(), ["whole".to_owned(), rest(300_000)]);
    for home in [&ranges, &none] {
        assert_eq!(home.cached(), [VERSION]);
        let pak = home.cache().join(VERSION).join("chrome-linux64/resources.pak");
        assert_eq!(fs::metadata(pak).unwrap().len(), 1 << 20);
    }
}

#[test]
fn a_killed_installation_is_gone_on_with_by_the_next() {
    for changed in [false, true] {
        let home = Home::new();
        let mirror = Mirror::new(Manners { stalls: Some(500_000), ..Manners::default() });
        let mut command = home.install(&mirror.url, &["--force"]);
        let mut killed = command.stderr(Stdio::null()).spawn().unwrap();
        until(PATIENCE, "half of it is there", || home.part() == 500_000);
        killed.kill().unwrap();
        killed.wait().unwrap();
        assert!(!home.cached().contains(&VERSION.to_owned()));
        // And one that was killed while it unpacked.
        fs::create_dir_all(home.cache().join(".unpack-1.2.3/chrome-linux64")).unwrap();

        {
            let mut manners = mirror.manners.lock().unwrap();
            manners.stalls = None;
            if changed {
                manners.etag = "\"two\"";
                manners.archive = archive(&["chrome-linux64/second"]);
            }
        }
        installed(&mut home.install(&mirror.url, &["--force", "--json"]));

        assert_eq!(mirror.asked()[1], "bytes=500000- Some(\"\\\"one\\\"\")");
        assert_eq!(home.cached(), [VERSION]);
        let second = home.cache().join(VERSION).join("chrome-linux64/second");
        assert_eq!(
            second.exists(),
            changed,
            "all of the file that is there now, nothing of the old"
        );
    }
}

#[test]
fn what_is_not_what_it_should_be_is_removed_and_told() {
    let wrong_md5 = "x-goog-hash: crc32c=AAAAAA==,md5=AAAAAAAAAAAAAAAAAAAAAA==\r\n".to_owned();
    let good = Manners::default;
    for (manners, says) in [
        (Manners { headers: wrong_md5, ..good() }, "the md5 of 'http://"),
        (Manners { sha256: Some("0".repeat(64)), ..good() }, "the sha256 of 'http://"),
        (Manners { archive: b"<html>Not found</html>".to_vec(), ..good() }, "sends is no browser"),
        (Manners { archive: archive(&["../../../escaped"]), ..good() }, "leads out of the folder"),
        (Manners { version: "../../bin".into(), ..good() }, "its stable version is '../../bin'"),
    ] {
        let home = Home::new();
        let mirror = Mirror::new(manners);
        let told = refused(&mut home.install(&mirror.url, &["--force"]));
        assert!(told.contains(says), "{told}");
        assert_eq!(home.cached(), [""; 0], "{told}");
        assert!(
            !home.folder.join("escaped").exists() && !home.folder.join("cache/escaped").exists()
        );
    }
}

#[test]
fn two_at_once_download_once() {
    let home = Home::new();
    let mirror = Mirror::new(Manners::default());
    let start = || {
        let mut command = home.install(&mirror.url, &["--force", "--json"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let both = [start(), start(), start()].map(|child| Said::of(child.wait_with_output().unwrap()));
    let did = both.map(|said| serde_json::from_str::<Value>(&said.out).unwrap());
    assert!(did.iter().all(|said| said["success"] == true), "{did:?}");
    assert_eq!(mirror.asked(), ["whole"], "{did:?}");
    assert_eq!(home.cached(), [VERSION]);
}

/// The first call that needs a browser gets one where `btcp install` would.
#[test]
fn the_daemon_knows_the_mirror_too() {
    let home = Home::new();
    let mut command = home.command(&["describe"]);
    let mirror = "https://mirror.test/index.json";
    assert!(command.env("BTCP_INSTALL_FROM", mirror).output().unwrap().status.success());
    let daemon = home.daemon().unwrap();
    assert!(daemon.told("environ").contains(&format!("BTCP_INSTALL_FROM={mirror}\0")));
}

/// A name is told to the proxy, which may be the only one to know it.
#[test]
fn a_proxy_is_asked_for_the_mirror() {
    let home = Home::new();
    for (kind, hello, back) in [
        ("http", "CONNECT mirror.test:443 HTTP/1.1\r\n", &b""[..]),
        ("socks5", "mirror.test", &[5, 0]),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let proxy = format!("{kind}://{}", listener.local_addr().unwrap());
        let (tell, told) = mpsc::channel();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let (mut all, mut some) = (Vec::new(), [0; 1024]);
                // The first answer lets a SOCKS client go on; then nobody answers any more.
                while !String::from_utf8_lossy(&all).contains(hello) {
                    match stream.read(&mut some) {
                        Ok(read @ 1..) => all.extend(&some[..read]),
                        _ => break,
                    }
                    let _ = stream.write_all(back);
                }
                let _ = tell.send(String::from_utf8_lossy(&all).into_owned());
            }
        });
        let words = ["--force", "--proxy", &proxy];
        refused(&mut home.install("https://mirror.test/index.json", &words));
        let asked = told.recv_timeout(PATIENCE).unwrap();
        assert!(asked.contains(hello), "{kind}: {asked:?}");
    }
}

#[test]
fn what_stands_in_the_way_is_told_with_the_next_step() {
    let home = Home::new();
    let mirror = Mirror::new(Manners::default());
    fs::write(home.folder.join("file"), "").unwrap();

    let mut command = home.install(&mirror.url, &["--force"]);
    let told = refused(command.env("XDG_CACHE_HOME", home.folder.join("file")));
    assert!(told.contains("file/btcp/chrome' cannot be written to: "), "{told}");
    assert!(told.contains("\nSet XDG_CACHE_HOME to a folder that can be written to"), "{told}");

    let told = refused(&mut home.install("http://mirror.test/index.json", &["--force"]));
    assert!(told.contains("'http://mirror.test/index.json' is not https"), "{told}");
    assert!(told.contains("\nSet BTCP_INSTALL_FROM to the https address"), "{told}");

    // Nobody listens at the discard port.
    let told = refused(&mut home.install("http://127.0.0.1:9/index.json", &["--force"]));
    assert!(told.contains("'http://127.0.0.1:9/index.json' cannot be had: "), "{told}");
    assert!(told.contains("it goes on where it stopped"), "{told}");

    let said = Said::of(home.install("ftp://x", &["--force", "--json"]).output().unwrap());
    let error: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((said.code, &error["error"]["code"]), (1, &Value::from("no_browser")), "{error}");
}
