//! Our standard input and output, read and written as events tell.
//!
//! tokio's own go through a thread each, which costs every call two hand-overs. Pipes and sockets,
//! which is what clients give us, can do without; a file or a terminal goes the long way.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::net;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{UnixStream, unix::pipe};

pub(crate) type Input = Box<dyn AsyncRead + Send + Unpin>;
pub(crate) type Output = Box<dyn AsyncWrite + Send + Unpin>;

/// What a descriptor leads to.
#[derive(PartialEq, Eq)]
enum Kind {
    Pipe,
    Socket,
    Other,
}

pub(crate) fn input() -> Input {
    open_input(io::stdin().as_fd()).unwrap_or_else(|_| Box::new(tokio::io::stdin()))
}

/// Whoever shares the descriptor would no longer wait either; so not where errors go there too.
pub(crate) fn output() -> Output {
    let (stdout, stderr) = (io::stdout(), io::stderr());
    let opened = match is_same(stdout.as_fd(), stderr.as_fd()) {
        Ok(false) => open_output(stdout.as_fd()),
        _ => Err(io::ErrorKind::Unsupported.into()),
    };
    opened.unwrap_or_else(|_| Box::new(tokio::io::stdout()))
}

fn open_input(fd: BorrowedFd<'_>) -> io::Result<Input> {
    let (kind, fd) = own(fd)?;
    match kind {
        Kind::Pipe => Ok(Box::new(pipe::Receiver::from_owned_fd(fd)?)),
        Kind::Socket => Ok(Box::new(socket(fd)?)),
        Kind::Other => Err(io::ErrorKind::Unsupported.into()),
    }
}

fn open_output(fd: BorrowedFd<'_>) -> io::Result<Output> {
    let (kind, fd) = own(fd)?;
    match kind {
        Kind::Pipe => Ok(Box::new(pipe::Sender::from_owned_fd(fd)?)),
        Kind::Socket => Ok(Box::new(socket(fd)?)),
        Kind::Other => Err(io::ErrorKind::Unsupported.into()),
    }
}

fn socket(fd: OwnedFd) -> io::Result<UnixStream> {
    let stream = net::UnixStream::from(fd);
    // Fails for sockets of another family, which then go the long way.
    stream.local_addr()?;
    stream.set_nonblocking(true)?;
    UnixStream::from_std(stream)
}

/// A descriptor of our own for the same thing, and what it is.
fn own(fd: BorrowedFd<'_>) -> io::Result<(Kind, OwnedFd)> {
    let file = File::from(fd.try_clone_to_owned()?);
    let kind = file.metadata()?.file_type();
    let kind = match (kind.is_fifo(), kind.is_socket()) {
        (true, _) => Kind::Pipe,
        (_, true) => Kind::Socket,
        _ => Kind::Other,
    };
    Ok((kind, file.into()))
}

fn is_same(one: BorrowedFd<'_>, other: BorrowedFd<'_>) -> io::Result<bool> {
    let of = |fd: BorrowedFd<'_>| -> io::Result<(u64, u64)> {
        let metadata = File::from(fd.try_clone_to_owned()?).metadata()?;
        Ok((metadata.dev(), metadata.ino()))
    };
    Ok(of(one)? == of(other)?)
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    /// Clients in Node give sockets, all others pipes.
    #[tokio::test]
    async fn pipes_and_sockets_are_read_and_written_without_a_thread() {
        let (here, there) = net::UnixStream::pair().unwrap();
        let (reader, writer) = io::pipe().unwrap();
        for (from, to) in [
            (OwnedFd::from(here), OwnedFd::from(there)),
            (OwnedFd::from(reader), OwnedFd::from(writer)),
        ] {
            let (mut input, mut output) =
                (open_input(from.as_fd()).unwrap(), open_output(to.as_fd()).unwrap());
            // More than any buffer: both have to wait for each other.
            let sent = vec![7; 1 << 20];
            let mut heard = vec![0; 1 << 20];
            let (wrote, read) = tokio::join!(output.write_all(&sent), input.read_exact(&mut heard));
            wrote.unwrap();
            read.unwrap();
            assert!(heard == sent);
        }
    }

    #[test]
    fn a_file_goes_the_long_way() {
        let file = File::open("/dev/null").unwrap();
        assert!(open_input(file.as_fd()).is_err() && open_output(file.as_fd()).is_err());
        assert!(is_same(file.as_fd(), file.as_fd()).unwrap());
    }
}
