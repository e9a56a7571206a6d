//! The guard from outside, with clients and servers of the test's own and no Chrome: what reaches a
//! server, what does not even connect, and what is told of it.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::dial::{Found, LookUp, Names};
use super::host::Origin;
use super::listener::Guard;
use super::memory::{Memory, Reason};
use super::rules::Egress;
use crate::sessions::lock;

/// A name server of the test's own: each name has a list of answers, the last of which stays. All
/// addresses are routed to this machine, and noted.
#[derive(Default)]
struct Fake(Mutex<HashMap<String, Vec<Vec<IpAddr>>>>, Mutex<Vec<IpAddr>>);

impl LookUp for Fake {
    fn look_up<'a>(&'a self, name: &'a str) -> Found<'a> {
        Box::pin(async move {
            let mut names = lock(&self.0);
            let answers = names.get_mut(name).ok_or(io::ErrorKind::NotFound)?;
            Ok(if answers.len() > 1 { answers.remove(0) } else { answers[0].clone() })
        })
    }

    fn route(&self, address: SocketAddr) -> SocketAddr {
        lock(&self.1).push(address.ip());
        SocketAddr::new([127, 0, 0, 1].into(), address.port())
    }
}

fn ips(list: &[&str]) -> Vec<IpAddr> {
    list.iter().map(|ip| ip.parse().unwrap()).collect()
}

async fn guard() -> Guard {
    guard_with(Egress::default()).await
}

async fn guard_with(rules: Egress) -> Guard {
    guard_that_dials(Arc::default(), rules).await
}

async fn guard_that_dials(fake: Arc<Fake>, rules: Egress) -> Guard {
    let names = [
        ("public.test", vec![ips(&["203.0.113.7"])]),
        ("rebinds.test", vec![ips(&["203.0.113.8"]), ips(&["127.0.0.1"])]),
        ("both.test", vec![ips(&["127.0.0.1", "169.254.169.254"])]),
        ("intranet.test", vec![ips(&["10.1.2.3"])]),
        ("local.evil.test", vec![ips(&["127.0.0.1"])]),
        ("mixed.evil.test", vec![ips(&["10.0.0.5", "127.0.0.1"])]),
    ];
    lock(&fake.0).extend(names.map(|(name, answers)| (name.to_owned(), answers)));
    let rules = Egress { names: Some(Names(fake)), ..rules };
    Guard::open(Arc::new(rules), Arc::<Memory>::default(), None).await.unwrap()
}

/// A server that says what it was sent, once for each empty line, and counts who connects.
async fn echo() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let count = Arc::new(AtomicUsize::new(0));
    let seen = count.clone();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            seen.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(async move {
                let (mut from, mut to) = stream.split();
                tokio::io::copy(&mut from, &mut to).await
            });
        }
    });
    (port, count)
}

/// Asks the guard for a connection.
async fn ask(guard: &Guard, host: &str, port: u16) -> Result<TcpStream, u8> {
    let proxy = guard.proxy().unwrap();
    let mut stream = TcpStream::connect(proxy.strip_prefix("socks5://").unwrap()).await.unwrap();
    let mut message = vec![5, 1, 0, 5, 1, 0, 3, u8::try_from(host.len()).unwrap()];
    message.extend_from_slice(host.as_bytes());
    message.extend_from_slice(&port.to_be_bytes());
    stream.write_all(&message).await.unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.unwrap();
    if answer[3] == 0 { Ok(stream) } else { Err(answer[3]) }
}

/// What comes back for a head; nothing if it was not let through.
async fn sent(stream: &mut TcpStream, head: &str) -> String {
    let head = format!("{head}\r\n\r\n");
    let mut answer = vec![0; head.len()];
    let exchange = async {
        stream.write_all(head.as_bytes()).await?;
        stream.read_exact(&mut answer).await
    };
    match exchange.await {
        Ok(_) => String::from_utf8(answer).unwrap().trim().to_owned(),
        Err(_) => String::new(),
    }
}

fn told(guard: &Guard, url: &str) -> Option<Reason> {
    guard.memory.translate("net::ERR_ADDRESS_UNREACHABLE", url, None).map(|(_, reason)| reason)
}

