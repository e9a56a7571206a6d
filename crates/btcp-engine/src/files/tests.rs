//! The file door, tried from every side on a disk of its own.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

use super::*;

/// A disk: `home` may be used, `outside` may not; removed with it.
struct Disk {
    root: PathBuf,
    folders: Folders,
}

impl Disk {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("btcp-files-{}-{number}", std::process::id()));
        for folder in ["home/sub", "home/.ssh", "outside", "out/own", "out/other", "read"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        for file in ["home/a.txt", "home/sub/b.txt", "home/.ssh/id", "home/.env", "read/r.txt"] {
            std::fs::write(root.join(file), file).unwrap();
        }
        for file in ["outside/secret", "out/own/shot.png", "out/other/shot.png"] {
            std::fs::write(root.join(file), file).unwrap();
        }
        let root = root.canonicalize().unwrap();
        let home = root.join("home");
        let folders = Folders {
            base: Some(home.clone()),
            read: vec![home.clone(), root.join("read")],
            write: vec![home],
        };
        Self { root, folders }
    }

    fn door<T>(&self, use_it: impl FnOnce(&Door<'_>) -> T) -> T {
        let own = self.root.join("out/own");
        use_it(&Door { folders: &self.folders, own: &own, closed: vec![self.root.join("out")] })
    }

    /// What a file holds, or the code of the refusal.
    fn read(&self, path: &str) -> Result<String, &'static str> {
        let read = self.door(|door| door.open_read(path)).and_then(|file| file.read(1000));
        read.map(|bytes| String::from_utf8(bytes).unwrap()).map_err(|error| error.code())
    }

    fn write(&self, path: &str) -> Result<PathBuf, &'static str> {
        let file = self.door(|door| door.open_write(path));
        file.and_then(|file| file.save(b"new")).map_err(|error| error.code())
    }

    fn at(&self, path: &str) -> String {
        self.root.join(path).display().to_string()
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

#[test]
fn files_in_open_folders_are_read_however_they_are_named() {
    let disk = Disk::new();
    symlink(disk.at("home/sub"), disk.at("home/link")).unwrap();
    symlink("../read/r.txt", disk.at("home/far")).unwrap();
    for (path, holds) in [
        ("a.txt", "home/a.txt"),
        ("./sub//b.txt", "home/sub/b.txt"),
        ("sub/../a.txt", "home/a.txt"),
        (".ssh/../a.txt", "home/a.txt"),
        ("link/b.txt", "home/sub/b.txt"),
        ("link/../a.txt", "home/a.txt"),
        ("../home/a.txt", "home/a.txt"),
        ("far", "read/r.txt"),
        (&disk.at("read/r.txt"), "read/r.txt"),
        (&disk.at("out/own/shot.png"), "out/own/shot.png"),
    ] {
        assert_eq!(disk.read(path).as_deref(), Ok(holds), "{path}");
    }
}

#[test]
fn what_is_outside_is_denied_whether_it_is_there_or_not() {
    let disk = Disk::new();
    symlink(disk.at("outside/secret"), disk.at("home/link")).unwrap();
    symlink("../outside", disk.at("home/folder")).unwrap();
    symlink(disk.at("home/.ssh/id"), disk.at("home/key")).unwrap();
    symlink("/proc/self", disk.at("home/proc")).unwrap();
    for path in [
        "../outside/secret",
        "../outside/no-such",
        "sub/../../outside/secret",
        "../../../../../../../../etc/passwd",
        "/etc/passwd",
        "/etc/no-such-file",
        "link",
        "folder/secret",
        "folder/no-such",
        "folder/no/such",
        ".env",
        ".no-such",
        ".ssh/id",
        ".ssh/no-such",
        "key",
        "proc/environ",
        "proc/root/etc/passwd",
        "/proc/self/environ",
        "/dev/zero",
        "/dev/stdin",
        &disk.at("out/other/shot.png"),
        &disk.at("out/own/../other/shot.png"),
    ] {
        assert_eq!(disk.read(path), Err("denied"), "{path}");
        assert_eq!(disk.write(path).map(drop), Err("denied"), "{path}");
    }
    // To read is not to write.
    assert_eq!(disk.write(&disk.at("read/r.txt")).map(drop), Err("denied"));
    let error = disk.door(|door| door.open_read("/etc/passwd")).unwrap_err();
    let says = "'/etc/passwd' may not be read: it is outside the allowed folders";
    assert_eq!(error.to_string(), says);
}

/// On a disk that tells capitals apart, as here, these are other files, and it shows that what is closed
/// is not closed by the spelling of its name: hidden entries and our own folders are closed in any case, and
/// an open folder in another case is not open. Where a disk does not tell them apart, the same file is met by
/// another name, and folders are known by their identity, which `walk.rs` compares.
#[test]
fn no_other_case_of_a_name_opens_what_is_closed() {
    let disk = Disk::new();
    for folder in ["home/.SSH", "out/OTHER", "OUTSIDE", "HOME"] {
        std::fs::create_dir_all(disk.root.join(folder)).unwrap();
        std::fs::write(disk.root.join(folder).join("id"), "id").unwrap();
    }
    std::fs::write(disk.root.join("home/.ENV"), "env").unwrap();
    let paths =
        [".SSH/id", ".Ssh/ID", ".ENV", ".Env", "sub/../.SSH/id", "../HOME/id", "../OUTSIDE/id"];
    let ours = ["out/OTHER/id", "OUT/own/shot.png", "out/OWN/shot.png"].map(|path| disk.at(path));
    let system = ["/PROC/self/environ", "/Proc/Self/Environ", "/ETC/passwd", "/DEV/zero"];
    let all = paths.into_iter().chain(system).map(str::to_owned).chain(ours);
    for path in all {
        assert_eq!(disk.read(&path), Err("denied"), "{path}");
        assert_eq!(disk.write(&path), Err("denied"), "{path}");
    }
    assert_eq!(disk.read("a.txt"), Ok("home/a.txt".to_owned()));
}

#[test]
fn a_path_that_is_none_is_told() {
    let disk = Disk::new();
    symlink("turn", disk.at("home/round")).unwrap();
    symlink("round", disk.at("home/turn")).unwrap();
    for (path, code) in [
        ("", "invalid_params"),
        ("a\0b", "invalid_params"),
        (&"x/".repeat(3000), "invalid_params"),
        (&"sub/../".repeat(500), "file_not_found"),
        ("no-such", "file_not_found"),
        ("a.txt/b", "file_not_found"),
        ("sub", "file_not_found"),
        ("round", "denied"),
    ] {
        assert_eq!(disk.read(path), Err(code), "{path}");
    }
}

#[test]
fn devices_pipes_and_what_the_kernel_makes_up_are_no_files() {
    let mut disk = Disk::new();
    let pipe = disk.root.join("home/pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let _socket = std::os::unix::net::UnixListener::bind(disk.root.join("home/socket")).unwrap();
    disk.folders.read.extend(["/proc".into(), "/dev".into(), "/sys".into()]);
    disk.folders.write.extend(["/proc".into(), "/dev".into()]);
    for path in ["pipe", "socket", "/dev/zero", "/proc/self/environ", "/proc/self/fd/0"] {
        assert_eq!(disk.read(path), Err("denied"), "{path}");
    }
    for path in ["pipe", "socket", "/dev/null", "/proc/self/comm", "/proc/self/no-such"] {
        assert_eq!(disk.write(path).map(drop), Err("denied"), "{path}");
    }
}

#[test]
fn too_large_a_file_is_not_read() {
    let disk = Disk::new();
    std::fs::write(disk.root.join("home/large"), [0; 1001]).unwrap();
    assert_eq!(disk.read("large"), Err("too_large"));
}

#[test]
fn what_is_written_is_whole_and_its_owners_alone() {
    let disk = Disk::new();
    std::fs::hard_link(disk.at("outside/secret"), disk.at("home/second-name")).unwrap();
    for path in ["a.txt", "new.txt", "made/for/it.txt", "second-name", &disk.at("out/own/x")] {
        let at = disk.write(path).unwrap();
        assert_eq!(std::fs::read(&at).unwrap(), b"new", "{path}");
        let mode = std::fs::metadata(&at).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{path}");
    }
    assert_eq!(std::fs::read(disk.root.join("outside/secret")).unwrap(), b"outside/secret");
    for path in ["sub", "sub/", "new.txt/x"] {
        let refused = disk.write(path).unwrap_err();
        assert!(matches!(refused, "write_failed" | "file_not_found"), "{path}: {refused}");
    }
}

#[test]
fn a_file_that_was_not_finished_leaves_nothing() {
    use std::io::Write as _;
    let disk = Disk::new();
    let mut file = disk.door(|door| door.open_write("a.txt")).unwrap();
    file.write_all(b"half").unwrap();
    drop(file);
    assert_eq!(disk.read("a.txt").as_deref(), Ok("home/a.txt"));
    let parts = std::fs::read_dir(disk.root.join("home")).unwrap().flatten();
    assert!(
        !parts.map(|part| part.file_name()).any(|name| name.to_string_lossy().contains("btcp"))
    );
}

/// Somebody swaps a folder for a link outside, as fast as they can: no read may ever slip through.
#[test]
fn no_swap_between_look_and_open_gets_out() {
    let disk = Disk::new();
    let (inside, link) = (disk.root.join("home/swap"), disk.root.join("home/to-outside"));
    let aside = disk.root.join("home/aside");
    std::fs::create_dir(&inside).unwrap();
    std::fs::write(inside.join("secret"), "mine").unwrap();
    symlink(disk.at("outside"), &link).unwrap();
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                let _ = std::fs::rename(&inside, &aside);
                let _ = std::fs::rename(&link, &inside);
                let _ = std::fs::rename(&inside, &link);
                let _ = std::fs::rename(&aside, &inside);
            }
        });
        let (mut read, mut denied, mut strange) = (0, 0, None);
        // Until both were met often: what is there in between, and what leads outside.
        for _ in 0..1_000_000 {
            match disk.read("swap/secret") {
                Ok(holds) if holds == "mine" => read += 1,
                Ok(holds) => strange = Some(holds),
                Err("denied") => denied += 1,
                Err(_) => {}
            }
            if strange.is_some() || read.min(denied) >= 300 {
                break;
            }
        }
        over.store(true, Ordering::Relaxed);
        assert_eq!(strange, None);
        assert!(
            read.min(denied) >= 300,
            "{read} were read and {denied} denied: nothing was swapped"
        );
    });
}

