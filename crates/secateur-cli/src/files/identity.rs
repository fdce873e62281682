//! Whether two names are of the same file.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// What tells a regular file from others, whatever it is called.
#[derive(Debug, PartialEq)]
pub(super) enum Identity {
    #[cfg(unix)]
    There { device: u64, inode: u64 },
    /// Without links and dots.
    At(PathBuf),
}

impl Identity {
    /// The identity of a file, or of one that would be made. None of devices and pipes, which are not replaced.
    pub fn of(path: &Path) -> Option<Self> {
        // The streams are looked at as such.
        if cfg!(unix) && (path.starts_with("/dev") || path.starts_with("/proc/self/fd")) {
            let named = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].map(Path::new);
            return named.contains(&path).then(|| Self::of_stream(io::stdin())).flatten();
        }
        match fs::metadata(path) {
            Ok(metadata) => Self::there(&metadata).or_else(|| {
                let at = cfg!(not(unix)) && metadata.is_file();
                at.then(|| fs::canonicalize(path).ok().map(Self::At)).flatten()
            }),
            Err(_) => {
                let path = secateur::write::behind_links(path).ok()?;
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
                Some(Self::At(folder.join(path.file_name()?)))
            }
        }
    }

    #[cfg(unix)]
    fn there(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        metadata.is_file().then(|| Self::There { device: metadata.dev(), inode: metadata.ino() })
    }

    #[cfg(not(unix))]
    fn there(_: &Metadata) -> Option<Self> {
        None
    }

    /// The identity of the file that a stream leads to.
    #[cfg(unix)]
    pub fn of_stream(stream: impl std::os::fd::AsFd) -> Option<Self> {
        let file: File = stream.as_fd().try_clone_to_owned().ok()?.into();
        Self::there(&file.metadata().ok()?)
    }

    #[cfg(not(unix))]
    pub fn of_stream<T>(_: T) -> Option<Self> {
        None
    }
}
