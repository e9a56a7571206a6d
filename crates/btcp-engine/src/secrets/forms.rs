//! The forms in which a page may give a secret back.

use base64::engine::general_purpose::{STANDARD, URL_SAFE};

use crate::text::quoted;

/// Forms with fewer characters would be found by chance.
const SHORTEST: usize = 4;

/// How often it may have been escaped.
const DEEPEST: usize = 5;

/// As it is, and as JSON, HTML, addresses, base64 and hexadecimal digits write it; the longest
/// first, so that what is part of another form is not taken out of it.
pub(super) fn of(value: &str) -> Vec<String> {
    let mut forms = vec![value.to_owned(), value.trim().to_owned(), folded(value)];
    for plain in forms.clone() {
        forms.extend([json(&plain, true), slashed(&plain)]);
        forms.push(inner(&quoted(&plain)));
    }
    for apostrophe in ["'", "&#39;", "&#x27;", "&apos;"] {
        for quote in ["\"", "&quot;", "&#34;"] {
            forms.push(html(value, apostrophe, quote));
        }
    }
    for kept in [COMPONENT, ADDRESS, FORM, ""] {
        let upper = percent(value, kept);
        forms.push(lower_hex(&upper));
        if kept == FORM {
            forms.push(upper.replace("%20", "+"));
            forms.push(lower_hex(&upper).replace("%20", "+"));
        }
        forms.push(upper);
    }
    for encoded in [FRAGMENT, QUERY, PATH] {
        let upper = percent(value, &PRINTED.replace(|c| encoded.contains(c), ""));
        forms.push(lower_hex(&upper));
        forms.push(upper);
    }
    let every: String = value.bytes().map(|byte| format!("%{byte:02X}")).collect();
    forms.push(lower_hex(&every));
    forms.push(every);
    for before in 0..3 {
        forms.push(base64_after(before, value, &STANDARD));
        forms.push(base64_after(before, value, &URL_SAFE));
    }
    let hex: String = value.bytes().map(|byte| format!("{byte:02x}")).collect();
    forms.push(hex.to_uppercase());
    forms.push(hex);
    // Chrome percent-encodes base64 in addresses.
    for form in forms.clone() {
        if form.contains(['+', '/']) {
            forms.push(form.replace('+', "%2B").replace('/', "%2F"));
            forms.push(form.replace('+', "%2b").replace('/', "%2f"));
        }
    }
    // JSON in JSON, quoted: each time what has to be escaped is escaped again.
    let mut escaped: Vec<String> = forms.clone();
    for _ in 0..DEEPEST {
        escaped.retain(|form| form.contains(['"', '\\']) || form.contains(char::is_control));
        escaped = escaped.iter().map(|form| json(form, false)).collect();
        forms.extend(escaped.iter().cloned());
    }
    forms.retain(|form| form.chars().count() >= SHORTEST);
    forms.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    forms.dedup();
    forms
}

/// What addresses keep, besides letters and digits: `encodeURIComponent`, `encodeURI`, forms.
const COMPONENT: &str = "-_.!~*'()";
const ADDRESS: &str = "-_.!~*'();/?:@&=+$,#";
const FORM: &str = "-_.*";

/// What the browser itself encodes when a page puts text into a part of an address.
const FRAGMENT: &str = " \"<>`";
const QUERY: &str = " \"#<>'";
const PATH: &str = " \"#<>?`{}^";
const PRINTED: &str = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

fn percent(value: &str, kept: &str) -> String {
    let mut out = String::new();
    for byte in value.bytes() {
        let c = char::from(byte);
        if byte.is_ascii_alphanumeric() || (byte.is_ascii() && kept.contains(c)) {
            out.push(c);
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

fn lower_hex(encoded: &str) -> String {
    let mut out = String::with_capacity(encoded.len());
    let mut digits = 0;
    for c in encoded.chars() {
        match c {
            '%' => digits = 2,
            _ if digits > 0 => {
                digits -= 1;
                out.push(c.to_ascii_lowercase());
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    out
}

/// The digits that are the value's alone when so many bytes stand before it.
fn base64_after(before: usize, value: &str, engine: &impl base64::Engine) -> String {
    let mut bytes = vec![0; before];
    bytes.extend_from_slice(value.as_bytes());
    let end = bytes.len() * 8 / 6;
    bytes.extend([0; 3]);
    let encoded = engine.encode(&bytes);
    let start = (before * 8).div_ceil(6);
    encoded.get(start..end).unwrap_or_default().to_owned()
}

fn json(value: &str, ascii: bool) -> String {
    let whole = serde_json::Value::String(value.to_owned()).to_string();
    let plain = inner(&whole);
    if !ascii {
        return plain;
    }
    let mut out = String::new();
    for c in plain.chars() {
        if c.is_ascii() {
            out.push(c);
            continue;
        }
        let mut units = [0; 2];
        for unit in c.encode_utf16(&mut units) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    }
    out
}

/// As some write JSON into HTML.
fn slashed(value: &str) -> String {
    json(value, false).replace('/', "\\/")
}

fn html(value: &str, apostrophe: &str, quote: &str) -> String {
    value
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('\'', apostrophe)
        .replace('"', quote)
}

fn folded(value: &str) -> String {
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Without the quotes around it.
fn inner(quoted: &str) -> String {
    let without = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    without.unwrap_or(quoted).to_owned()
}