#[tokio::test]
async fn bytes_pass_both_ways_and_each_way_ends_for_itself() {
    let (guard, (port, _)) = (guard().await, echo().await);
    let mut stream = ask(&guard, "public.test", port).await.unwrap();

    stream.write_all(&[7; 100_000]).await.unwrap();
    stream.shutdown().await.unwrap();
    let mut back = Vec::new();
    stream.read_to_end(&mut back).await.unwrap();

    assert_eq!(back, vec![7; 100_000]);
}

#[tokio::test]
async fn why_nothing_was_connected_is_known_by_chromes_names() {
    let guard = guard().await;
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();

    assert_eq!(ask(&guard, "public.test", closed).await.unwrap_err(), 4);
    assert_eq!(ask(&guard, "nowhere.test", 80).await.unwrap_err(), 4);
    assert_eq!(ask(&guard, "metadata.google.internal", 80).await.unwrap_err(), 4);

    let refused = told(&guard, &format!("http://public.test:{closed}/"));
    assert_eq!(refused, Some(Reason::Failed("net::ERR_CONNECTION_REFUSED")));
    let unknown = told(&guard, "http://nowhere.test/");
    assert_eq!(unknown, Some(Reason::Failed("net::ERR_NAME_NOT_RESOLVED")));
    let metadata = told(&guard, "http://metadata.google.internal/");
    assert!(matches!(metadata, Some(Reason::Refused(_))), "{metadata:?}");
}

