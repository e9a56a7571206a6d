//! A mirror of Chrome for Testing on this machine: an index and one archive, served well or badly.

use std::io::{BufRead as _, BufReader, Cursor, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The version it has.
pub(crate) const VERSION: &str = "131.0.6778.85";

/// How the archive is served.
#[derive(Debug, Clone)]
pub(crate) struct Manners {
    pub(crate) archive: Vec<u8>,
    pub(crate) etag: &'static str,
    /// The connection breaks after so many bytes, this often.
    pub(crate) breaks: (usize, u32),
    /// The rest never comes after so many bytes.
    pub(crate) stalls: Option<usize>,
    pub(crate) knows_ranges: bool,
    /// Further headers of the archive.
    pub(crate) headers: String,
    /// What the index says.
    pub(crate) sha256: Option<String>,
    /// The version in the index.
    pub(crate) version: String,
}

impl Default for Manners {
    fn default() -> Self {
        Self {
            archive: archive(&[]),
            etag: "\"one\"",
            breaks: (0, 0),
            stalls: None,
            knows_ranges: true,
            headers: String::new(),
            sha256: None,
            version: VERSION.to_owned(),
        }
    }
}

/// The mirror; it answers for as long as the tests run.
pub(crate) struct Mirror {
    pub(crate) url: String,
    pub(crate) manners: Arc<Mutex<Manners>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Mirror {
    pub(crate) fn new(manners: Manners) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/mirror/index.json", listener.local_addr().unwrap());
        let manners = Arc::new(Mutex::new(manners));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (how, heard) = (manners.clone(), asked.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (how, heard) = (how.clone(), heard.clone());
                // Whoever asks may be killed meanwhile.
                std::thread::spawn(move || answer(stream, &how, &heard));
            }
        });
        Self { url, manners, asked }
    }

    /// What was asked of the archive: the range and the condition of each request, or `whole`.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn answer(mut stream: TcpStream, how: &Mutex<Manners>, heard: &Mutex<Vec<String>>) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines().map_while(Result::ok);
    let first = lines.next()?;
    let headers: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let header = |name: &str| {
        let named = |line: &&String| line.to_ascii_lowercase().starts_with(&format!("{name}: "));
        headers.iter().find(named).map(|line| line[name.len() + 2..].to_owned())
    };
    let mut manners = how.lock().unwrap();
    if first.contains("/mirror/index.json") {
        let body = index(&manners).to_string();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
        return stream.write_all(format!("{head}{body}").as_bytes()).ok();
    }
    if !first.contains("/mirror/chrome.zip") {
        return stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n").ok();
    }
    let (range, condition) = (header("range"), header("if-range"));
    let told = range.clone().map_or("whole".into(), |range| format!("{range} {condition:?}"));
    heard.lock().unwrap().push(told);
    let from = range.and_then(|range| range[6..].trim_end_matches('-').parse::<usize>().ok());
    let same = condition.is_some_and(|condition| condition == manners.etag);
    let from = from.filter(|_| same && manners.knows_ranges).unwrap_or(0);
    let all = manners.archive.len();
    let status = match from {
        0 => "200 OK".to_owned(),
        _ => format!("206 Partial Content\r\nContent-Range: bytes {from}-{}/{all}", all - 1),
    };
    let (etag, more) = (manners.etag, &manners.headers);
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nETag: {etag}\r\n{more}\r\n",
        all - from
    );
    let mut body = manners.archive[from..].to_vec();
    let (after, times) = manners.breaks;
    if times > 0 {
        manners.breaks.1 -= 1;
        body.truncate(after);
    }
    let stalls = manners.stalls;
    drop(manners);
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&body[..stalls.unwrap_or(body.len()).min(body.len())]).ok()?;
    if stalls.is_some() {
        // Until the other side is gone.
        stream.set_read_timeout(Some(Duration::from_secs(300))).ok()?;
        let _ = std::io::copy(&mut stream, &mut std::io::sink());
    }
    stream.shutdown(Shutdown::Both).ok()
}

fn index(manners: &Manners) -> Value {
    let file = |platform: &str| {
        let mut file = json!({ "platform": platform, "url": "chrome.zip" });
        if let Some(sha256) = &manners.sha256 {
            file["sha256"] = json!(sha256);
        }
        file
    };
    let files: Vec<Value> =
        ["linux64", "linux-arm64", "mac-arm64", "mac-x64"].map(file).into_iter().collect();
    let stable = json!({ "version": manners.version, "downloads": { "chrome": files } });
    json!({ "channels": { "Stable": stable } })
}

/// An archive with a program that knows its version, a megabyte beside it, and further files.
pub(crate) fn archive(further: &[&str]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let script = format!("#!/bin/sh\necho Google Chrome for Testing {VERSION}\n");
    for platform in ["linux64", "linux-arm64"] {
        let name = format!("chrome-{platform}/chrome");
        zip.start_file(name, options.unix_permissions(0o755)).unwrap();
        zip.write_all(script.as_bytes()).unwrap();
    }
    zip.start_file("chrome-linux64/resources.pak", options).unwrap();
    let noise: Vec<u8> =
        (0..1_u32 << 20).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    zip.write_all(&noise).unwrap();
    for name in further {
        zip.start_file(*name, options).unwrap();
        zip.write_all(b"more").unwrap();
    }
    zip.finish().unwrap().into_inner()
}
