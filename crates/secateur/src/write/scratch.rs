//! A folder for what is needed only while a program runs.
//!
//! It is called `secateur-scratch-1`, or `-2`, `-3` … while others have theirs in the same place, with a lock beside it. Whoever makes one removes
//! those whose owner was killed: nobody holds their lock.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::listed::Listed;
use super::temporary_file::{create, remove_if_left};
use crate::error::{Error, Result};

/// Folders at the same time in the same place, at most.
const MOST: usize = 1000;

/// A folder that is removed with all it holds when this is dropped.
pub struct Scratch {
    path: PathBuf,
    lock: PathBuf,
    /// Held as long as the folder is used.
    _locked: File,
    listed: [Listed; 2],
}

impl Scratch {
    /// A new, empty folder in this one (which must be there), or where the system keeps such things.
    ///
    /// ```
    /// let place = tempfile::tempdir()?;
    /// let scratch = secateur::write::Scratch::new(Some(place.path()))?;
    /// std::fs::write(scratch.path().join("a"), "b")?;
    /// drop(scratch);
    /// assert_eq!(std::fs::read_dir(place.path())?.count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(within: Option<&Path>) -> Result<Self> {
        let within = within.map_or_else(std::env::temp_dir, Path::to_path_buf);
        Self::made(&within).map_err(|source| Error::Write { file: within, source })
    }

    fn made(within: &Path) -> io::Result<Self> {
        let mut made = None;
        for number in 1..=MOST {
            let (path, lock) = names(within, number);
            let there = lock.symlink_metadata().is_ok() || path.symlink_metadata().is_ok();
            if there && !remove_left(&path, &lock) {
                continue;
            }
            if made.is_some() {
                // Those that follow without a gap were looked after; beyond are none.
                if there { continue } else { break }
            }
            match create(&lock) {
                Ok(Some(locked)) => {
                    fs::create_dir(&path)?;
                    let listed = [Listed::new(&path), Listed::new(&lock)];
                    made = Some(Self { path, lock, _locked: locked, listed });
                }
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        made.ok_or_else(|| io::Error::other("too many folders named secateur-scratch are there; remove them"))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next one.
        let [folder, lock] = &self.listed;
        let _ = folder.forget_with(|| fs::remove_dir_all(&self.path));
        let _ = lock.forget_with(|| fs::remove_file(&self.lock));
    }
}

fn names(within: &Path, number: usize) -> (PathBuf, PathBuf) {
    let name = format!("secateur-scratch-{number}");
    (within.join(&name), within.join(format!(".{name}.lock")))
}

/// Removes the folder of an owner that is gone; says whether the place is free.
fn remove_left(path: &Path, lock: &Path) -> bool {
    if lock.symlink_metadata().is_err() {
        // Without a lock it is somebody else's.
        return path.symlink_metadata().is_err();
    }
    let Ok(file) = fs::OpenOptions::new().read(true).write(true).open(lock) else { return false };
    if file.try_lock().is_err() {
        return false;
    }
    let is_folder = path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
    (!is_folder || fs::remove_dir_all(path).is_ok()) && {
        drop(file);
        remove_if_left(lock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn folders_of_the_dead_are_removed_and_those_of_the_living_stay() {
        let place = tempfile::tempdir().unwrap();
        for number in [1, 2, 3] {
            let (path, lock) = names(place.path(), number);
            fs::create_dir(&path).unwrap();
            fs::write(path.join("coded"), "half").unwrap();
            fs::write(&lock, "").unwrap();
        }
        let living = File::open(names(place.path(), 2).1).unwrap();
        living.lock().unwrap();
        let own = Scratch::new(Some(place.path())).unwrap();
        assert_eq!(own.path(), names(place.path(), 1).0);
        assert_eq!(listed(own.path()), [""; 0]);
        let other = Scratch::new(Some(place.path())).unwrap();
        assert_eq!(other.path(), names(place.path(), 3).0);
        drop((own, other));
        assert_eq!(listed(place.path()), [".secateur-scratch-2.lock", "secateur-scratch-2"]);
    }

    #[test]
    fn a_folder_of_somebody_else_is_left_alone() {
        let place = tempfile::tempdir().unwrap();
        let theirs = names(place.path(), 1).0;
        fs::create_dir(&theirs).unwrap();
        fs::write(theirs.join("notes"), "kept").unwrap();
        let own = Scratch::new(Some(place.path())).unwrap();
        assert_ne!(own.path(), theirs);
        drop(own);
        assert_eq!(listed(&theirs), ["notes"]);
    }

    #[test]
    fn a_place_that_is_not_there_is_an_error() {
        let place = tempfile::tempdir().unwrap();
        let error = Scratch::new(Some(&place.path().join("nowhere"))).err().unwrap();
        assert!(error.to_string().contains("nowhere"), "{error}");
    }
}
