//! Lines of bytes in and out.
//!
//! Reading can be given up and resumed at any point without losing a byte, because
//! rmcp drops the read whenever something else is ready. A line has a longest length,
//! so that a client which never ends one cannot fill our memory.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;

/// The longest line we take; a set of long arguments is far below it.
pub(crate) const LONGEST: usize = 16 * 1024 * 1024;

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line, without its end.
    Whole(Vec<u8>),
    /// One longer than `LONGEST`, thrown away.
    TooLong,
    /// The end of the input.
    End,
}

/// Lines of a stream.
pub(crate) struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    skipping: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { reader: BufReader::new(reader), line: Vec::new(), skipping: false }
    }

    /// The next line. May be dropped at any time; the next call goes on where it stopped.
    pub(crate) async fn next(&mut self) -> io::Result<Line> {
        loop {
            let bytes = self.reader.fill_buf().await?;
            if bytes.is_empty() {
                return Ok(self.at_end());
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(bytes.len(), |end| end + 1);
            if !self.skipping {
                self.line.extend_from_slice(&bytes[..end.unwrap_or(taken)]);
            }
            self.reader.consume(taken);
            if self.line.len() > LONGEST {
                self.skipping = true;
                self.line = Vec::new();
            }
            if end.is_some() {
                if std::mem::take(&mut self.skipping) {
                    return Ok(Line::TooLong);
                }
                return Ok(Line::Whole(std::mem::take(&mut self.line)));
            }
        }
    }

    /// A last line without an end is a line too: `printf '{…}' | btcp mcp`.
    fn at_end(&mut self) -> Line {
        match (std::mem::take(&mut self.skipping), std::mem::take(&mut self.line)) {
            (true, _) => Line::TooLong,
            (false, line) if line.is_empty() => Line::End,
            (false, line) => Line::Whole(line),
        }
    }
}

/// Writes what the queue holds, in order, until every sender is gone.
pub(crate) async fn write<W: AsyncWrite + Unpin>(
    mut writer: W,
    mut queue: mpsc::Receiver<Vec<u8>>,
) -> io::Result<()> {
    while let Some(line) = queue.recv().await {
        writer.write_all(&line).await?;
        if queue.is_empty() {
            writer.flush().await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(bytes: &[u8]) -> Vec<Line> {
        let mut lines = Lines::new(bytes);
        let mut read = Vec::new();
        loop {
            match lines.next().await.unwrap() {
                Line::End => return read,
                line => read.push(line),
            }
        }
    }

    fn whole(line: &str) -> Line {
        Line::Whole(line.into())
    }

    #[tokio::test]
    async fn the_last_line_needs_no_end() {
        assert_eq!(read(b"a\n\nb").await, [whole("a"), whole(""), whole("b")]);
        assert_eq!(read(b"").await, []);
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_skipped_and_the_next_one_read() {
        let mut bytes = vec![b'x'; LONGEST + 1];
        bytes.extend(b"\nnext\n");
        assert_eq!(read(&bytes).await, [Line::TooLong, whole("next")]);
    }

    #[tokio::test]
    async fn giving_up_half_way_loses_nothing() {
        let (mut client, server) = tokio::io::duplex(64);
        let mut lines = Lines::new(server);
        client.write_all(b"hal").await.unwrap();
        let given_up = tokio::time::timeout(std::time::Duration::ZERO, lines.next()).await;
        assert!(given_up.is_err());

        client.write_all(b"f\n").await.unwrap();
        assert_eq!(lines.next().await.unwrap(), whole("half"));
    }
}
