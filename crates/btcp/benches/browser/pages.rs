//! The pages of the benchmark, the same bytes in every run, and the loopback server that has them.
//!
//! Each page has a button `#go` that changes a counter, one `#quiet` that changes nothing, a link
//! `#away` and a field `#field`; they differ in how much there is beside them.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;

use anyhow::{Context as _, Result};

const WORDS: [&str; 16] = [
    "amber", "basin", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "juniper",
    "kelp", "lagoon", "meadow", "nectar", "orchid", "pebble",
];

const STYLE: &str = "body{font:15px/1.5 sans-serif;margin:16px}\
    .grid{display:grid;grid-template-columns:repeat(4,1fr);gap:12px}\
    .card{border:1px solid #bbb;padding:8px}td{border:1px solid #ddd;padding:2px 8px}";

const SCRIPT: &str = "var clicks = 0, seen = 0;\
    function increase() { clicks++; document.getElementById('count').textContent = clicks }\
    function nothing() { seen++ }";

/// A page: its name, which is its path too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    Small,
    Article,
    Shop,
    Table,
    Nodes1k,
    Nodes5k,
    Nodes20k,
    Nodes60k,
}

impl Page {
    pub(crate) const ALL: [Self; 8] = [
        Self::Small,
        Self::Article,
        Self::Shop,
        Self::Table,
        Self::Nodes1k,
        Self::Nodes5k,
        Self::Nodes20k,
        Self::Nodes60k,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Article => "article",
            Self::Shop => "shop",
            Self::Table => "table",
            Self::Nodes1k => "1k nodes",
            Self::Nodes5k => "5k nodes",
            Self::Nodes20k => "20k nodes",
            Self::Nodes60k => "60k nodes",
        }
    }

    /// Its path: a name without spaces.
    pub(crate) fn path(self) -> String {
        self.name().replace(' ', "-")
    }

    /// Whether it is there for its snapshot only.
    pub(crate) fn is_only_read(self) -> bool {
        !matches!(self, Self::Small | Self::Article | Self::Shop)
    }

    /// The largest take seconds each, and show the same after a few times.
    pub(crate) fn rounds(self, asked: usize) -> usize {
        match self {
            Self::Table | Self::Nodes20k => asked.min(5),
            Self::Nodes60k => asked.min(2),
            _ => asked,
        }
    }

    fn html(self) -> String {
        let name = self.name();
        let mut html = format!(
            "<!doctype html><html lang=en><meta charset=utf-8><title>{name}</title>\
             <style>{STYLE}</style><script>{SCRIPT}</script>\
             <header><nav><a href='#top'>Top</a> <a id=away href='/small?away'>Away</a></nav></header>\
             <main><h1>The {name} page</h1><form onsubmit='return false'>\
             <label for=field>Your name</label> <input id=field>\
             <label><input type=checkbox> Remember me</label>\
             <button id=go type=button onclick='increase()'>Count</button>\
             <button id=quiet type=button onclick='nothing()'>Nothing</button>\
             </form><p>Counted: <output id=count>0</output></p>"
        );
        match self {
            Self::Small => html.push_str("<p>A short page with a form.</p>"),
            Self::Article => article(&mut html),
            Self::Shop => shop(&mut html),
            Self::Table => table(&mut html),
            Self::Nodes1k => sections(&mut html, 1_000),
            Self::Nodes5k => sections(&mut html, 5_000),
            Self::Nodes20k => sections(&mut html, 20_000),
            Self::Nodes60k => sections(&mut html, 60_000),
        }
        html.push_str("</main></html>");
        html
    }
}

/// Words that follow from where they stand, so that every run has the same.
fn words(seed: usize, count: usize) -> String {
    let word = |n: usize| WORDS[(seed * 7 + n * n * 5 + n * 3) % WORDS.len()];
    (0..count).map(word).collect::<Vec<_>>().join(" ")
}

fn article(html: &mut String) {
    for section in 0..12 {
        let _ = write!(html, "<h2>{}</h2>", words(section, 4));
        for paragraph in 0..5 {
            let seed = section * 5 + paragraph;
            let (text, link, rest) = (words(seed, 45), words(seed + 1, 3), words(seed + 2, 40));
            let _ = write!(html, "<p>{text} <a href='#p{seed}'>{link} {seed}</a> {rest}.</p>");
        }
        let _ = write!(
            html,
            "<img src='/img/{section}' alt='{}' width=64 height=64>",
            words(section, 2)
        );
    }
}

