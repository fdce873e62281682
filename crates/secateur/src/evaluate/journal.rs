//! Result files: one JSON object per line, appended as the work is done.
//!
//! A file begins with a line that says whose results it holds, then come the records in a fixed order, whole units at a time. A run that
//! was killed leaves a beginning of what an uninterrupted run writes, and resuming it ends with the same bytes. Schemes that are
//! added later come in a section of their own at the end, again with a line that says whose results follow: nothing that
//! stands there is ever written anew. Every line ends with a checksum ([`sealed`](super::sealed)). Times differ from run to
//! run, so they stand in a file of their own beside it (`NAME.seconds`), one line for every record.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;
use serde_json::Value;

use super::sealed::{Seal, seal, sealed};
use super::{Experiment, Named, Record};
use crate::error::{Error, Place, Result};

/// Some schemes on the divisions of an experiment, from the first division on.
#[derive(Debug, Default)]
pub(super) struct Section {
    /// The places of the schemes among those of the experiment.
    pub schemes: Vec<usize>,
    /// Their records, whole units.
    pub records: Vec<Record>,
    /// Whether the file has its first line.
    pub begun: bool,
}

impl Section {
    /// The schemes themselves.
    pub(super) fn of<'e>(&self, experiment: &'e Experiment) -> Vec<&'e Named> {
        self.schemes.iter().map(|&place| &experiment.schemes[place]).collect()
    }
}

/// Result files, open for appending.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    seconds_path: PathBuf,
    seconds: File,
}

/// The line of a record's times.
fn times_of(record: &Record) -> Result<String> {
    sealed(&(record.seconds.map(|s| s.0), record.seconds.map(|s| s.1)))
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> Error {
    let path = path.to_path_buf();
    move |source| Error::Write { file: path.clone(), source }
}

fn open(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).open(path).map_err(failed(path))
}

impl Journal {
    /// Opens a result file of an experiment with this many units, and reads the sections that are in it. What follows the last whole
    /// unit is cut off.
    pub(super) fn open(path: &Path, experiment: &Experiment, total: usize) -> Result<(Self, Vec<Section>)> {
        let mut file = open(path)?;
        if !file.metadata().map_err(failed(path))?.is_file() {
            return Err(Error::parameter(format!(
                "{}: results are kept in a plain file, which this is not",
                path.display()
            )));
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => {
                return Err(Error::parameter(format!(
                    "{} is being written by another run; wait for it, or name another file",
                    path.display()
                )));
            }
            // A file system without locks.
            Err(std::fs::TryLockError::Error(_)) => {}
        }
        let (mut sections, end) = Reading { path, experiment, total }.all(&mut file)?;
        let seconds_path = times_beside(path);
        let mut seconds = open(&seconds_path)?;
        if !holds_times(&mut seconds).map_err(failed(&seconds_path))? {
            return Err(Error::input(
                Place::file(seconds_path.display().to_string()).line(1),
                "times of the results stand here, and the file holds something else; name another file for the results, \
                 or remove this one",
            ));
        }
        file.set_len(end).map_err(failed(path))?;
        file.seek(SeekFrom::End(0)).map_err(failed(path))?;
        let records = sections.iter_mut().flat_map(|section| &mut section.records);
        times(&mut seconds, records).map_err(failed(&seconds_path))?;
        Ok((Self { path: path.to_path_buf(), file, seconds_path, seconds }, sections))
    }

    /// Begins a section.
    pub(super) fn begin(&mut self, header: &Value) -> Result<()> {
        self.file.write_all(sealed(header)?.as_bytes()).map_err(failed(&self.path))
    }

    /// Appends the records of one unit.
    pub(super) fn append(&mut self, records: &[Record]) -> Result<()> {
        let (mut lines, mut times) = (String::new(), String::new());
        for record in records {
            lines += &sealed(record)?;
            times += &times_of(record)?;
        }
        // The times first, so that every record that is there has its own.
        self.seconds.write_all(times.as_bytes()).map_err(failed(&self.seconds_path))?;
        self.file.write_all(lines.as_bytes()).map_err(failed(&self.path))
    }

    /// Makes sure that all is on the disk.
    pub(super) fn finish(self) -> Result<()> {
        self.file.sync_all().map_err(failed(&self.path))
    }
}

/// The file of times beside a result file.
pub fn times_beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".seconds");
    name.into()
}

/// Whether a file is empty or begins as one of times does.
fn holds_times(file: &mut File) -> std::io::Result<bool> {
    let mut first = [0];
    let got = file.read(&mut first)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(got == 0 || first == *b"[")
}

