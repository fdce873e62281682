//! The file beside a target that becomes the target in the end.
//!
//! It is called `.NAME.secateur-1.part` after its target, or `-2`, `-3` … while others write to the same target. A writer holds
//! a lock on it as long as it lives, so a part without a lock was left by a process that was killed: the next writer
//! removes it. Names are few and known, so nothing piles up and no folder is searched.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::listed::Listed;

/// Writers at the same time, at most.
const MOST: usize = 100;

/// A part that is being written; it is removed unless it becomes its target.
pub(super) struct TemporaryFile {
    path: PathBuf,
    listed: Listed,
    /// Held until the part has gone or become its target, even if the file was closed before.
    _locked: File,
}

impl TemporaryFile {
    /// A new, empty part beside the target, and the file to fill. Nobody may read it who may not read the file that it will replace.
    pub(super) fn beside(target: &Path, replaced: Option<&Metadata>) -> io::Result<(Self, File)> {
        for number in 1..=MOST {
            let path = name(target, number)?;
            // Twice, as a part that is left over makes room.
            for _ in 0..2 {
                match create(&path, replaced.is_some()) {
                    Ok(Some(file)) => {
                        let part = Self { listed: Listed::new(&path), path, _locked: file.try_clone()? };
                        if let Some(replaced) = replaced {
                            file.set_permissions(replaced.permissions())?;
                        }
                        // Those after it, which writers at the same time have left.
                        for path in (number + 1..=MOST).map_while(|n| name(target, n).ok()) {
                            if path.symlink_metadata().is_err() {
                                break;
                            }
                            remove_if_left(&path);
                        }
                        return Ok((part, file));
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

/// A new file under a lock, or `None` where another writer has taken it for a part that is left over. What is private can be read by
/// nobody else.
pub(super) fn create(path: &Path, is_private: bool) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    // A file that is there, or a link, is not opened.
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    if is_private {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = is_private;
    let file = options.open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => return Ok(None),
        // In a file system without locks parts that are left over stay.
        Ok(()) | Err(TryLockError::Error(_)) => {}
    }
    Ok(is_at(&file, path).then_some(file))
}

/// Removes a part that nobody writes any more; says whether it is gone.
pub(super) fn remove_if_left(path: &Path) -> bool {
    left(path).is_some_and(|_locked| fs::remove_file(path).is_ok())
}

/// The file of an owner who is gone, under a lock.
pub(super) fn left(path: &Path) -> Option<File> {
    path.symlink_metadata().ok().filter(Metadata::is_file)?;
    let file = OpenOptions::new().read(true).write(true).open(path).ok()?;
    file.try_lock().ok()?;
    // Its owner may have renamed or removed it since it was opened, and another have made one with the same name.
    is_at(&file, path).then_some(file)
}

/// Whether a path still leads to an open file, and not to another that has taken its name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |metadata: Metadata| (metadata.dev(), metadata.ino());
    let open = file.metadata().map(place);
    open.is_ok_and(|open| path.symlink_metadata().is_ok_and(|there| place(there) == open))
}

/// Whether a path still leads to an open file: the system renames and removes none that is open.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

#[cfg(test)]
mod tests {
    use super::super::tests::names;
    use super::*;

    #[test]
    fn parts_name_their_target_and_go() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("m.json");
        let (one, _file) = TemporaryFile::beside(&target, None).unwrap();
        let (two, _other) = TemporaryFile::beside(&target, None).unwrap();
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
        let (part, file) = TemporaryFile::beside(&target, None).unwrap();
        assert_eq!(file.metadata().unwrap().len(), 0);
        drop(part);
        assert_eq!(names(folder.path()), [".m.json.secateur-3.part"]);
    }

    #[test]
    fn long_and_strange_names_have_parts_too() {
        let folder = tempfile::tempdir().unwrap();
        for target in ["x".repeat(255), "ä".repeat(127), "a b.json".into()] {
            let target = folder.path().join(target);
            let (part, _) = TemporaryFile::beside(&target, None).unwrap();
            part.becomes(&target).unwrap();
            assert!(target.is_file());
        }
    }

    /// What a writer finds of another one who was quicker: the name is that of a file it has not opened.
    #[cfg(unix)]
    #[test]
    fn a_name_that_another_file_has_taken_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("part");
        let first = create(&path, false).unwrap().unwrap();
        assert!(is_at(&first, &path));
        fs::rename(&path, folder.path().join("target")).unwrap();
        assert!(!is_at(&first, &path));
        let second = create(&path, true).unwrap().unwrap();
        assert!(is_at(&second, &path) && !is_at(&first, &path));
        assert!(left(&path).is_none());
        drop(second);
        assert!(remove_if_left(&path));
    }

    #[test]
    fn many_writers_of_one_file_do_not_disturb_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("m.json");
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let target = &target;
                scope.spawn(move || {
                    for round in 0..150 {
                        let (part, file) = TemporaryFile::beside(target, None).unwrap();
                        drop(file);
                        // Some give up, with the file closed before its name is free.
                        if (writer + round) % 3 > 0 {
                            part.becomes(target).unwrap();
                        }
                    }
                });
            }
        });
        assert_eq!(names(folder.path()), ["m.json"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_way_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (target, other) = (folder.path().join("m.json"), folder.path().join("other"));
        fs::write(&other, "kept").unwrap();
        std::os::unix::fs::symlink(&other, name(&target, 1).unwrap()).unwrap();
        let (_part, file) = TemporaryFile::beside(&target, None).unwrap();
        file.set_len(1).unwrap();
        assert_eq!(fs::read(&other).unwrap(), b"kept");
    }
}
