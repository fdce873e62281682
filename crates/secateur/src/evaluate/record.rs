//! What one tree of an experiment came to, and the file that such records are appended to.
//!
//! The file is one JSON object per line: first the experiment, then the records in a fixed order, whole units at a time.
//! A run that was killed leaves a beginning of the file that an uninterrupted run writes; going on from there ends with the
//! same bytes. Times differ from run to run, so they stand in a file of their own beside it (`NAME.seconds`).

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::measures::Measured;
use crate::error::{Error, Place, Result};

/// One tree of an experiment, measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The data set's name.
    pub dataset: String,
    /// The scheme's name.
    pub scheme: String,
    /// The repetition, from 0.
    pub repeat: u32,
    /// The fold within it, from 0.
    pub fold: u32,
    /// The share of the training rows that was used.
    #[serde(default = "whole", skip_serializing_if = "is_whole")]
    pub share: f64,
    /// Rows learned from.
    pub train: usize,
    /// Rows judged on.
    pub test: usize,
    /// What was measured; `None` when the scheme failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
    /// The same on the rows learned from, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_training: Option<Measured>,
    /// The same on the rows chosen on, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_validation: Option<Measured>,
    /// Why there is nothing measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Seconds for fitting and for its part after growing; in a file of their own.
    #[serde(skip)]
    pub seconds: Option<(f64, f64)>,
}

fn whole() -> f64 {
    1.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_whole(share: &f64) -> bool {
    *share == 1.0
}

impl Record {
    /// A measured number; times included.
    pub fn get(&self, measure: &str) -> Option<f64> {
        match (measure, self.seconds) {
            ("fit-seconds", Some((fit, _))) => Some(fit),
            ("prune-seconds", Some((_, prune))) => Some(prune),
            _ => self.measured.as_ref()?.get(measure),
        }
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

/// One line of the times.
#[derive(Serialize, Deserialize)]
struct Times(Option<f64>, Option<f64>);

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

impl Journal {
    /// Opens a result file and reads the whole units that are in it; `header` says what experiment it holds, `unit` how many
    /// records belong together. What follows the last whole unit is cut off.
    pub fn open(path: &Path, header: &serde_json::Value, unit: usize) -> Result<(Self, Vec<Record>)> {
        let failed = |path: &Path| {
            let path = path.to_path_buf();
            move |source| Error::Write { file: path, source }
        };
        let seconds_path = with_suffix(path, ".seconds");
        let open = |path: &Path| {
            OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(path)
                .map_err(failed(path))
        };
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
        let first = format!("{header}\n");
        let mut reader = BufReader::new(&mut file);
        let mut line = Vec::new();
        let read_line = |reader: &mut BufReader<&mut File>, line: &mut Vec<u8>| -> Result<bool> {
            line.clear();
            let got = reader.read_until(b'\n', line).map_err(failed(path))?;
            Ok(got > 0 && line.ends_with(b"\n"))
        };
        let mut records: Vec<Record> = Vec::new();
        let mut end = 0u64;
        let whole = read_line(&mut reader, &mut line)?;
        if whole || !first.as_bytes().starts_with(&line) {
            if line != first.as_bytes() {
                return Err(Error::input(
                    Place::file(path.display().to_string()).line(1),
                    "the file holds something else, or the results of another experiment; name another file, or remove it",
                ));
            }
            end = line.len() as u64;
            let mut offset = end;
            while read_line(&mut reader, &mut line)? {
                let place = || Place::file(path.display().to_string()).line(records.len() as u64 + 2);
                let record: Record = serde_json::from_slice(&line)
                    .map_err(|e| Error::input(place(), format!("not a record of this program: {e}")))?;
                records.push(record);
                offset += line.len() as u64;
                if records.len().is_multiple_of(unit) {
                    end = offset;
                }
            }
            records.truncate(records.len() / unit * unit);
        }
        drop(reader);
        let mut seconds = open(&seconds_path)?;
        file.set_len(end).map_err(failed(path))?;
        file.seek(SeekFrom::End(0)).map_err(failed(path))?;
        if end == 0 {
            file.write_all(first.as_bytes()).map_err(failed(path))?;
        }
        // The times are written first, so every record that is there has its own.
        let mut text = String::new();
        match seconds.read_to_string(&mut text) {
            Ok(_) => {}
            Err(e) if e.kind() == ErrorKind::InvalidData => text.clear(),
            Err(e) => return Err(failed(&seconds_path)(e)),
        }
        let mut kept = 0;
        for (record, line) in records.iter_mut().zip(text.split_inclusive('\n')) {
            let Ok(Times(fit, prune)) = serde_json::from_str(line) else { break };
            record.seconds = fit.zip(prune);
            kept += line.len() as u64;
        }
        seconds.set_len(kept).map_err(failed(&seconds_path))?;
        seconds.seek(SeekFrom::End(0)).map_err(failed(&seconds_path))?;
        Ok((Self { path: path.to_path_buf(), file, seconds_path, seconds }, records))
    }

    /// Appends the records of one unit.
    pub fn append(&mut self, records: &[Record]) -> Result<()> {
        let (mut lines, mut times) = (Vec::new(), Vec::new());
        for record in records {
            let seconds = Times(record.seconds.map(|s| s.0), record.seconds.map(|s| s.1));
            // A line of text always becomes JSON.
            let json = |e: serde_json::Error| Error::parameter(format!("a record cannot be written: {e}"));
            serde_json::to_writer(&mut lines, record).map_err(json)?;
            serde_json::to_writer(&mut times, &seconds).map_err(json)?;
            lines.push(b'\n');
            times.push(b'\n');
        }
        let failed = |file: &Path| {
            let file = file.to_path_buf();
            move |source| Error::Write { file, source }
        };
        self.seconds.write_all(&times).map_err(failed(&self.seconds_path))?;
        self.file.write_all(&lines).map_err(failed(&self.path))
    }

    /// Makes sure that all is on the disk.
    pub fn finish(self) -> Result<()> {
        self.file.sync_all().map_err(|source| Error::Write { file: self.path.clone(), source })
    }
}