/// Gives records their times and leaves the file with one line for each of them. Times that are gone or damaged are unknown.
fn times<'a>(file: &mut File, records: impl Iterator<Item = &'a mut Record>) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let mut whole = Vec::new();
    for record in records {
        let line = lines.next().filter(|line| seal(line) == Seal::Whole);
        let parsed = line.and_then(|line| serde_json::from_slice(line).ok());
        if let Some((fit, prune, IgnoredAny)) = parsed {
            record.seconds = Option::zip(fit, prune);
        }
        let again = times_of(record).map_err(std::io::Error::other)?;
        whole.extend_from_slice(again.as_bytes());
    }
    if !bytes.starts_with(&whole) {
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&whole)?;
    }
    file.set_len(whole.len() as u64)?;
    file.seek(SeekFrom::End(0))?;
    Ok(())
}

/// A result file on its way in.
struct Reading<'a> {
    path: &'a Path,
    experiment: &'a Experiment,
    total: usize,
}

impl Reading<'_> {
    /// All sections, and where the last whole unit ends.
    fn all(&self, file: &mut File) -> Result<(Vec<Section>, u64)> {
        let mut reader = BufReader::new(file);
        let (mut sections, mut line) = (Vec::<Section>::new(), Vec::new());
        let (mut number, mut offset, mut end) = (0, 0, 0);
        loop {
            line.clear();
            let length = reader.read_until(b'\n', &mut line).map_err(failed(self.path))?;
            number += 1;
            if !line.ends_with(b"\n") {
                // What a kill leaves of a line; the first one must be ours all the same.
                if number == 1 && !self.begins(&line)? {
                    return Err(self.other(1));
                }
                break;
            }
            offset += length as u64;
            let object = self.object(number, &line)?;
            if object.get("secateur").is_some() {
                let last = sections.last();
                if last.is_some_and(|last| last.records.len() != self.total * self.unit(last)) {
                    return Err(self.problem(number, "the results before this line are not complete"));
                }
                let known = sections.iter().flat_map(|section| section.schemes.iter().copied()).collect();
                let schemes = self.experiment.resumes(&object, known);
                let schemes = schemes.map_err(|problem| self.problem(number, &problem))?;
                sections.push(Section { schemes, records: Vec::new(), begun: true });
                end = offset;
                continue;
            }
            let Some(section) = sections.last_mut() else { return Err(self.other(1)) };
            let record: Record = serde_json::from_value(object)
                .map_err(|e| self.problem(number, &format!("not a record of this program: {e}")))?;
            if let Some(problem) = record.problem() {
                return Err(self.problem(number, &format!("not a record of this program: {problem}")));
            }
            if !self.experiment.comes_next(section, &record) {
                return Err(
                    self.problem(number, "this record is not the one that comes next in this experiment")
                );
            }
            section.records.push(record);
            if section.records.len().is_multiple_of(self.unit(section)) {
                end = offset;
            }
        }
        if let Some(section) = sections.last_mut() {
            let unit = self.unit(section);
            section.records.truncate(section.records.len() / unit * unit);
        }
        Ok((sections, end))
    }

    /// Whether half a line is how a file of this experiment begins, whatever its schemes are.
    fn begins(&self, line: &[u8]) -> Result<bool> {
        let own = sealed(&self.experiment.header(&[]))?;
        let (common, _) = own.split_once("\"schemes\":[").unwrap_or((&own, ""));
        Ok(common.as_bytes().starts_with(line) || line.starts_with(common.as_bytes()))
    }

    /// The records of one division.
    fn unit(&self, section: &Section) -> usize {
        self.experiment.shares.len() * section.schemes.len()
    }

    /// The object of a whole line.
    fn object(&self, number: u64, line: &[u8]) -> Result<Value> {
        let object = serde_json::from_slice::<Value>(line);
        let is_ours =
            |value: &Value| number > 1 || value.get("secateur").is_some_and(|name| name == "results");
        match (seal(line), object) {
            (Seal::Whole, Ok(object)) if is_ours(&object) => Ok(object),
            (Seal::None, Ok(object)) if number == 1 && is_ours(&object) => {
                Err(self
                    .problem(number, "it was written by an older version of this program, without checksums"))
            }
            (Seal::Broken, _) => {
                Err(self.problem(number, "this line was changed: its checksum does not fit"))
            }
            _ if number == 1 => Err(self.other(number)),
            (_, Err(e)) => Err(self.problem(number, &format!("not a record of this program: {e}"))),
            (_, Ok(_)) => Err(self.problem(number, "not a record of this program: it has no checksum")),
        }
    }

    fn other(&self, number: u64) -> Error {
        self.problem(number, "the file holds something else than results")
    }

    fn problem(&self, number: u64, problem: &str) -> Error {
        let place = Place::file(self.path.display().to_string()).line(number);
        Error::input(place, format!("{problem}; name another file, or remove this one"))
    }
}
