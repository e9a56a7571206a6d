//! A name that turns from a public address to this machine, told by a name server of the test's own, to the
//! real binary through the system's resolver.
//!
//! `/etc/resolv.conf` is another file for that process alone, in a mount namespace: that needs root. What
//! counts as public here is a part of the loopback range.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener, UdpSocket};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::json;

use crate::processes::{BTCP, Mcp};

const PUBLIC: Ipv4Addr = Ipv4Addr::new(127, 77, 0, 1);
const NAME_SERVER: Ipv4Addr = Ipv4Addr::new(127, 77, 0, 53);

/// Answers each question for an address; after `turned` those for `rebinds.test` with this machine's.
#[derive(Default)]
struct Names {
    turned: AtomicBool,
    asked: Mutex<HashMap<String, usize>>,
}

impl Names {
    fn start() -> Arc<Self> {
        let names = Arc::new(Self::default());
        let socket = UdpSocket::bind((NAME_SERVER, 53)).expect("port 53 needs root");
        let served = names.clone();
        thread::spawn(move || {
            let mut question = [0; 512];
            while let Ok((length, asker)) = socket.recv_from(&mut question) {
                // Whom no answer reaches asks again.
                let _ = socket.send_to(&served.answer(&question[..length]), asker);
            }
        });
        names
    }

    fn answer(&self, question: &[u8]) -> Vec<u8> {
        let (mut labels, mut at) = (Vec::new(), 12);
        while question[at] != 0 {
            let end = at + 1 + usize::from(question[at]);
            labels.push(String::from_utf8_lossy(&question[at + 1..end]).into_owned());
            at = end;
        }
        let (name, is_v4) = (labels.join("."), question[at + 2] == 1);
        let mut answer = question[..at + 5].to_vec();
        // An answer without error; one question, no or one record.
        answer[2..12].copy_from_slice(&[0x81, 0x80, 0, 1, 0, u8::from(is_v4), 0, 0, 0, 0]);
        if is_v4 {
            *self.asked.lock().unwrap().entry(name.clone()).or_default() += 1;
            let turns = name == "rebinds.test" && self.turned.load(Ordering::SeqCst);
            // The same name, an address, for no time at all.
            answer.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]);
            answer.extend(if turns { Ipv4Addr::LOCALHOST } else { PUBLIC }.octets());
        }
        answer
    }

    fn asked(&self, name: &str) -> usize {
        self.asked.lock().unwrap().get(name).copied().unwrap_or(0)
    }
}

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 16\r\n\
    Connection: close\r\n\r\n<title>a</title>";

/// Serves a page to whoever asks, a connection each, and keeps what was asked for.
fn serve(at: SocketAddrV4) -> (SocketAddrV4, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind(at).unwrap();
    let at = SocketAddrV4::new(*at.ip(), listener.local_addr().unwrap().port());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let kept = seen.clone();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { break };
            let mut request = [0; 4096];
            let length = stream.read(&mut request).unwrap_or(0);
            let head = String::from_utf8_lossy(&request[..length]);
            kept.lock().unwrap().push(head.split(' ').nth(1).unwrap_or_default().to_owned());
            // A client that has left needs none.
            let _ = stream.write_all(ANSWER);
        }
    });
    (at, seen)
}

#[test]
fn a_name_that_a_name_server_turns_to_this_machine_is_not_followed() {
    let names = Names::start();
    let (at, public) = serve(SocketAddrV4::new(PUBLIC, 0));
    let (_, local) = serve(SocketAddrV4::new(Ipv4Addr::LOCALHOST, at.port()));
    let file = std::env::temp_dir().join(format!("btcp-resolv-{}", std::process::id()));
    std::fs::write(&file, format!("nameserver {NAME_SERVER}\n")).unwrap();
    let script = "mount --bind \"$1\" /etc/resolv.conf && exec \"$0\" mcp --toolset all --public 127.77.0.0/16";
    let shell = ["--mount", "--propagation", "private", "/bin/sh", "-c", script, BTCP];
    let mut mcp = Mcp::of(Command::new("unshare").args(shell).arg(&file));

    for (name, reached) in [("stays.test", "\"in\""), ("rebinds.test", "\"out\"")] {
        names.turned.store(false, Ordering::SeqCst);
        mcp.call("browser_navigate", json!({ "url": format!("http://{name}:{}/", at.port()) }));
        let before = names.asked(name);
        assert!(before > 0, "the name server was not asked for {name}");
        names.turned.store(true, Ordering::SeqCst);
        for mode in ["cors", "no-cors"] {
            let path = format!("/{name}/{mode}");
            let ask = format!(
                "fetch('{path}', {{ method: 'POST', mode: '{mode}' }}).then(() => 'in', () => 'out')"
            );
            assert_eq!(mcp.call("browser_evaluate", json!({ "script": ask })), reached, "{path}");
            assert_eq!(public.lock().unwrap().contains(&path), reached == "\"in\"", "{path}");
        }
        assert!(names.asked(name) > before, "{name} was not looked up again");
    }
    assert!(local.lock().unwrap().is_empty(), "this machine was asked for {:?}", local.lock());
    std::fs::remove_file(&file).unwrap();
}