#[tokio::test]
async fn a_name_that_turns_local_is_not_followed() {
    let (guard, (port, count)) = (guard().await, echo().await);
    let url = format!("http://rebinds.test:{port}/");
    guard.memory.name(&Origin::of(&url).unwrap());
    let first = ask(&guard, "rebinds.test", port).await;
    assert!(first.is_ok());

    assert_eq!(ask(&guard, "rebinds.test", port).await.unwrap_err(), 4);
    assert_eq!(ask(&guard, "REBINDS.test.", port).await.unwrap_err(), 4);

    let Some(Reason::Refused(why)) = told(&guard, &url) else { panic!("not refused") };
    let sentence = "is denied: its name stood for a public address before";
    assert_eq!(why.to_string(), format!("rebinds.test:{port} {sentence}"));
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

/// What a session knows goes with it into the Chrome that is started after a crash.
#[tokio::test]
async fn a_crash_makes_nobody_forget() {
    let (before, (port, count)) = (guard().await, echo().await);
    drop(ask(&before, "rebinds.test", port).await.unwrap());
    let (rules, memory) = (before.rules().clone(), before.memory.clone());
    drop(before);

    let after = Guard::open(rules, memory, None).await.unwrap();

    assert_eq!(ask(&after, "rebinds.test", port).await.unwrap_err(), 4);
    let mut stream = ask(&after, "localhost", port).await.unwrap();
    assert_eq!(sent(&mut stream, "GET / HTTP/1.1").await, "", "it has been public");
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn our_own_listeners_cannot_be_reached() {
    let (guard, other) = (guard().await, guard().await);
    let port: u16 = other.proxy().unwrap().rsplit_once(':').unwrap().1.parse().unwrap();
    for host in
        ["127.0.0.1", "localhost", "0.0.0.0", "127.9.9.9", "a.localhost", "both.test", "::1"]
    {
        assert_eq!(ask(&guard, host, port).await.unwrap_err(), 4, "{host}");
        let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
        let url = format!("http://{host}:{port}/");
        assert!(guard.name(&url).await.is_err() || host == "both.test", "{url}");
    }
}

#[tokio::test]
async fn before_anything_public_local_pages_reach_this_machine_and_no_other() {
    let (guard, (port, _)) = (guard().await, echo().await);
    let mut stream = ask(&guard, "localhost", port).await.unwrap();
    assert_eq!(sent(&mut stream, "GET /a HTTP/1.1").await, "GET /a HTTP/1.1");
    assert_eq!(ask(&guard, "intranet.test", port).await.unwrap_err(), 4);
    assert_eq!(ask(&guard, "10.9.9.9", port).await.unwrap_err(), 4);

    guard.memory.name(&Origin::of(&format!("http://intranet.test:{port}")).unwrap());
    assert!(ask(&guard, "intranet.test", port).await.is_ok());
    assert_eq!(ask(&guard, "10.9.9.9", port).await.unwrap_err(), 4);
    assert_eq!(ask(&guard, "169.254.169.254", port).await.unwrap_err(), 4);
}

/// A session that has been on the public internet, and the origin its agent named.
async fn been_public() -> (Guard, u16, Arc<AtomicUsize>) {
    let (guard, (port, count)) = (guard().await, echo().await);
    drop(ask(&guard, "public.test", port).await.unwrap());
    while count.swap(0, Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    (guard, port, count)
}

#[tokio::test]
async fn after_that_each_request_must_show_where_it_comes_from() {
    let (guard, port, count) = been_public().await;
    let (other, _) = echo().await;
    let named = format!("http://localhost:{port}");
    guard.memory.name(&Origin::of(&named).unwrap());
    let cross = "Sec-Fetch-Site: cross-site\r\n";
    let top = "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document";
    for (port, lines, passes) in [
        (other, "Sec-Fetch-Site: same-site", true),
        (port, &format!("Sec-Fetch-Site: none\r\n{top}"), true),
        (other, &format!("Sec-Fetch-Site: none\r\n{top}"), false),
        (other, &format!("{cross}Origin: http://127.0.0.1:3000"), true),
        (port, &format!("{cross}{top}"), true),
        (other, &format!("{cross}{top}"), false),
        (port, &format!("{cross}{top}\r\nSec-Purpose: prefetch"), false),
        (port, &format!("{cross}Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe"), false),
        (port, &format!("{cross}Origin: http://public.test"), false),
        (port, &format!("{cross}Origin: null"), false),
        (port, &format!("{cross}Referer: http://localhost:{port}/"), false),
        (port, "Origin: http://public.test\r\nUpgrade: websocket", false),
        (port, &format!("Origin: {named}\r\nUpgrade: websocket"), true),
        (port, "Accept: */*", false),
    ] {
        let head = format!("GET /x HTTP/1.1\r\n{lines}");
        let mut stream = ask(&guard, "localhost", port).await.unwrap();
        let answer = sent(&mut stream, &head).await;
        assert_eq!(answer == head, passes, "{head}");
    }
    let before = count.load(Ordering::SeqCst);
    // A connection in advance, and a name of somebody else's for this machine.
    let idle = ask(&guard, "localhost", port).await.unwrap();
    let mut evil = ask(&guard, "local.evil.test", port).await.unwrap();
    assert_eq!(sent(&mut evil, "GET / HTTP/1.1\r\nHost: local.evil.test").await, "");
    assert_eq!(count.load(Ordering::SeqCst), before, "somebody connected");
    drop(idle);
}

#[tokio::test]
async fn every_request_of_a_connection_is_judged() {
    let (guard, port, _) = been_public().await;
    let mut stream = ask(&guard, "127.0.0.1", port).await.unwrap();
    let own = "GET /a HTTP/1.1\r\nSec-Fetch-Site: same-origin";
    assert_eq!(sent(&mut stream, own).await, own);
    assert_eq!(sent(&mut stream, own).await, own);

    let foreign = "POST /a HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\nOrigin: http://public.test";
    assert_eq!(sent(&mut stream, foreign).await, "");
}

/// One that was opened while only local pages were there.
#[tokio::test]
async fn an_early_connection_is_judged_too() {
    let (guard, (port, _)) = (guard().await, echo().await);
    let mut plain = ask(&guard, "127.0.0.1", port).await.unwrap();
    let mut tls = ask(&guard, "127.0.0.1", port).await.unwrap();
    let get = "GET /a HTTP/1.1";
    assert_eq!(sent(&mut plain, get).await, get);
    assert_eq!(sent(&mut tls, "\u{16}\u{3}\u{1}").await, "\u{16}\u{3}\u{1}");

    drop(ask(&guard, "public.test", port).await.unwrap());

    assert_eq!(sent(&mut plain, get).await, "");
    assert_eq!(tls.read(&mut [0; 8]).await.unwrap_or(0), 0, "nobody can tell who would use it");
}

/// Who may reach one address of a name is not led to another of its addresses.
#[tokio::test]
async fn of_a_name_with_several_addresses_only_those_the_request_may_reach_are_dialled() {
    let fake = Arc::<Fake>::default();
    let (guard, (port, _)) =
        (guard_that_dials(fake.clone(), Egress::default()).await, echo().await);
    drop(ask(&guard, "public.test", port).await.unwrap());
    lock(&fake.1).clear();
    let local = "GET /a HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\nOrigin: http://localhost:3000";

    let mut stream = ask(&guard, "mixed.evil.test", port).await.unwrap();
    assert_eq!(sent(&mut stream, local).await, local);
    assert_eq!(*lock(&fake.1), ips(&["127.0.0.1"]), "a local page was led to a private host");

    // The agent's own navigation reaches the private one first; nobody else comes along.
    lock(&fake.1).clear();
    let going = guard.name(&format!("http://mixed.evil.test:{port}/")).await.unwrap();
    let named = "GET / HTTP/1.1\r\nUpgrade-Insecure-Requests: 1";
    let mut stream = ask(&guard, "mixed.evil.test", port).await.unwrap();
    assert_eq!(sent(&mut stream, named).await, named);
    assert_eq!(*lock(&fake.1), ips(&["10.0.0.5"]));
    drop(going);
    assert_eq!(sent(&mut stream, local).await, "", "on a connection that was there");
}

#[tokio::test]
async fn by_tls_only_named_origins_are_reached() {
    let (guard, port, count) = been_public().await;
    let hello = "\u{16}\u{3}\u{1}";
    let mut stream = ask(&guard, "localhost", port).await.unwrap();
    assert_eq!(sent(&mut stream, hello).await, "");
    guard.memory.name(&Origin::of(&format!("http://localhost:{port}")).unwrap());
    let mut stream = ask(&guard, "localhost", port).await.unwrap();
    assert_eq!(sent(&mut stream, hello).await, "", "another scheme is another origin");
    assert_eq!(count.load(Ordering::SeqCst), 0);

    guard.memory.name(&Origin::of(&format!("https://localhost:{port}")).unwrap());
    let mut stream = ask(&guard, "localhost", port).await.unwrap();
    assert_eq!(sent(&mut stream, hello).await, hello);
}

#[tokio::test]
async fn the_agents_own_navigation_reaches_a_private_host() {
    let (guard, port, _) = been_public().await;
    let url = format!("http://intranet.test:{port}/start");
    let going = guard.name(&url).await.unwrap();
    let navigation = "GET /start HTTP/1.1\r\nUpgrade-Insecure-Requests: 1";
    let other = "GET /other HTTP/1.1\r\nAccept: */*";
    let mut stream = ask(&guard, "intranet.test", port).await.unwrap();
    assert_eq!(sent(&mut stream, navigation).await, navigation);
    assert_eq!(sent(&mut stream, other).await, "");
    let mut stream = ask(&guard, "intranet.test", port).await.unwrap();
    let framed = format!("{navigation}\r\nSec-Fetch-Site: cross-site");
    assert_eq!(sent(&mut stream, &framed).await, "", "a frame of somebody's at that moment");

    drop(going);

    let mut stream = ask(&guard, "intranet.test", port).await.unwrap();
    assert_eq!(sent(&mut stream, navigation).await, "");
    let own = format!("GET /x HTTP/1.1\r\nReferer: {url}");
    let mut stream = ask(&guard, "intranet.test", port).await.unwrap();
    assert_eq!(sent(&mut stream, &own).await, own);
}

#[tokio::test]
async fn five_hundred_connections_at_once() {
    let (guard, (port, count)) = (guard().await, echo().await);
    let asked = (0..500).map(|_| ask(&guard, "public.test", port));
    let mut streams: Vec<_> = futures_util::future::join_all(asked).await;
    assert!(streams.iter().all(Result::is_ok));
    let exchanged = streams.iter_mut().enumerate().map(|(number, stream)| async move {
        let line = format!("number {number}");
        sent(stream.as_mut().unwrap(), &line).await == line
    });
    assert!(futures_util::future::join_all(exchanged).await.into_iter().all(|right| right));
    assert_eq!(count.load(Ordering::SeqCst), 500);
}

/// What this process holds in memory, in bytes.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok()).unwrap_or(0) * 1024
}

/// Nothing is kept for a client that does not read, and a gigabyte passes through a few buffers.
#[tokio::test]
async fn a_slow_reader_slows_the_server_down() {
    const MUCH: usize = 1 << 30;
    const LITTLE: usize = 64 << 20;
    let guard = guard().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let written = Arc::new(AtomicUsize::new(0));
    let counted = written.clone();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let chunk = vec![7; 1 << 16];
        while counted.load(Ordering::SeqCst) < MUCH {
            stream.write_all(&chunk).await.unwrap();
            counted.fetch_add(chunk.len(), Ordering::SeqCst);
        }
    });
    let mut stream = ask(&guard, "public.test", port).await.unwrap();

    let mut before = usize::MAX;
    while before != written.load(Ordering::SeqCst) {
        before = written.load(Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    assert!(before < LITTLE, "{before} bytes are somewhere");

    let (held, mut most, mut came) = (resident(), 0, 0);
    let mut buffer = vec![0; 1 << 20];
    loop {
        let count = stream.read(&mut buffer).await.unwrap();
        if count == 0 {
            break;
        }
        // Looked at now and then: it is a file to be read.
        if came / LITTLE != (came + count) / LITTLE {
            most = most.max(resident());
        }
        came += count;
    }
    assert_eq!(came, MUCH);
    let more = most.saturating_sub(held);
    assert!(more < LITTLE, "{more} bytes more were held on the way");
}

/// A person's proxy that wants a password: it notes what it is asked and is then what was asked for.
async fn proxy(http: bool) -> (u16, Arc<Mutex<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = Arc::new(Mutex::new(String::new()));
    let noted = asked.clone();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut bytes = vec![0; 1024];
        if http {
            let count = stream.read(&mut bytes).await.unwrap();
            *lock(&noted) = String::from_utf8_lossy(&bytes[..count]).into_owned();
            stream
                .write_all(b"HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\n")
                .await
                .unwrap();
        } else {
            // Greeting, password, request; each is answered before the next comes.
            for answer in [&[5, 2][..], &[1, 0], &[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]] {
                let count = stream.read(&mut bytes).await.unwrap();
                lock(&noted).push_str(&format!("{:?}", &bytes[..count]));
                stream.write_all(answer).await.unwrap();
            }
        }
        let (mut from, mut to) = stream.split();
        tokio::io::copy(&mut from, &mut to).await
    });
    (port, asked)
}

