//! The coded rows of a table in a file, chunk by chunk.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::shard::{Add, Answer, Ask, Chunk, Coding, Counter, Held, HeldAnswer, Holder, Layout, Taken, take};
use crate::threads;
use crate::write::Scratch;

/// Where a chunk lies.
#[derive(Debug, Clone, Copy)]
struct Place {
    at: u64,
    rows: usize,
}

/// Coded rows in a file.
pub(super) struct Cache<'a> {
    file: File,
    path: PathBuf,
    row_bytes: usize,
    chunks: Mutex<Vec<Place>>,
    scratch: &'a Scratch,
    progress: &'a dyn Progress,
    passes: AtomicUsize,
    spills: AtomicUsize,
}

fn open<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Cache<'a> {
    /// An empty file in a scratch folder.
    pub(super) fn new(scratch: &'a Scratch, coding: &Coding, progress: &'a dyn Progress) -> Result<Self> {
        let path = scratch.path().join("coded");
        let file = created(&path)?;
        Ok(Self {
            file,
            path,
            row_bytes: coding.row_bytes(),
            chunks: Mutex::default(),
            scratch,
            progress,
            passes: AtomicUsize::new(0),
            spills: AtomicUsize::new(0),
        })
    }

    /// Adds a chunk.
    pub(super) fn push(&self, chunk: &Chunk) -> Result<()> {
        let rows = chunk.rows();
        if rows == 0 {
            return Ok(());
        }
        let bytes = chunk.to_bytes();
        let at = {
            let mut chunks = open(&self.chunks);
            let at = chunks.last().map_or(0, |last| last.at + (last.rows * self.row_bytes) as u64);
            chunks.push(Place { at, rows });
            at
        };
        write_at(&self.file, &bytes, at).map_err(|source| full(&self.path, source))
    }

    /// The rows.
    pub(super) fn rows(&self) -> u64 {
        open(&self.chunks).iter().map(|place| place.rows as u64).sum()
    }

    /// The bytes of the file.
    pub(super) fn bytes(&self) -> u64 {
        self.rows() * self.row_bytes as u64
    }

    /// The passes over the rows so far.
    pub(super) fn passes(&self) -> usize {
        self.passes.load(Ordering::Relaxed)
    }

    /// Reads all chunks, with the columns that are needed; every thread adds to something of its own, and all are returned at the end.
    fn each<T: Send>(
        &self,
        coding: &Coding,
        what: &str,
        needed: &[bool],
        new: impl Fn() -> T + Sync,
        add: impl Fn(&mut T, &Chunk) -> Result<()> + Sync,
    ) -> Result<Vec<T>> {
        let chunks = open(&self.chunks).clone();
        let pass = self.passes.fetch_add(1, Ordering::Relaxed) + 1;
        let rows = chunks.iter().map(|place| place.rows as u64).sum();
        self.progress.stage_of_rows(&format!("pass {pass}: {what}"), rows);
        let next = AtomicUsize::new(0);
        let layout = Layout::new(coding);
        threads::try_map(threads::count(), |_| {
            let mut own = new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(place) = chunks.get(number) else { return Ok(own) };
                if self.progress.cancelled() {
                    return Err(Error::Cancelled);
                }
                let chunk = self.chunk(coding, &layout, *place, needed)?;
                add(&mut own, &chunk)?;
                self.progress.advance(place.rows as u64);
            }
        })
    }

    fn chunk(&self, coding: &Coding, layout: &Layout, place: Place, needed: &[bool]) -> Result<Chunk> {
        Chunk::from_parts(coding, place.rows, |part| {
            if needed.get(part) == Some(&false) {
                return Ok(None);
            }
            let range = layout.range(part, place.rows);
            let mut bytes = vec![0; range.len()];
            read_at(&self.file, &mut bytes, place.at + range.start as u64)
                .map_err(|source| Error::reading(&self.path.to_string_lossy(), source))?;
            Ok(Some(bytes))
        })
    }
}

