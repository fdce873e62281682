//! Writing files that are there whole or not at all.

mod file_name;
mod listed;
mod scratch;
mod temporary_file;

use crate::error::{Error, Result};
pub use file_name::check_file_name;
pub use listed::remove_parts;
pub use scratch::Scratch;
use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use temporary_file::TemporaryFile;

/// Writes a file by way of another in the same folder that takes its name at the end: whoever looks finds
/// the old file or the whole new one, never a half. A file that was there keeps its permissions, and a link
/// stays a link to the file that is replaced or made. What is not a regular file, such as a pipe, is written directly,
/// and so are the streams of this process (`/dev/stdout`), whatever they lead to.
///
/// ```
/// use std::io::Write;
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("notes.txt");
/// secateur::write::atomically(&path, |out| writeln!(out, "done")).unwrap();
/// assert_eq!(std::fs::read_to_string(&path).unwrap(), "done\n");
/// ```
pub fn atomically(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    place(path, write).map_err(|source| Error::Write { file: path.to_path_buf(), source })
}

fn place(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if let Some(stream) = stream(path)? {
        return fill(stream, write).map(drop);
    }
    let existing = match fs::metadata(path) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if existing.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        return fill(OpenOptions::new().write(true).open(path)?, write).map(drop);
    }
    if existing.as_ref().is_some_and(|metadata| metadata.permissions().readonly()) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    // The file behind a link, so that the link itself survives.
    let target = if existing.is_some() { fs::canonicalize(path)? } else { behind_links(path)? };
    let (part, file) = TemporaryFile::beside(&target, existing.as_ref())?;
    let file = fill(file, write)?;
    file.sync_all()?;
    // The file is still open, and with it the lock by which others see that somebody writes.
    part.becomes(&target)
}

/// A stream of this process that a path stands for. It is written as it is, after what was written to it before, even
/// where it leads to a regular file.
fn stream(path: &Path) -> io::Result<Option<fs::File>> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let stream = match path.to_str() {
            Some("/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1") => {
                io::stdout().as_fd().try_clone_to_owned()
            }
            Some("/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2") => {
                io::stderr().as_fd().try_clone_to_owned()
            }
            _ if path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd") => {
                return OpenOptions::new().append(true).open(path).map(Some);
            }
            _ => return Ok(None),
        };
        stream.map(|stream| Some(stream.into()))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        Ok(None)
    }
}

/// The path that links lead to, also when nothing is there yet.
pub fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links follow each other"))
}

fn fill(file: fs::File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<fs::File> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn writes_and_replaces() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        atomically(&path, |out| out.write_all(b"one")).unwrap();
        atomically(&path, |out| out.write_all(b"two")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["a.json"]);
    }

    #[test]
    fn a_failure_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        fs::write(&path, "old").unwrap();
        let error = atomically(&path, |out| {
            out.write_all(&vec![b'x'; 1 << 20])?;
            Err(io::Error::other("the work failed"))
        });
        let error = error.unwrap_err();
        assert!(matches!(error, Error::Write { .. }));
        assert!(error.to_string().contains("a.json: cannot write it: the work failed"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.json"]);
    }

    #[test]
    fn a_folder_that_is_not_there_or_in_the_way_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("none").join("a.json");
        assert!(matches!(atomically(&missing, |_| Ok(())), Err(Error::Write { .. })));
        assert!(matches!(atomically(folder.path(), |_| Ok(())), Err(Error::Write { .. })));
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    mod unix {
        use super::*;
        use std::os::unix::fs::{PermissionsExt, symlink};

        fn mode(path: &Path) -> u32 {
            fs::metadata(path).unwrap().permissions().mode() & 0o777
        }

        #[test]
        fn permissions_are_those_of_any_new_file_or_of_the_old_one() {
            let folder = tempfile::tempdir().unwrap();
            let (plain, ours) = (folder.path().join("plain"), folder.path().join("ours"));
            fs::write(&plain, "").unwrap();
            atomically(&ours, |_| Ok(())).unwrap();
            assert_eq!(mode(&ours), mode(&plain));
            for kept in [0o600, 0o640, 0o666] {
                fs::set_permissions(&ours, fs::Permissions::from_mode(kept)).unwrap();
                let part = folder.path().join(".ours.secateur-1.part");
                atomically(&ours, |out| {
                    // Before anything is written, too.
                    assert_eq!(mode(&part), kept);
                    out.write_all(b"x")
                })
                .unwrap();
                assert_eq!(mode(&ours), kept);
            }
        }

        #[test]
        fn a_protected_file_stays() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("kept");
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
            assert!(atomically(&path, |out| out.write_all(b"new")).is_err());
            assert_eq!(fs::read(&path).unwrap(), b"old");
        }

        #[test]
        fn a_link_stays_a_link() {
            let folder = tempfile::tempdir().unwrap();
            let (file, link) = (folder.path().join("file"), folder.path().join("link"));
            fs::write(&file, "old").unwrap();
            symlink(&file, &link).unwrap();
            atomically(&link, |out| out.write_all(b"new")).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read(&file).unwrap(), b"new");
        }

        #[test]
        fn a_link_to_a_file_that_is_not_there_yet_leads_to_it() {
            let folder = tempfile::tempdir().unwrap();
            let (file, link, next) =
                (folder.path().join("file"), folder.path().join("link"), folder.path().join("next"));
            symlink("file", &link).unwrap();
            symlink(&link, &next).unwrap();
            atomically(&next, |out| out.write_all(b"new")).unwrap();
            assert!(fs::symlink_metadata(&next).unwrap().is_symlink());
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read(&file).unwrap(), b"new");
            let ring = folder.path().join("ring");
            symlink("ring", &ring).unwrap();
            assert!(atomically(&ring, |_| Ok(())).is_err());
            assert_eq!(names(folder.path()), ["file", "link", "next", "ring"]);
        }

        #[test]
        fn another_name_of_a_replaced_file_keeps_what_it_had() {
            let folder = tempfile::tempdir().unwrap();
            let (file, other) = (folder.path().join("file"), folder.path().join("other"));
            fs::write(&file, "old").unwrap();
            fs::hard_link(&file, &other).unwrap();
            atomically(&file, |out| out.write_all(b"new")).unwrap();
            assert_eq!(fs::read(&other).unwrap(), b"old");
        }

        #[test]
        fn what_is_no_regular_file_is_written_directly() {
            atomically(Path::new("/dev/null"), |out| out.write_all(b"gone")).unwrap();
            assert!(!fs::metadata("/dev/null").unwrap().is_file());
        }

        #[test]
        fn an_open_file_by_its_number_is_written_after_what_it_has() {
            use std::os::fd::AsRawFd;
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("log");
            fs::write(&path, "before\n").unwrap();
            let file = OpenOptions::new().append(true).open(&path).unwrap();
            let number = Path::new("/dev/fd").join(file.as_raw_fd().to_string());
            atomically(&number, |out| out.write_all(b"after\n")).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "before\nafter\n");
            assert_eq!(names(folder.path()), ["log"]);
        }
    }
}
