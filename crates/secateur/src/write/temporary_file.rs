//! The file beside a target that becomes the target in the end.
//!
//! It is called `.NAME.secateur-1.part` after its target, or `-2`, `-3` … while others write to the same target. A writer holds
//! a lock on it as long as it lives, so a part without a lock was left by a process that was killed: the next writer
//! removes it. Names are few and known, so nothing piles up and no folder is searched.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::listed::Listed;

/// Writers at the same time, at most.
const MOST: usize = 100;

/// A part that is being written; it is removed unless it becomes its target.
pub(super) struct TemporaryFile {
    path: PathBuf,
    listed: Listed,
}

impl TemporaryFile {
    /// A new, empty part beside the target, and the file to fill.
    pub(super) fn beside(target: &Path) -> io::Result<(Self, File)> {
        for number in 1..=MOST {
            let path = name(target, number)?;
            // Twice, as a part that is left over makes room.
            for _ in 0..2 {
                match create(&path) {
                    Ok(Some(file)) => {
                        // Those after it, which writers at the same time have left.
                        for path in (number + 1..=MOST).map_while(|n| name(target, n).ok()) {
                            if path.symlink_metadata().is_err() {
                                break;
                            }
                            remove_if_left(&path);
                        }
                        let listed = Listed::new(&path);
                        return Ok((Self { path, listed }, file));
                    }
                    Ok(None) => {}
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                        if !remove_if_left(&path) {
                            break;
                        }
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        let shown = name(target, MOST)?;
        Err(io::Error::other(format!(
            "others are writing it; if not, remove {} and the like",
            shown.display()
        )))
    }

    /// Puts the part in the target's place.
    pub(super) fn becomes(mut self, target: &Path) -> io::Result<()> {
        self.listed.forget_with(|| fs::rename(&self.path, target))?;
        self.path = PathBuf::new();
        Ok(())
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            // What cannot be removed now is removed by the next writer.
            let _ = self.listed.forget_with(|| fs::remove_file(&self.path));
        }
    }
}

fn name(target: &Path, number: usize) -> io::Result<PathBuf> {
    let Some(name) = target.file_name() else { return Err(io::ErrorKind::InvalidInput.into()) };
    let mut part = OsString::from(".");
    // A name has at most 255 bytes in most file systems.
    match name.len() {
        ..=220 => part.push(name),
        _ => part.push(name.to_string_lossy().chars().take(50).collect::<String>()),
    }
    part.push(format!(".secateur-{number}.part"));
    Ok(target.with_file_name(part))
}

/// A new file under a lock, or `None` where another writer has taken it for a part that is left over.
pub(super) fn create(path: &Path) -> io::Result<Option<File>> {
    // A file that is there, or a link, is not opened.
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => return Ok(None),
        // In a file system without locks parts that are left over stay.
        Ok(()) | Err(TryLockError::Error(_)) => {}
    }
    Ok(path.symlink_metadata().is_ok().then_some(file))
}

/// Removes a part that nobody writes any more; says whether it is gone.
pub(super) fn remove_if_left(path: &Path) -> bool {
    if !path.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    let Ok(file) = OpenOptions::new().read(true).write(true).open(path) else { return false };
    file.try_lock().is_ok() && fs::remove_file(path).is_ok()
}

#[cfg(test)]
mod tests {
    use super::super::tests::names;
    use super::*;

    #[test]
    fn parts_name_their_target_and_go() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("m.json");
        let (one, _file) = TemporaryFile::beside(&target).unwrap();
        let (two, _other) = TemporaryFile::beside(&target).unwrap();
        assert_eq!(names(folder.path()), [".m.json.secateur-1.part", ".m.json.secateur-2.part"]);
        drop(one);
        two.becomes(&target).unwrap();
        assert_eq!(names(folder.path()), ["m.json"]);
    }

    #[test]
    fn parts_of_the_dead_are_removed_and_those_of_the_living_stay() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("m.json");
        for number in [1, 2, 3, 4] {
            fs::write(name(&target, number).unwrap(), "half").unwrap();
        }
        let living = OpenOptions::new().write(true).open(name(&target, 3).unwrap()).unwrap();
        living.lock().unwrap();
        let (part, file) = TemporaryFile::beside(&target).unwrap();
        assert_eq!(file.metadata().unwrap().len(), 0);
        drop(part);
        assert_eq!(names(folder.path()), [".m.json.secateur-3.part"]);
    }

    #[test]
    fn long_and_strange_names_have_parts_too() {
        let folder = tempfile::tempdir().unwrap();
        for target in ["x".repeat(255), "ä".repeat(127), "a b.json".into()] {
            let target = folder.path().join(target);
            let (part, _) = TemporaryFile::beside(&target).unwrap();
            part.becomes(&target).unwrap();
            assert!(target.is_file());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_way_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (target, other) = (folder.path().join("m.json"), folder.path().join("other"));
        fs::write(&other, "kept").unwrap();
        std::os::unix::fs::symlink(&other, name(&target, 1).unwrap()).unwrap();
        let (_part, file) = TemporaryFile::beside(&target).unwrap();
        file.set_len(1).unwrap();
        assert_eq!(fs::read(&other).unwrap(), b"kept");
    }
}
