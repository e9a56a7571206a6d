//! What a source says a file's checksum is, and what it is.
//!
//! `sha256` comes from the index of a mirror; Google's store gives `md5` and `crc32c` with the file.
//! The latter two find what went wrong on the way; who sent it is what TLS is for.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read},
    path::Path,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use md5::Md5;
use sha2::{Digest as _, Sha256};
use ureq::http::HeaderMap;

/// Checksums by the names of their kinds, in hexadecimal digits.
pub(super) type Checksums = BTreeMap<String, String>;

/// Those that come with a file: `x-goog-hash` of Google's store, `Content-MD5` of others.
pub(super) fn told(headers: &HeaderMap) -> Checksums {
    let google = headers.get_all("x-goog-hash");
    let google = google.iter().filter_map(|value| value.to_str().ok());
    let google = google.flat_map(|value| value.split(','));
    let google = google.filter_map(|one| one.trim().split_once('='));
    let md5 = headers.get("content-md5").and_then(|value| value.to_str().ok());
    let all = google.chain(md5.map(|value| ("md5", value)));
    all.filter_map(|(kind, value)| {
        let bytes = BASE64_STANDARD.decode(value.trim()).ok()?;
        let fits = matches!((kind, bytes.len()), ("md5", 16) | ("crc32c", 4));
        fits.then(|| (kind.to_owned(), hex(&bytes)))
    })
    .collect()
}

/// Compares a file with what was told; the kind that differs, if one does.
pub(super) fn differs(path: &Path, told: &Checksums) -> io::Result<Option<String>> {
    let (mut sha256, mut md5, mut crc32c) = (Sha256::new(), Md5::new(), Crc32c::new());
    let mut file = File::open(path)?;
    let mut bytes = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut bytes)?;
        if read == 0 {
            break;
        }
        let bytes = &bytes[..read];
        for kind in told.keys() {
            match kind.as_str() {
                "sha256" => sha256.update(bytes),
                "md5" => md5.update(bytes),
                "crc32c" => crc32c.update(bytes),
                _ => {}
            }
        }
    }
    let is = [
        ("sha256", hex(&sha256.finalize())),
        ("md5", hex(&md5.finalize())),
        ("crc32c", hex(&crc32c.value().to_be_bytes())),
    ];
    let is_other = |(kind, is): &&(&str, String)| told.get(*kind).is_some_and(|told| told != is);
    Ok(is.iter().find(is_other).map(|(kind, _)| (*kind).to_owned()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The cyclic redundancy check with Castagnoli's polynomial.
struct Crc32c(u32);

const TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let mut value = at as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 { (value >> 1) ^ 0x82f6_3b78 } else { value >> 1 };
            bit += 1;
        }
        table[at] = value;
        at += 1;
    }
    table
}

impl Crc32c {
    fn new() -> Self {
        Self(!0)
    }

    fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let at = (self.0 as u8 ^ byte) as usize;
            self.0 = TABLE[at] ^ (self.0 >> 8);
        }
    }

    fn value(&self) -> u32 {
        !self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_computed_as_everybody_does() {
        let path = std::env::temp_dir().join(format!("btcp-sum-{}", std::process::id()));
        std::fs::write(&path, "123456789").unwrap();
        let of = |kind: &str, sum: &str| {
            differs(&path, &Checksums::from([(kind.to_owned(), sum.to_owned())])).unwrap()
        };
        let sha256 = "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225";
        assert_eq!(of("sha256", sha256), None);
        assert_eq!(of("md5", "25f9e794323b453885f5181f1b624d0b"), None);
        assert_eq!(of("crc32c", "e3069283"), None);
        assert_eq!(of("crc32c", "e3069284"), Some("crc32c".into()));
        assert_eq!(of("sha256", &sha256.replace('1', "2")), Some("sha256".into()));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn checksums_are_read_from_what_comes_with_a_file() {
        let mut headers = HeaderMap::new();
        headers.append("x-goog-hash", "crc32c=4waSgw==".parse().unwrap());
        headers.append("x-goog-hash", "md5=JfnnlDI7RTiF9RgfG2JNCw==".parse().unwrap());
        let google = told(&headers);
        assert_eq!(google["crc32c"], "e3069283");
        assert_eq!(google["md5"], "25f9e794323b453885f5181f1b624d0b");

        let mut headers = HeaderMap::new();
        headers.append("content-md5", "JfnnlDI7RTiF9RgfG2JNCw==".parse().unwrap());
        headers.append("x-goog-hash", "md5=nonsense,crc32c=AA==".parse().unwrap());
        assert_eq!(told(&headers).into_keys().collect::<Vec<_>>(), ["md5"]);
        assert!(told(&HeaderMap::new()).is_empty());
    }
}
