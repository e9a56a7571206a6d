//! The few bytes of SOCKS5 (RFC 1928) that Chrome speaks to us, and a person's proxy with us.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::host::Host;

const VERSION: u8 = 5;
const NO_PASSWORD: u8 = 0;
const PASSWORD: u8 = 2;
const CONNECT: u8 = 1;

/// It is connected.
pub(crate) const CONNECTED: u8 = 0;

/// The one failure Chrome does not blame on its proxy, and so does not try again.
pub(crate) const UNREACHABLE: u8 = 4;

/// Reads where a client wants to go.
pub(crate) async fn accept<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
) -> io::Result<(Host, u16)> {
    let [version, methods] = read(stream).await?;
    if version != VERSION {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut offered = [0; 255];
    let offered = &mut offered[..usize::from(methods)];
    stream.read_exact(offered).await?;
    if !offered.contains(&NO_PASSWORD) {
        stream.write_all(&[VERSION, 0xff]).await?;
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    stream.write_all(&[VERSION, NO_PASSWORD]).await?;
    let [version, command, _, kind] = read(stream).await?;
    if (version, command) != (VERSION, CONNECT) {
        answer(stream, 7).await?;
        return Err(io::ErrorKind::Unsupported.into());
    }
    let host = match kind {
        1 => Some(Host::Ip(Ipv4Addr::from(read::<4, _>(stream).await?).into())),
        4 => Some(Host::Ip(Ipv6Addr::from(read::<16, _>(stream).await?).into())),
        3 => {
            let [length] = read(stream).await?;
            let mut name = [0; 255];
            let name = &mut name[..usize::from(length)];
            stream.read_exact(name).await?;
            std::str::from_utf8(name).ok().and_then(Host::read)
        }
        _ => None,
    };
    let port = u16::from_be_bytes(read(stream).await?);
    match host {
        Some(host) => Ok((host, port)),
        None => {
            answer(stream, 8).await?;
            Err(io::ErrorKind::InvalidData.into())
        }
    }
}

/// Says how it went.
pub(crate) async fn answer<S: AsyncWrite + Unpin>(stream: &mut S, code: u8) -> io::Result<()> {
    stream.write_all(&[VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0]).await
}

/// Asks another SOCKS5 proxy to connect.
pub(crate) async fn connect<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    login: Option<(&str, &str)>,
    address: IpAddr,
    port: u16,
) -> io::Result<()> {
    let method = if login.is_some() { PASSWORD } else { NO_PASSWORD };
    stream.write_all(&[VERSION, 1, method]).await?;
    let [_, chosen] = read(stream).await?;
    match login {
        _ if chosen != method => return Err(io::ErrorKind::PermissionDenied.into()),
        Some((user, password)) => {
            let mut message = vec![1];
            for part in [user, password] {
                message.push(u8::try_from(part.len()).map_err(|_| io::ErrorKind::InvalidInput)?);
                message.extend_from_slice(part.as_bytes());
            }
            stream.write_all(&message).await?;
            let [_, accepted] = read(stream).await?;
            if accepted != 0 {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
        }
        None => {}
    }
    let mut message = vec![VERSION, CONNECT, 0];
    match address {
        IpAddr::V4(ip) => {
            message.push(1);
            message.extend_from_slice(&ip.octets());
        }
        IpAddr::V6(ip) => {
            message.push(4);
            message.extend_from_slice(&ip.octets());
        }
    }
    message.extend_from_slice(&port.to_be_bytes());
    stream.write_all(&message).await?;
    let [_, code, _, kind] = read(stream).await?;
    let length = match kind {
        1 => 4,
        4 => 16,
        _ => usize::from(read::<1, _>(stream).await?[0]),
    };
    let mut bound = [0; 257];
    stream.read_exact(&mut bound[..length + 2]).await?;
    match code {
        0 => Ok(()),
        3 => Err(io::ErrorKind::NetworkUnreachable.into()),
        4 => Err(io::ErrorKind::HostUnreachable.into()),
        5 => Err(io::ErrorKind::ConnectionRefused.into()),
        6 => Err(io::ErrorKind::TimedOut.into()),
        _ => Err(io::ErrorKind::PermissionDenied.into()),
    }
}

async fn read<const N: usize, S: AsyncRead + Unpin>(stream: &mut S) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes).await?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn asked(bytes: &[u8]) -> io::Result<(Host, u16)> {
        let (mut ours, mut theirs) = tokio::io::duplex(1024);
        theirs.write_all(bytes).await.unwrap();
        theirs.shutdown().await.unwrap();
        accept(&mut ours).await
    }

    #[tokio::test]
    async fn a_client_says_where_it_wants_to_go() {
        let name = asked(b"\x05\x01\x00\x05\x01\x00\x03\x06a.test\x00\x50").await.unwrap();
        assert_eq!(name, (Host::Name("a.test".into()), 80));
        let v4 = asked(b"\x05\x02\x02\x00\x05\x01\x00\x01\x7f\0\0\x01\x1f\x90").await.unwrap();
        assert_eq!(v4, (Host::Ip(Ipv4Addr::LOCALHOST.into()), 8080));
    }

    #[tokio::test]
    async fn others_are_not_answered() {
        for bytes in [
            &b"GET / HTTP/1.1\r\n\r\n"[..],
            b"\x04\x01\x00\x50\x7f\0\0\x01\0",
            b"\x05\x01\x02",
            b"\x05\x01\x00\x05\x02\x00\x01\x7f\0\0\x01\x1f\x90",
            b"\x05\x01\x00\x05\x01\x00\x03\x03a b\x00\x50",
            b"\x05",
            b"",
        ] {
            assert!(asked(bytes).await.is_err(), "{bytes:?}");
        }
    }

    #[tokio::test]
    async fn what_we_ask_of_another_is_understood_by_us() {
        let (mut ours, mut theirs) = tokio::io::duplex(1024);
        let client = connect(&mut ours, None, Ipv6Addr::LOCALHOST.into(), 443);
        let server = async {
            let asked = accept(&mut theirs).await?;
            answer(&mut theirs, 5).await?;
            io::Result::Ok(asked)
        };
        let (client, server) = tokio::join!(client, server);
        assert_eq!(client.unwrap_err().kind(), io::ErrorKind::ConnectionRefused);
        assert_eq!(server.unwrap(), (Host::Ip(Ipv6Addr::LOCALHOST.into()), 443));
    }
}