fn sum<A: Add>(parts: impl Iterator<Item = A>) -> Result<A> {
    let mut all: Option<A> = None;
    for part in parts {
        match &mut all {
            None => all = Some(part),
            Some(all) => all.add(part)?,
        }
    }
    all.ok_or_else(|| Error::internal("no thread counts"))
}

impl Cache<'_> {
    /// Counts the rows.
    pub(super) fn ask(&self, coding: &Coding, question: &Ask) -> Result<Answer> {
        let nodes = question.wanted().count();
        let what = if nodes == 1 { "one node".to_string() } else { format!("{nodes} nodes") };
        let new = || Counter::new(coding, question);
        let add = |counter: &mut Counter, chunk: &Chunk| {
            counter.add(chunk);
            Ok(())
        };
        let parts = self.each(coding, &what, &question.columns(coding), new, add)?;
        sum(parts.into_iter().map(Counter::finish))
    }

    /// Sends held-out rows down trees.
    pub(super) fn hold(&self, coding: &Coding, question: &Held) -> Result<HeldAnswer> {
        // Rows that go several ways are handed over with all their columns.
        let can_part = question.ask.trees.iter().any(|tree| tree.has_parts(coding));
        let needed = if can_part { vec![true; coding.width()] } else { question.ask.columns(coding) };
        let new = || Holder::new(coding, question);
        let add = |holder: &mut Holder, chunk: &Chunk| {
            holder.add(chunk);
            Ok(())
        };
        let parts = self.each(coding, "held-out rows", &needed, new, add)?;
        sum(parts.into_iter().map(Holder::finish))
    }

    /// Hands over the rows of nodes, one group at a time.
    pub(super) fn take(
        &self,
        coding: &Coding,
        question: &Ask,
        groups: &[u32],
        give: &mut dyn FnMut(usize, Taken) -> Result<()>,
    ) -> Result<()> {
        let needed = vec![true; coding.width()];
        let nodes = groups.len();
        let what = if nodes == 1 { "into memory".to_string() } else { format!("{nodes} nodes into memory") };
        if groups.iter().all(|group| *group == groups[0]) {
            let new = || -> Vec<Vec<Taken>> { groups.iter().map(|_| Vec::new()).collect() };
            let add = |own: &mut Vec<Vec<Taken>>, chunk: &Chunk| {
                own.iter_mut().zip(take(coding, question, chunk)).for_each(|(own, taken)| own.extend(taken));
                Ok(())
            };
            let parts = self.each(coding, &what, &needed, new, add)?;
            let mut nodes: Vec<Vec<Taken>> = groups.iter().map(|_| Vec::new()).collect();
            for part in parts {
                nodes.iter_mut().zip(part).for_each(|(all, own)| all.extend(own));
            }
            return nodes.into_iter().enumerate().try_for_each(|(number, taken)| {
                Taken::joined(taken).map_or(Ok(()), |taken| give(number, taken))
            });
        }
        // The rows of every group go to a file of their own, from which they are read one group at a time.
        let spill = Spill::new(self, groups)?;
        let add = |(): &mut (), chunk: &Chunk| {
            let taken = take(coding, question, chunk).into_iter().enumerate();
            taken
                .filter_map(|(node, taken)| Some((node, taken?)))
                .try_for_each(|(node, taken)| spill.push(node, groups[node], &taken))
        };
        self.each(coding, &what, &needed, || (), add)?;
        spill.each(coding, groups, give)
    }
}

/// Rows of nodes on their way to memory, in a file for every group.
struct Spill {
    files: Vec<(PathBuf, File, Mutex<u64>)>,
    /// For every node where its rows lie in the file of its group.
    places: Vec<Mutex<Vec<SpillPlace>>>,
}

#[derive(Debug, Clone, Copy)]
struct SpillPlace {
    at: u64,
    rows: usize,
    bare: usize,
    weights: bool,
    shares: bool,
}

