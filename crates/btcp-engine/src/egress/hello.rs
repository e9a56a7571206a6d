//! The first words of TLS, which are not hidden: whether HTTP is spoken behind them, or may be something
//! else.
//!
//! For a WebSocket Chrome offers HTTP/1.1 only, for everything else HTTP/2 as well, so that the two can be
//! told apart before anything is dialled.

/// The longest hello; Chrome's are below 3 kB.
pub(crate) const LONGEST: usize = 16 * 1024 + 5;

/// Of a handshake record the kind, and of its message.
const HANDSHAKE: u8 = 22;
const CLIENT_HELLO: u8 = 1;

/// The extension that has the names of protocols.
const PROTOCOLS: u16 = 16;

/// Whether all of the hello has come.
pub(crate) fn is_whole(bytes: &[u8]) -> bool {
    let length = |at: usize| {
        bytes.get(at..at + 2).map(|two| usize::from(u16::from_be_bytes([two[0], two[1]])))
    };
    length(3).is_some_and(|length| bytes.len() >= length + 5)
}

/// Whether HTTP/2 is offered. Who says nothing that we understand does not.
pub(crate) fn offers_http2(bytes: &[u8]) -> bool {
    offered(bytes).is_some_and(|names| names.iter().any(|name| name == b"h2"))
}

fn offered(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut record = Reader(bytes);
    if record.byte()? != HANDSHAKE {
        return None;
    }
    record.take(2)?;
    let mut hello = record.sized(2)?;
    if hello.byte()? != CLIENT_HELLO {
        return None;
    }
    let mut hello = hello.sized(3)?;
    // Version and random bytes, then session, ciphers and compressions.
    hello.take(34)?;
    hello.sized(1)?;
    hello.sized(2)?;
    hello.sized(1)?;
    let mut extensions = hello.sized(2)?;
    while let Some(kind) = extensions.number(2) {
        let mut extension = extensions.sized(2)?;
        if kind == usize::from(PROTOCOLS) {
            let mut list = extension.sized(2)?;
            let mut names = Vec::new();
            while let Some(name) = list.sized(1) {
                names.push(name.0.to_vec());
            }
            return Some(names);
        }
    }
    None
}

/// What is left to be read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|byte| byte[0])
    }

    fn number(&mut self, bytes: usize) -> Option<usize> {
        Some(self.take(bytes)?.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)))
    }

    /// What follows its length.
    fn sized(&mut self, bytes: usize) -> Option<Reader<'a>> {
        let length = self.number(bytes)?;
        self.take(length).map(Reader)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A hello with these names of protocols.
    pub(crate) fn hello(names: &[&str]) -> Vec<u8> {
        let sized = |bytes: usize, inner: &[u8]| {
            let length = u32::try_from(inner.len()).expect("it is short").to_be_bytes();
            [&length[4 - bytes..], inner].concat()
        };
        let names: Vec<u8> = names.iter().flat_map(|name| sized(1, name.as_bytes())).collect();
        let other = [&[0, 23][..], &sized(2, &[])].concat();
        let protocols = [&PROTOCOLS.to_be_bytes()[..], &sized(2, &sized(2, &names))].concat();
        let extensions = sized(2, &[other, protocols].concat());
        let start =
            [&[3, 3][..], &[7; 32], &sized(1, &[1; 32]), &sized(2, &[19, 1]), &sized(1, &[0])];
        let message =
            [&[CLIENT_HELLO][..], &sized(3, &[start.concat(), extensions].concat())].concat();
        [&[HANDSHAKE, 3, 1][..], &sized(2, &message)].concat()
    }

    #[test]
    fn what_is_spoken_behind_tls_is_told_by_its_hello() {
        assert!(offers_http2(&hello(&["h2", "http/1.1"])));
        assert!(!offers_http2(&hello(&["http/1.1"])));
        assert!(!offers_http2(&hello(&["http/1.1", "xh2"])));
        let whole = hello(&["h2"]);
        assert!(is_whole(&whole));
        for length in 0..whole.len() {
            assert!(!is_whole(&whole[..length]) && !offers_http2(&whole[..length]), "{length}");
        }
    }
}
