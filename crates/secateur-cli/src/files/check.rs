//! A call is refused, before any work, that would destroy what it reads.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command};

use secateur::tree::Model;

use super::identity::Identity;
use super::{Use, uses};
use crate::failure::{Failure, Result};

/// The files of a call, each with the argument that names it.
#[derive(Default)]
struct Files {
    reads: Vec<(String, Identity)>,
    /// The folders that files are read from.
    folders: Vec<(String, Option<PathBuf>)>,
    writes: Vec<(String, PathBuf)>,
    /// Those among them that are models.
    models: Vec<PathBuf>,
    /// The folders that files are written into.
    into: Vec<(String, PathBuf)>,
    /// What is written, as far as it has been checked.
    written: Vec<(String, Identity)>,
}

/// Refuses a call, before any work, that would write over a file it reads or write two things to one file; and places where
/// nothing can be written.
pub fn check(command: &Command, call: &ArgMatches) -> Result<()> {
    if let Some((name, call)) = call.subcommand() {
        return command.find_subcommand(name).map_or(Ok(()), |command| check(command, call));
    }
    let mut files = Files::of(command, call);
    files.check_streams()?;
    files.check_folders()?;
    files.check_writes()
}

impl Files {
    fn of(command: &Command, call: &ArgMatches) -> Self {
        let mut all = Self::default();
        for arg in command.get_arguments() {
            for one in uses(arg, call) {
                match one {
                    Use::Reads(files) => {
                        let known = files.iter().filter_map(|file| Some((title(arg), Identity::of(file)?)));
                        all.reads.extend(known);
                        all.folders.extend(files.iter().map(|file| (title(arg), folder_of(file))));
                    }
                    Use::ReadsInput => {
                        let id = Identity::of_stream(io::stdin());
                        all.reads.extend(id.map(|id| ("standard input".into(), id)));
                    }
                    Use::WritesInto(folder) => all.into.push((title(arg), folder)),
                    Use::WritesModel(file) => {
                        all.models.push(file.clone());
                        all.writes.push((title(arg), file));
                    }
                    Use::Writes(files) => {
                        all.writes.extend(files.into_iter().map(|file| (title(arg), file)));
                    }
                }
            }
        }
        all
    }

    /// The argument by which a file is read.
    fn read_as(&self, id: &Identity) -> Option<&str> {
        self.reads.iter().find(|(_, other)| other == id).map(|(name, _)| name.as_str())
    }

    /// What the shell sends somewhere is written too.
    fn check_streams(&mut self) -> Result<()> {
        for (name, id) in [
            ("standard output", Identity::of_stream(io::stdout())),
            ("standard error", Identity::of_stream(io::stderr())),
        ] {
            let Some(id) = id else { continue };
            if let Some(read) = self.read_as(&id) {
                return Err(Failure::call(format!(
                    "{name} goes to the file that is read as {read}; name another file for it"
                )));
            }
            self.written.push((name.into(), id));
        }
        Ok(())
    }

    fn check_folders(&self) -> Result<()> {
        for (arg, folder) in &self.into {
            let Ok(place) = fs::canonicalize(folder) else { continue };
            if !place.is_dir() {
                return Err(Failure::call(format!("{}: {arg} is a file; name a folder", folder.display())));
            }
            if let Some((read, _)) = self.folders.iter().find(|(_, other)| other.as_ref() == Some(&place)) {
                return Err(Failure::call(format!(
                    "{}: {arg} would write over files beside the one that is read as {read}; name another folder",
                    folder.display()
                )));
            }
        }
        Ok(())
    }

    fn check_writes(&mut self) -> Result<()> {
        for (arg, file) in std::mem::take(&mut self.writes) {
            check_place(&file)?;
            let Some(id) = Identity::of(&file) else { continue };
            if let Some(read) = self.read_as(&id) {
                return Err(Failure::call(format!(
                    "{}: {arg} would write over the file that is read as {read}; name another file",
                    file.display()
                )));
            }
            if let Some((other, _)) = self.written.iter().find(|(_, other)| *other == id) {
                return Err(Failure::call(format!(
                    "{}: {arg} would write over what is written as {other}; name another file",
                    file.display()
                )));
            }
            if !self.models.contains(&file) && holds_model(&file) {
                return Err(Failure::call(format!(
                    "{}: this file is a model, and {arg} would put something else in its place; name another file, or delete it first",
                    file.display()
                )));
            }
            self.written.push((arg, id));
        }
        Ok(())
    }
}

/// Whether a file starts like a saved model.
fn holds_model(path: &Path) -> bool {
    // Opening a pipe or a terminal would wait for somebody to write into it.
    if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    let mut head = Vec::new();
    // A file that cannot be read is not a model.
    let read = fs::File::open(path).and_then(|file| file.take(200).read_to_end(&mut head));
    head.retain(|byte| !byte.is_ascii_whitespace());
    read.is_ok() && head.starts_with(format!("{{\"format\":\"{}\"", Model::FORMAT).as_bytes())
}

/// The folder that a file stands in.
fn folder_of(file: &Path) -> Option<PathBuf> {
    fs::canonicalize(file).ok()?.parent().map(Path::to_path_buf)
}

/// How help calls an argument.
pub(super) fn title(arg: &Arg) -> String {
    match (arg.get_long(), arg.get_value_names()) {
        (Some(long), _) => format!("--{long}"),
        (None, Some([name, ..])) => name.to_string(),
        (None, _) => arg.get_id().as_str().to_uppercase(),
    }
}

/// Refuses a place where no file can be.
fn check_place(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(Failure::call(format!("{}: there is no such folder to write into", path.display())));
    }
    if path.is_dir() {
        return Err(Failure::call(format!("{}: this is a folder; name a file", path.display())));
    }
    Ok(())
}
