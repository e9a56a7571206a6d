//! Who is at the other end of a connection to the guard: only our own Chrome is served.
//!
//! Chrome knows no password for a SOCKS proxy, so the system is asked: it tells the socket at the
//! other end of a local connection, whose it is, and which process has it open. Where it does not
//! tell (other systems than Linux), every process of this machine is let in.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, OnceLock};

use crate::sessions::lock;

/// The processes of one Chrome.
#[derive(Debug)]
pub(crate) struct Peers {
    /// Its process group; none serves everybody, for tests without a Chrome.
    group: Option<Arc<OnceLock<u32>>>,
    /// The process of it that was at the other end last: Chrome has one for all its connections.
    last: Mutex<Option<u32>>,
}

impl Peers {
    pub(crate) fn of(group: Option<u32>) -> Self {
        let group = group.map(|group| Arc::new(OnceLock::from(group)));
        Self { group, last: Mutex::default() }
    }

    /// Those of one that is about to start; nobody is served before its number is there.
    pub(crate) fn coming(group: Arc<OnceLock<u32>>) -> Self {
        Self { group: Some(group), last: Mutex::default() }
    }

    /// Whether a connection from `peer` to `ours` is one of Chrome's.
    pub(crate) fn is_ours(&self, peer: SocketAddr, ours: SocketAddr) -> bool {
        let Some(group) = &self.group else { return true };
        let Some(group) = group.get().copied() else { return false };
        let socket = match system::socket(peer, ours) {
            system::Socket::Is(inode) => inode,
            system::Socket::None => return false,
            system::Socket::Unknown => return true,
        };
        let last = *lock(&self.last);
        if last.is_some_and(|pid| system::has(pid, socket) == Some(true)) {
            return true;
        }
        let mut unreadable = false;
        for pid in system::members(group) {
            match system::has(pid, socket) {
                Some(true) => {
                    *lock(&self.last) = Some(pid);
                    return true;
                }
                Some(false) => {}
                None => unreadable |= system::connects(pid),
            }
        }
        // A sandboxed process hides what it has open even from its own user. Only if Chrome's network
        // process does can it be the one; who knocks is of our user at least.
        unreadable
    }
}

mod system {
    use std::fs;
    use std::net::SocketAddr;

    use rustix::net::{
        AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink, recv, send,
        socket_with,
    };

    /// The socket at the other end.
    pub(super) enum Socket {
        Is(u32),
        None,
        Unknown,
    }

    const BY_FAMILY: u16 = 20;
    const REQUEST: u16 = 1;
    const TCP: u8 = 6;

    /// Asks the kernel for one socket by its two addresses (`sock_diag(7)`); it answers at once.
    pub(super) fn socket(peer: SocketAddr, ours: SocketAddr) -> Socket {
        let (SocketAddr::V4(peer), SocketAddr::V4(ours)) = (peer, ours) else {
            return Socket::Unknown;
        };
        let mut message = Vec::with_capacity(72);
        message.extend_from_slice(&72_u32.to_ne_bytes());
        message.extend_from_slice(&BY_FAMILY.to_ne_bytes());
        message.extend_from_slice(&REQUEST.to_ne_bytes());
        message.extend_from_slice(&[0; 8]);
        message.extend_from_slice(&[2, TCP, 0, 0]);
        message.extend_from_slice(&u32::MAX.to_ne_bytes());
        message.extend_from_slice(&peer.port().to_be_bytes());
        message.extend_from_slice(&ours.port().to_be_bytes());
        for ip in [peer.ip(), ours.ip()] {
            message.extend_from_slice(&ip.octets());
            message.extend_from_slice(&[0; 12]);
        }
        message.extend_from_slice(&[0; 4]);
        message.extend_from_slice(&[0xff; 8]);
        let asked = || {
            let flags = SocketFlags::CLOEXEC;
            let family = AddressFamily::NETLINK;
            let line = socket_with(family, SocketType::DGRAM, flags, Some(netlink::SOCK_DIAG))?;
            send(&line, &message, SendFlags::empty())?;
            let mut answer = [0_u8; 512];
            let (length, _) = recv(&line, &mut answer[..], RecvFlags::DONTWAIT)?;
            rustix::io::Result::Ok((answer, length))
        };
        let Ok((answer, length)) = asked() else { return Socket::Unknown };
        let kind = answer.get(4..6).and_then(|kind| kind.try_into().ok()).map(u16::from_ne_bytes);
        match kind {
            Some(BY_FAMILY) if length >= 88 => {
                let number =
                    |at: usize| answer[at..at + 4].try_into().map_or(0, u32::from_ne_bytes);
                let (user, inode) = (number(80), number(84));
                let ours = user == rustix::process::getuid().as_raw();
                if ours && inode != 0 { Socket::Is(inode) } else { Socket::None }
            }
            _ => {
                // ENOENT: there is none. Anything else: it cannot be asked.
                let errno = answer.get(16..20).and_then(|code| code.try_into().ok());
                match errno.map(i32::from_ne_bytes) {
                    Some(-2) => Socket::None,
                    _ => Socket::Unknown,
                }
            }
        }
    }