fn shop(html: &mut String) {
    html.push_str("<div class=grid>");
    for item in 0..400 {
        let (picture, title, text) = (item % 24, words(item, 3), words(item + 3, 9));
        let _ = write!(
            html,
            "<div class=card><img src='/img/{picture}' alt='Picture {item}' width=64 height=64>\
             <h3><a href='#i{item}'>{title} {item}</a></h3><p>{text}</p><span>{}.95</span>\
             <button type=button onclick='increase()'>Add {item}</button>\
             <button type=button aria-label='Keep {item}' onclick='nothing()'>+</button></div>",
            5 + item * 13 % 400
        );
    }
    html.push_str("</div>");
}

/// Five thousand rows with three controls each.
fn table(html: &mut String) {
    html.push_str("<table><tbody>");
    for row in 0..5000 {
        let _ = write!(
            html,
            "<tr><td>{row}<td>{}<td><input aria-label='Amount {row}' value={}>\
             <td><button type=button onclick='increase()'>Edit {row}</button>\
             <td><a href='#r{row}'>Open {row}</a>",
            words(row, 2),
            row * 37 % 1000
        );
    }
    html.push_str("</tbody></table>");
}

/// About so many elements: sections with a heading, a few words, a list and two controls.
fn sections(html: &mut String, elements: usize) {
    for n in 0..elements / 13 {
        let (title, text) = (words(n, 3), words(n + 1, 8));
        let _ = write!(
            html,
            "<section><h3>{title}</h3><div><p>{text}</p><span>{n}</span><span>{}</span>\
             <ul><li>{}</li><li>{}</li><li>{}</li></ul></div>\
             <p><a href='#s{n}'>Open {n}</a><button type=button>Act {n}</button></p></section>",
            words(n, 1),
            words(n + 2, 3),
            words(n + 3, 3),
            words(n + 4, 2),
        );
    }
}

/// Serves the pages until the process ends; gives the origin.
pub(crate) fn serve() -> Result<String> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).context("No loopback port for the pages")?;
    let origin = format!("http://{}", listener.local_addr()?);
    let pages: &'static [(String, String)] =
        Page::ALL.map(|page| (format!("/{}", page.path()), page.html())).to_vec().leak();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // Chrome closes connections as it likes; that is no failure.
            thread::spawn(move || drop(answer(stream, pages)));
        }
    });
    Ok(origin)
}

fn answer(stream: TcpStream, pages: &[(String, String)]) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut writing = stream.try_clone()?;
    let mut reading = BufReader::new(stream);
    let mut line = String::new();
    loop {
        line.clear();
        if reading.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let target = line.split(' ').nth(1).unwrap_or("/").to_owned();
        while line.trim_end() != "" {
            line.clear();
            if reading.read_line(&mut line)? == 0 {
                return Ok(());
            }
        }
        let path = target.split('?').next().unwrap_or("/");
        if path == "/big" {
            return big(&mut writing);
        }
        let page = pages.iter().find(|(name, _)| name == path);
        let (status, kind, body) = match page {
            Some((_, html)) => ("200 OK", "text/html; charset=utf-8", html.clone()),
            None if path.starts_with("/img/") => ("200 OK", "image/svg+xml", picture(path)),
            None => ("404 Not Found", "text/plain", String::new()),
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\r\n",
            body.len()
        );
        writing.write_all(&[head.as_bytes(), body.as_bytes()].concat())?;
    }
}

/// Bytes of `/big`.
pub(crate) const BIG: usize = 1 << 30;

fn big(writing: &mut TcpStream) -> std::io::Result<()> {
    write!(writing, "HTTP/1.1 200 OK\r\nContent-Length: {BIG}\r\nCache-Control: no-store\r\n\r\n")?;
    let piece = vec![7; 1 << 20];
    (0..BIG / piece.len()).try_for_each(|_| writing.write_all(&piece))
}

fn picture(path: &str) -> String {
    let hue = path.len() * 47 + path.bytes().map(usize::from).sum::<usize>() * 11 % 360;
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='64' height='64'>\
         <rect width='64' height='64' fill='hsl({hue} 60% 60%)'/></svg>"
    )
}