impl Spill {
    fn new(cache: &Cache, groups: &[u32]) -> Result<Self> {
        let number = cache.spills.fetch_add(1, Ordering::Relaxed);
        let count = groups.iter().copied().max().map_or(0, |last| last + 1);
        let file = |group: u32| {
            let path = cache.scratch.path().join(format!("nodes-{number}-{group}"));
            let file = created(&path)?;
            Ok((path, file, Mutex::new(0)))
        };
        let files = (0..count).map(file).collect::<Result<_>>()?;
        Ok(Self { files, places: groups.iter().map(|_| Mutex::default()).collect() })
    }

    fn push(&self, node: usize, group: u32, taken: &Taken) -> Result<()> {
        let mut bytes = taken.rows.bare_bytes();
        let bare = bytes.len();
        let numbers = |list: &Option<Vec<f64>>, bytes: &mut Vec<u8>| {
            list.iter().flatten().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
            list.is_some()
        };
        let weights = numbers(&taken.rows.weights, &mut bytes);
        let shares = numbers(&taken.shares, &mut bytes);
        let (path, file, end) = &self.files[group as usize];
        let at = {
            let mut end = open(end);
            let at = *end;
            *end += bytes.len() as u64;
            at
        };
        open(&self.places[node]).push(SpillPlace { at, rows: taken.rows.rows(), bare, weights, shares });
        write_at(file, &bytes, at).map_err(|source| full(path, source))
    }

    /// Hands the rows over, group by group; the file of a group that is done is removed.
    fn each(
        self,
        coding: &Coding,
        groups: &[u32],
        give: &mut dyn FnMut(usize, Taken) -> Result<()>,
    ) -> Result<()> {
        for (group, (path, file, _)) in (0u32..).zip(&self.files) {
            for node in (0..groups.len()).filter(|node| groups[*node] == group) {
                let places = std::mem::take(&mut *open(&self.places[node]));
                let read = |place: &SpillPlace| -> Result<Taken> {
                    let lists = usize::from(place.weights) + usize::from(place.shares);
                    let mut bytes = vec![0; place.bare + 8 * place.rows * lists];
                    read_at(file, &mut bytes, place.at)
                        .map_err(|source| Error::reading(&path.to_string_lossy(), source))?;
                    let (bare, mut rest) = bytes.split_at(place.bare);
                    let mut next = |is_there: bool| {
                        is_there.then(|| {
                            let (own, tail) = rest.split_at(8 * place.rows);
                            rest = tail;
                            own.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect::<Vec<f64>>()
                        })
                    };
                    let (weights, shares) = (next(place.weights), next(place.shares));
                    Ok(Taken { rows: Chunk::from_bare(coding, bare, weights)?, shares })
                };
                let taken = threads::try_map(places.len(), |i| read(&places[i]))?;
                Taken::joined(taken).map_or(Ok(()), |taken| give(node, taken))?;
            }
            // What cannot be removed goes with the folder.
            let _ = std::fs::remove_file(path);
        }
        Ok(())
    }
}

impl Drop for Spill {
    fn drop(&mut self) {
        for (path, ..) in &self.files {
            let _ = std::fs::remove_file(path);
        }
    }
}

fn created(path: &Path) -> Result<File> {
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(path);
    file.map_err(|source| Error::Write { file: path.to_path_buf(), source })
}

/// Why coded rows could not be written.
fn full(path: &Path, source: io::Error) -> Error {
    if matches!(
        source.kind(),
        io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge
            | io::ErrorKind::WriteZero
    ) {
        let folder = path.parent().and_then(Path::parent).unwrap_or(path);
        let problem = "there is no room left for the coded rows; name another scratch folder, or make room";
        return Error::Write { file: folder.into(), source: io::Error::new(source.kind(), problem) };
    }
    Error::Write { file: path.to_path_buf(), source }
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn write_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let count = std::os::windows::fs::FileExt::seek_write(file, bytes, at)?;
        (bytes, at) = (&bytes[count..], at + count as u64);
    }
    Ok(())
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => (bytes, at) = (&mut bytes[count..], at + count as u64),
        }
    }
    Ok(())
}