    /// Whether a process has a socket open; `None` if it does not tell.
    pub(super) fn has(pid: u32, inode: u32) -> Option<bool> {
        let wanted = format!("socket:[{inode}]");
        let open = match fs::read_dir(format!("/proc/{pid}/fd")) {
            Ok(open) => open,
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => return None,
            Err(_) => return Some(false),
        };
        let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse::<u32>().ok();
        let mut open: Vec<u32> = open.filter_map(|entry| number(entry.ok()?)).collect();
        // What was opened last is asked for most.
        open.sort_unstable_by(|one, other| other.cmp(one));
        let is_it = |number: u32| {
            let to = fs::read_link(format!("/proc/{pid}/fd/{number}"));
            to.is_ok_and(|to| to.as_os_str() == wanted.as_str())
        };
        Some(open.into_iter().any(is_it))
    }

    /// Whether a process is the one of Chrome's that makes its connections.
    pub(super) fn connects(pid: u32) -> bool {
        fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| is_network(&line))
    }

    /// The same by its command line, which Chrome separates by zeros, or by spaces in what it forks.
    pub(super) fn is_network(line: &[u8]) -> bool {
        let mut words = line.split(|byte| matches!(byte, 0 | b' '));
        words.any(|word| word == b"--utility-sub-type=network.mojom.NetworkService")
    }

    /// The processes of a group.
    pub(super) fn members(group: u32) -> Vec<u32> {
        let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
        let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        let in_group = |pid: &u32| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            // The name stands in parentheses and may hold anything; then state, parent, group.
            let after = stat.rsplit_once(") ").map_or("", |(_, after)| after);
            after.split(' ').nth(2).and_then(|of| of.parse().ok()) == Some(group)
        };
        pids.filter(in_group).collect()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn only_processes_of_the_group_are_served() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (served, peer) = listener.accept().unwrap();
        let ours = served.local_addr().unwrap();
        let group = rustix::process::getpgrp().as_raw_nonzero().get().unsigned_abs();

        assert!(Peers::of(Some(group)).is_ours(peer, ours));
        assert!(Peers::of(None).is_ours(peer, ours));
        // No such group: nobody of it has the socket.
        assert!(!Peers::of(Some(u32::MAX)).is_ours(peer, ours));

        let coming = Arc::new(OnceLock::new());
        let peers = Peers::coming(coming.clone());
        assert!(!peers.is_ours(peer, ours), "nobody has started yet");
        coming.set(group).unwrap();
        assert!(peers.is_ours(peer, ours));

        drop((client, served));
    }

    /// Chrome's sandboxed processes do not tell what they have open; of these only one makes connections.
    #[test]
    fn only_the_network_process_is_believed_unseen() {
        for (line, is_it) in [
            (
                &b"/opt/chrome\0--type=utility\0--utility-sub-type=network.mojom.NetworkService\0"
                    [..],
                true,
            ),
            (
                b"chrome --type=utility --utility-sub-type=network.mojom.NetworkService --lang=en",
                true,
            ),
            (
                b"/opt/chrome\0--type=utility\0--utility-sub-type=storage.mojom.StorageService\0",
                false,
            ),
            (b"/opt/chrome\0--type=renderer\0", false),
            (b"", false),
        ] {
            assert_eq!(system::is_network(line), is_it, "{}", String::from_utf8_lossy(line));
        }
        assert!(!system::connects(std::process::id()));
    }
}
