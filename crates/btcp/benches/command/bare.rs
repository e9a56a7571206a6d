//! The least a command can be: connects to the socket it is given, writes a line if it has one,
//! and reads lines until one begins as it is told. Built statically by the benchmark.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;

fn main() {
    let mut words = std::env::args().skip(1);
    let path = words.next().unwrap_or_default();
    let until = words.next().unwrap_or_default();
    let Ok(mut stream) = UnixStream::connect(path) else { std::process::exit(1) };
    if let Some(request) = words.next() {
        if writeln!(stream, "{request}").is_err() {
            std::process::exit(1);
        }
    }
    let mut line = String::new();
    let mut reading = BufReader::new(stream);
    loop {
        line.clear();
        if !matches!(reading.read_line(&mut line), Ok(1..)) {
            std::process::exit(1);
        }
        if line.starts_with(&until) {
            return;
        }
    }
}