#[tokio::test]
async fn a_persons_proxy_is_given_the_judged_address_and_the_password() {
    for (http, scheme, wanted) in [
        (
            true,
            "http",
            "CONNECT 203.0.113.7:443 HTTP/1.1\r\nHost: 203.0.113.7:443\r\nProxy-Authorization: Basic YWRhOnNlY3JldA==\r\n\r\n",
        ),
        (
            false,
            "socks5",
            "[5, 1, 2][1, 3, 97, 100, 97, 6, 115, 101, 99, 114, 101, 116][5, 1, 0, 1, 203, 0, 113, 7, 1, 187]",
        ),
    ] {
        let (port, asked) = proxy(http).await;
        let by = format!("{scheme}://ada:secret@127.0.0.1:{port}").parse().unwrap();
        let guard = guard_with(Egress { proxy: Some(by), ..Egress::default() }).await;

        let mut stream = ask(&guard, "public.test", 443).await.unwrap();

        assert_eq!(sent(&mut stream, "hello").await, "hello");
        assert_eq!(*lock(&asked), wanted);
        // This machine is reached without it.
        let (local, _) = echo().await;
        let mut stream = ask(&guard, "localhost", local).await.unwrap();
        let own = "GET / HTTP/1.1\r\nSec-Fetch-Site: same-origin";
        assert_eq!(sent(&mut stream, own).await, own);
    }
}

/// Chrome has no password for us, so the system is asked who knocks.
#[tokio::test]
async fn strangers_are_not_served() {
    let guard = Guard::open(Arc::default(), Arc::default(), Some(u32::MAX)).await.unwrap();
    let at = guard.proxy().unwrap().strip_prefix("socks5://").unwrap().to_owned();
    let mut stream = TcpStream::connect(at).await.unwrap();
    let (port, count) = echo().await;
    let mut message = vec![5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1];
    message.extend_from_slice(&port.to_be_bytes());
    stream.write_all(&message).await.unwrap();

    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;

    assert_eq!((answer.as_slice(), count.load(Ordering::SeqCst)), (&[5, 0][..], 0));
}

#[tokio::test]
async fn a_guard_that_is_dropped_ends_its_connections() {
    let (guard, (port, _)) = (guard().await, echo().await);
    let mut stream = ask(&guard, "public.test", port).await.unwrap();
    drop(guard);
    assert_eq!(stream.read(&mut [0; 8]).await.unwrap_or(0), 0);
}
