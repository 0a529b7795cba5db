//! Namespaces: a network without interfaces, and a file system without files.

use rustix::io;
use rustix::mount::{MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_change, unmount};
use rustix::process::{chdir, pivot_root};
use rustix::thread::{UnshareFlags, unshare_unsafe};

/// Any folder that is there will do; it is covered and then left behind.
const COVERED: &str = "/proc";

/// Moves the process into its own namespaces. Returns the names of these walls, none where a container or
/// the administrator forbids it to make any.
pub fn leave_the_system() -> Vec<String> {
    let own = UnshareFlags::NEWNS | UnshareFlags::NEWNET | UnshareFlags::NEWIPC;
    // Root needs no user namespace, and may be forbidden to make one.
    if unshare(own | UnshareFlags::NEWUSER).or_else(|_| unshare(own)).is_err() {
        return Vec::new();
    }
    let mut walls = vec!["own network".to_owned()];
    if empty_root().is_ok() {
        walls.push("empty root".to_owned());
    }
    walls
}

fn unshare(flags: UnshareFlags) -> io::Result<()> {
    #[expect(unsafe_code, reason = "the library cannot know which flags are given")]
    // SAFETY: the table of descriptors stays shared, as `FILES` is not among the flags.
    unsafe {
        unshare_unsafe(flags)
    }
}

/// Makes an empty folder that cannot be written to the root of this process, and forgets the old one.
fn empty_root() -> io::Result<()> {
    // Nothing that is mounted here may show elsewhere.
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    let flags = MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("tmpfs", COVERED, "tmpfs", flags, c"mode=555,size=4k")?;
    chdir(COVERED)?;
    // pivot_root(2), "pivot_root(".", ".")": the old root comes to lie on the new one, and is taken off it.
    pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    chdir("/")
}
