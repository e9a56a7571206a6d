//! A small world for the tests of the boundary: names of its own, a public site that is really the
//! test server, and a victim that must see nothing.

use std::io::{Read, Write};
use std::net::{TcpListener, UdpSocket};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine as _;
use btcp_engine::Settings;
use btcp_engine::egress::{Egress, Names, Range};
use btcp_testkit::{World, server};

/// A host of the private network.
pub(crate) const PRIVATE: &str = "10.9.8.7";

/// Settings for a Chrome of that world's.
pub(crate) fn settings(world: World, public: &[&str]) -> Settings {
    let names = Some(Names(Arc::new(world)));
    let public = public
        .iter()
        .map(|range| range.parse::<Range>().expect("the test writes ranges"))
        .collect();
    // Service workers want a secure site, and public.test has no certificate.
    let secure = format!(
        "--unsafely-treat-insecure-origin-as-secure=http://public.test:{}",
        server().port()
    );
    Settings {
        egress: Egress { names, public, ..Egress::default() },
        extra_args: vec![secure],
        spare: false,
        ..Settings::default()
    }
}

/// A page of the public site.
pub(crate) fn public_url(path: &str) -> String {
    format!("http://public.test:{}/{path}", server().port())
}

/// A server that notes everybody who so much as connects.
#[derive(Clone)]
pub(crate) struct Victim {
    pub(crate) port: u16,
    pub(crate) udp: u16,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Victim {
    pub(crate) fn start() -> Self {
        let tcp = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let udp = UdpSocket::bind("127.0.0.1:0").expect("a port is free");
        let (port, udp_port) = (
            tcp.local_addr().expect("it is bound").port(),
            udp.local_addr().expect("it is bound").port(),
        );
        let victim = Self { port, udp: udp_port, seen: Arc::default() };
        let noting = victim.clone();
        std::thread::spawn(move || {
            let mut buffer = [0; 2048];
            while udp.recv(&mut buffer).is_ok() {
                noting.note("udp");
            }
        });
        let noting = victim.clone();
        std::thread::spawn(move || {
            for mut stream in tcp.incoming().map_while(Result::ok) {
                let noting = noting.clone();
                std::thread::spawn(move || {
                    noting.note("connected");
                    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("it is not zero");
                    let mut head = Vec::new();
                    let mut byte = [0];
                    while !head.ends_with(b"\r\n\r\n")
                        && stream.read(&mut byte).is_ok_and(|n| n == 1)
                    {
                        head.push(byte[0]);
                    }
                    let head = String::from_utf8_lossy(&head);
                    let path = head.split(' ').nth(1).unwrap_or_default();
                    noting.note(path.split('?').next().unwrap_or_default());
                    let answer = answer(&head);
                    let _ = stream.write_all(answer.as_bytes());
                    if answer.contains("101") {
                        let _ = stream.read(&mut byte);
                    }
                });
            }
        });
        victim
    }

    fn note(&self, what: &str) {
        self.seen.lock().expect("no test panics with it").push(what.to_owned());
    }

    /// Waits until it saw this, a minute at the most.
    pub(crate) async fn saw(&self, what: &str) -> bool {
        let mut looks = tokio::time::interval(Duration::from_millis(20));
        let met = async {
            while !self.seen().iter().any(|seen| seen == what) {
                looks.tick().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), met).await.is_ok()
    }

    /// Everything it saw.
    pub(crate) fn seen(&self) -> Vec<String> {
        self.seen.lock().expect("no test panics with it").clone()
    }
}

/// A page, an API for everybody, or a WebSocket.
fn answer(head: &str) -> String {
    let line = |name: &str| {
        let lines = head.lines();
        let mut found = lines.filter_map(|line| line.split_once(": "));
        found.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
    };
    if let Some(key) = line("sec-websocket-key") {
        let accept = accepted(&key);
        return format!(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Accept: {accept}\r\n\r\n"
        );
    }
    let body = "<!doctype html><title>secret</title><h1>Secret</h1>";
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nAccess-Control-Allow-Origin: *\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// What a server answers to a WebSocket's key.
fn accepted(key: &str) -> String {
    let digest = sha1(format!("{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11").as_bytes());
    base64::prelude::BASE64_STANDARD.encode(digest)
}

/// SHA-1, for nothing but that answer.
fn sha1(text: &[u8]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    bytes.push(0x80);
    bytes.resize((bytes.len() + 8).div_ceil(64) * 64 - 8, 0);
    bytes.extend_from_slice(&(text.len() as u64 * 8).to_be_bytes());
    let mut state: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    for block in bytes.chunks(64) {
        let mut words: Vec<u32> = block
            .chunks(4)
            .map(|word| u32::from_be_bytes(word.try_into().expect("four bytes")))
            .collect();
        for at in 16..80 {
            let mixed = words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16];
            words.push(mixed.rotate_left(1));
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (at, word) in words.iter().enumerate() {
            let (mix, constant) = match at / 20 {
                0 => ((b & c) | (!b & d), 0x5a82_7999),
                1 => (b ^ c ^ d, 0x6ed9_eba1),
                2 => ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6_u32),
            };
            let next = a.rotate_left(5).wrapping_add(mix).wrapping_add(e);
            let next = next.wrapping_add(constant).wrapping_add(*word);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
        }
        for (part, new) in state.iter_mut().zip([a, b, c, d, e]) {
            *part = part.wrapping_add(new);
        }
    }
    state.iter().flat_map(|part| part.to_be_bytes()).collect()
}
