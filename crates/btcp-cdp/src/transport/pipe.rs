//! The pipe of `--remote-debugging-pipe`: JSON messages, each ended by a NUL.

use std::{io, os::fd::OwnedFd};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::unix::pipe::{Receiver, Sender},
};

use super::{MessageSink, MessageSource, Transport};

/// How much is read at a time: what Linux holds in a pipe unless told otherwise.
const READ: usize = 64 * 1024;

/// From this size on a message takes the buffer along instead of being copied out of it.
const LARGE: usize = 256 * 1024;

/// More than any reply we ask for; a stream without NULs must not eat all memory.
const LARGEST: usize = 1 << 30;

/// A pair of pipes to Chrome's file descriptors 3 and 4.
#[derive(Debug)]
pub struct PipeTransport {
    source: PipeSource,
    sink: PipeSink,
}

impl PipeTransport {
    /// Takes our ends: the one Chrome's words are read from, and the one ours are written to.
    /// Makes both non-blocking. Needs a tokio runtime with I/O.
    pub fn new(read: OwnedFd, write: OwnedFd) -> io::Result<Self> {
        Ok(Self::from_pipes(Receiver::from_owned_fd(read)?, Sender::from_owned_fd(write)?))
    }

    /// Takes pipes that tokio knows already.
    pub fn from_pipes(read: Receiver, write: Sender) -> Self {
        let source = PipeSource { pipe: read, buffer: Vec::new(), start: 0, scanned: 0 };
        Self { source, sink: PipeSink { pipe: write, buffer: Vec::new() } }
    }
}

impl Transport for PipeTransport {
    type Source = PipeSource;
    type Sink = PipeSink;

    fn split(self) -> (PipeSource, PipeSink) {
        (self.source, self.sink)
    }
}

/// The half that reads.
#[derive(Debug)]
pub struct PipeSource {
    pipe: Receiver,
    buffer: Vec<u8>,
    /// Where the next message starts.
    start: usize,
    /// Up to where there is no NUL.
    scanned: usize,
}

impl PipeSource {
    /// The next message, if all of it was read.
    fn message(&mut self) -> Option<Vec<u8>> {
        let Some(length) = memchr::memchr(0, &self.buffer[self.scanned..]) else {
            self.scanned = self.buffer.len();
            return None;
        };
        let end = self.scanned + length;
        let (start, next) = (self.start, end + 1);
        (self.start, self.scanned) = (next, next);
        if start > 0 || end < LARGE {
            return Some(self.buffer[start..end].to_vec());
        }
        // The usual buffer is small again afterwards.
        let rest = self.buffer.split_off(next);
        let mut message = std::mem::replace(&mut self.buffer, rest);
        message.truncate(end);
        (self.start, self.scanned) = (0, 0);
        Some(message)
    }

    /// Moves an unfinished message to the front and makes room behind it.
    fn make_room(&mut self) {
        self.buffer.drain(..self.start);
        self.scanned -= self.start;
        self.start = 0;
        // A picture or a long snapshot passes through once; the room it took is given back.
        if self.buffer.is_empty() {
            self.buffer.shrink_to(2 * READ);
        }
        self.buffer.reserve(READ);
    }
}

impl MessageSource for PipeSource {
    async fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            if let Some(message) = self.message() {
                return Ok(Some(message));
            }
            self.make_room();
            if self.buffer.len() > LARGEST {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a message has no end"));
            }
            if self.pipe.read_buf(&mut self.buffer).await? == 0 {
                return Ok(None);
            }
        }
    }
}

/// The half that writes.
#[derive(Debug)]
pub struct PipeSink {
    pipe: Sender,
    buffer: Vec<u8>,
}

impl MessageSink for PipeSink {
    async fn send(&mut self, batch: &[Vec<u8>]) -> io::Result<()> {
        self.buffer.clear();
        self.buffer.shrink_to(READ);
        for message in batch {
            self.buffer.extend_from_slice(message);
            self.buffer.push(0);
        }
        self.pipe.write_all(&self.buffer).await
    }
}