/// The same for what is written: nothing ever appears outside.
#[test]
fn no_swap_leads_what_is_written_outside() {
    let disk = Disk::new();
    let (inside, link) = (disk.root.join("home/swap"), disk.root.join("home/to-outside"));
    let aside = disk.root.join("home/aside");
    std::fs::create_dir(&inside).unwrap();
    symlink(disk.at("outside"), &link).unwrap();
    let over = AtomicBool::new(false);
    let before = std::fs::read_dir(disk.at("outside")).unwrap().count();
    thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                let _ = std::fs::rename(&inside, &aside);
                let _ = std::fs::rename(&link, &inside);
                let _ = std::fs::rename(&inside, &link);
                // Who writes makes the folder anew where it is missing; then one of the two is too many.
                if std::fs::rename(&aside, &inside).is_err() {
                    let _ = std::fs::remove_dir_all(&aside);
                }
            }
        });
        let (mut written, mut denied) = (0, 0);
        for _ in 0..300_000 {
            match disk.write("swap/new") {
                Ok(_) => written += 1,
                Err("denied") => denied += 1,
                Err(_) => {}
            }
            if written.min(denied) >= 20 {
                break;
            }
        }
        over.store(true, Ordering::Relaxed);
        assert!(written.min(denied) >= 20, "{written} were written and {denied} denied");
    });
    assert_eq!(std::fs::read_dir(disk.at("outside")).unwrap().count(), before);
}

#[test]
fn the_working_directory_is_open_and_the_temporary_folder_is_read_only() {
    let temporary = std::env::temp_dir();
    let here = PathBuf::from("/work/here");
    let at = Folders::at(Some(here.clone()));
    assert_eq!(at.base.as_ref(), Some(&here));
    assert_eq!((at.read, at.write), (vec![here.clone(), temporary.clone()], vec![here.clone()]));
    // Some programs start us at the root of the disk.
    for nowhere in [Some(PathBuf::from("/")), None] {
        let at = Folders::at(nowhere).allowing(std::slice::from_ref(&here));
        assert_eq!(at.base, None);
        assert_eq!(
            (at.read, at.write),
            (vec![temporary.clone(), here.clone()], vec![here.clone()])
        );
    }
}
