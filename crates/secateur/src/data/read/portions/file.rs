//! A file that is read at places, by several threads at once, and that must not change meanwhile.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::error::{Error, Place, Result};

/// An open file. It takes no memory, and ends in an error when it is cut off.
#[derive(Clone)]
pub(in super::super) struct InPlaces {
    file: Arc<File>,
    path: PathBuf,
    state: State,
}

/// What shows that a file has changed.
#[derive(Debug, Clone, Copy, PartialEq)]
struct State {
    length: u64,
    changed: Option<SystemTime>,
}

impl State {
    fn of(metadata: &Metadata) -> Self {
        Self { length: metadata.len(), changed: metadata.modified().ok() }
    }
}

impl InPlaces {
    pub(in super::super) fn open(path: &Path) -> Result<Self> {
        let name = path.to_string_lossy();
        let failed = |source| Error::reading(&name, source);
        let file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            return Err(Error::input(
                Place::file(name),
                "it is not a regular file and cannot be read twice, as a table larger than memory has to be; save it to a file first",
            ));
        }
        Ok(Self { file: Arc::new(file), path: path.to_path_buf(), state: State::of(&metadata) })
    }

    pub(in super::super) fn len(&self) -> u64 {
        self.state.length
    }

    pub(in super::super) fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// The first bytes, at most this many.
    pub(in super::super) fn beginning(&self, most: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0; most.min(self.len() as usize)];
        read_at(&self.file, &mut bytes, 0).map_err(|source| Error::reading(&self.name(), source))?;
        Ok(bytes)
    }

    /// The bytes from a place on.
    pub(in super::super) fn reader(&self, at: u64) -> Reader {
        Reader { file: self.file.clone(), at }
    }

    /// Some bytes, all of them.
    #[cfg(feature = "parquet")]
    pub(in super::super) fn bytes(&self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        read_at(&self.file, &mut bytes, at)?;
        Ok(bytes)
    }

    /// Fails if the file is not what it was when it was opened.
    pub(in super::super) fn check(&self) -> Result<()> {
        let now = std::fs::metadata(&self.path).map_err(|source| Error::reading(&self.name(), source))?;
        let open = self.file.metadata().map_err(|source| Error::reading(&self.name(), source))?;
        if State::of(&now) == self.state && State::of(&open) == self.state {
            return Ok(());
        }
        Err(Error::input(
            Place::file(self.name()),
            "it was changed while it was being read; leave it as it is, and start again",
        ))
    }
}

/// Reads from a place on.
pub(in super::super) struct Reader {
    file: Arc<File>,
    at: u64,
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = read_some(&self.file, buffer, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

#[cfg(unix)]
fn read_some(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

#[cfg(windows)]
fn read_some(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, at)
}

fn read_at(file: &File, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match read_some(file, buffer, at) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                buffer = &mut buffer[count..];
                at += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
