//! A folder for what is needed only while a program runs.
//!
//! It is called `secateur-scratch-` with a name that nobody can foresee, is open to its owner only, and has a lock beside it. Whoever
//! makes one removes those whose owner was killed: nobody holds their lock.

use std::fs::{self, DirBuilder, File};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use super::listed::Listed;
use super::temporary_file::{create, left};
use crate::error::{Error, Result};

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
        remove_left(within);
        loop {
            let (path, lock) = names(within, RandomState::new().hash_one(within));
            match create(&lock, true) {
                Ok(Some(locked)) => {
                    let listed = [Listed::new(&path), Listed::new(&lock)];
                    let made = Self { path, lock, _locked: locked, listed };
                    folder(&made.path)?;
                    return Ok(made);
                }
                // Another owner has taken it for one that is left over.
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
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

/// How a folder is called; its lock has a dot before it and an ending.
const NAME: &str = "secateur-scratch-";
const LOCK: &str = ".lock";

fn names(within: &Path, number: u64) -> (PathBuf, PathBuf) {
    let name = format!("{NAME}{number:016x}");
    (within.join(&name), within.join(format!(".{name}{LOCK}")))
}

/// Makes a folder that is open to its owner only.
fn folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Removes the folders of owners that are gone.
fn remove_left(within: &Path) {
    // A place that cannot be looked at can have room all the same.
    for entry in fs::read_dir(within).into_iter().flatten().flatten() {
        let (file, lock) = (entry.file_name(), entry.path());
        let name = file.to_str().and_then(|name| name.strip_prefix('.')?.strip_suffix(LOCK));
        let Some(name) = name.filter(|name| name.starts_with(NAME)) else { continue };
        if let Some(_locked) = left(&lock) {
            let path = within.join(name);
            let is_folder = path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
            // What cannot be removed now is removed by the next one.
            let _ = (!is_folder || fs::remove_dir_all(path).is_ok()) && fs::remove_file(lock).is_ok();
        }
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
        assert_eq!(listed(own.path()), [""; 0]);
        let other = Scratch::new(Some(place.path())).unwrap();
        assert!(own.path().is_dir() && own.path() != other.path());
        drop((own, other));
        let (path, lock) = names(place.path(), 2);
        let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
        assert_eq!(listed(place.path()), [name(&lock), name(&path)]);
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_look_into_it() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        let own = Scratch::new(Some(place.path())).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(own.path()), mode(&own.lock)), (0o700, 0o600));
    }

    #[test]
    fn many_at_once_do_not_disturb_each_other() {
        let place = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let own = Scratch::new(Some(place.path())).unwrap();
                        fs::write(own.path().join("coded"), "half").unwrap();
                        std::thread::yield_now();
                        assert_eq!(listed(own.path()), ["coded"]);
                    }
                });
            }
        });
        assert_eq!(listed(place.path()), [""; 0]);
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
