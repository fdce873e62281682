//! The files that a call names: what it reads, what it writes, and the refusal to write over what it reads.
//!
//! An argument that names a file has one of the types below, and [`check`] finds them in the call by that, whatever
//! the command. A file that a command makes is written by [`OutFile`] alone, so it has been checked; what else could
//! write is disallowed in `clippy.toml`.

use std::any::TypeId;
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Arg, ArgMatches, Command};
use secateur::evaluate::times_beside;
use secateur::tree::Model;
use secateur_papers::{catalogue, data::Folder};

use crate::failure::{Failure, Result};

/// A file to read, `-` for standard input, or `builtin:NAME`.
#[derive(Clone, Debug, PartialEq)]
pub struct InFile(String);

/// A saved model to read.
#[derive(Clone)]
pub struct InModel(PathBuf);

/// `NAME=FILE`: a file to read as the data set of that name.
#[derive(Clone)]
pub struct InNamedFile(String, PathBuf);

/// A folder of data sets to read, with its `INDEX.csv`.
#[derive(Clone)]
pub struct InFolder(PathBuf);

/// A published experiment by its name, or a `.toml` file that describes one.
#[derive(Clone)]
pub struct InExperiment(String);

/// A file to make, or to put a new one in the place of.
#[derive(Clone)]
pub struct OutFile(PathBuf);

/// A folder to write files into; it is made if need be.
#[derive(Clone)]
pub struct OutFolder(PathBuf);

/// A result file, which a run goes on with if it is there. Its times stand in a file beside it.
#[derive(Clone)]
pub struct ResultFile(PathBuf);

impl From<String> for InFile {
    fn from(name: String) -> Self {
        Self(name)
    }
}

impl From<OsString> for InModel {
    fn from(path: OsString) -> Self {
        Self(path.into())
    }
}

impl FromStr for InNamedFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, file)) if !name.is_empty() && !file.is_empty() => Ok(Self(name.into(), file.into())),
            _ => Err("expected the data set's name in the table, = and a file".into()),
        }
    }
}

impl InNamedFile {
    /// The name and the file.
    pub fn named(&self) -> (String, PathBuf) {
        (self.0.clone(), self.1.clone())
    }
}

impl From<OsString> for OutFolder {
    fn from(path: OsString) -> Self {
        Self(path.into())
    }
}

impl OutFolder {
    /// Writes a file in the folder, whole or not at all.
    #[expect(clippy::disallowed_methods, reason = "no file that is read stands in the folder")]
    pub fn write(&self, name: &str, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        let failed = |source| secateur::Error::Write { file: self.0.clone(), source };
        fs::create_dir_all(&self.0).map_err(failed)?;
        Ok(secateur::write::atomically(&self.0.join(name), write)?)
    }
}

impl From<OsString> for InFolder {
    fn from(path: OsString) -> Self {
        Self(path.into())
    }
}

impl From<String> for InExperiment {
    fn from(name: String) -> Self {
        Self(name)
    }
}

impl From<OsString> for OutFile {
    fn from(path: OsString) -> Self {
        Self(path.into())
    }
}

impl From<OsString> for ResultFile {
    fn from(path: OsString) -> Self {
        Self(path.into())
    }
}

impl Deref for InFile {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Deref for InModel {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Deref for InExperiment {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for OutFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

impl fmt::Display for ResultFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

impl InFolder {
    /// The folder that the call names, or else the environment variable `SECATEUR_DATA`.
    pub fn named(given: Option<&Self>) -> Option<PathBuf> {
        given.map(|folder| folder.0.clone()).or_else(|| std::env::var_os("SECATEUR_DATA").map(PathBuf::from))
    }
}

impl OutFile {
    /// Writes the file, whole or not at all.
    #[expect(clippy::disallowed_methods, reason = "this is the place: the file has been checked")]
    pub fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        Ok(secateur::write::atomically(&self.0, write)?)
    }

    /// Saves a model, whole or not at all.
    pub fn save(&self, model: &Model) -> Result<()> {
        self.write(|out| model.to_json(out))
    }
}

impl ResultFile {
    /// Where the results are kept. The runner refuses a file that holds something else.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

/// What an argument says of files.
enum Use {
    Reads(Vec<PathBuf>),
    ReadsInput,
    Writes(Vec<PathBuf>),
    WritesInto(PathBuf),
}

fn of<T: 'static>(arg: &Arg) -> bool {
    arg.get_value_parser().type_id() == TypeId::of::<T>()
}

/// All uses of files that an argument asks for.
fn uses(arg: &Arg, call: &ArgMatches) -> Vec<Use> {
    fn given<'a, T: Clone + Send + Sync + 'static>(arg: &Arg, call: &'a ArgMatches) -> Vec<&'a T> {
        call.get_many::<T>(arg.get_id().as_str()).into_iter().flatten().collect()
    }
    if of::<InFile>(arg) {
        let of = |file: &InFile| match file.0.as_str() {
            "-" => Use::ReadsInput,
            name if name.starts_with("builtin:") => Use::Reads(Vec::new()),
            name => Use::Reads(vec![name.into()]),
        };
        given(arg, call).into_iter().map(of).collect()
    } else if of::<InModel>(arg) {
        given(arg, call).into_iter().map(|file: &InModel| Use::Reads(vec![file.0.clone()])).collect()
    } else if of::<InNamedFile>(arg) {
        given(arg, call).into_iter().map(|file: &InNamedFile| Use::Reads(vec![file.1.clone()])).collect()
    } else if of::<OutFolder>(arg) {
        given(arg, call).into_iter().map(|folder: &OutFolder| Use::WritesInto(folder.0.clone())).collect()
    } else if of::<InFolder>(arg) {
        let Some(folder) = InFolder::named(given(arg, call).first().copied()) else { return Vec::new() };
        // What cannot be read is told when it is read.
        let index = Folder::open(&folder).unwrap_or_default();
        let files = index.files().map(Path::to_path_buf);
        vec![Use::Reads(files.chain([folder.join("INDEX.csv")]).collect())]
    } else if of::<InExperiment>(arg) {
        let of = |name: &InExperiment| {
            let path = PathBuf::from(&name.0);
            if !name.0.ends_with(".toml") {
                return Use::Reads(Vec::new());
            }
            let experiment = catalogue::load_file(&path).ok();
            let beside = experiment.map(|experiment| catalogue::files_beside(&experiment, &path));
            Use::Reads([vec![path], beside.unwrap_or_default()].concat())
        };
        given(arg, call).into_iter().map(of).collect()
    } else if of::<OutFile>(arg) {
        given(arg, call).into_iter().map(|file: &OutFile| Use::Writes(vec![file.0.clone()])).collect()
    } else if of::<ResultFile>(arg) {
        let of = |file: &ResultFile| Use::Writes(vec![file.0.clone(), times_beside(&file.0)]);
        given(arg, call).into_iter().map(of).collect()
    } else {
        Vec::new()
    }
}

/// Refuses a call, before any work, that would write over a file it reads or write two things to one file; and places where
/// nothing can be written.
pub fn check(command: &Command, call: &ArgMatches) -> Result<()> {
    if let Some((name, call)) = call.subcommand() {
        return command.find_subcommand(name).map_or(Ok(()), |command| check(command, call));
    }
    let mut reads: Vec<(String, Identity)> = Vec::new();
    let mut folders: Vec<(String, Option<PathBuf>)> = Vec::new();
    let mut writes: Vec<(String, PathBuf)> = Vec::new();
    let mut into: Vec<(String, PathBuf)> = Vec::new();
    for arg in command.get_arguments() {
        for one in uses(arg, call) {
            match one {
                Use::Reads(files) => {
                    reads.extend(files.iter().filter_map(|file| Some((title(arg), Identity::of(file)?))));
                    folders.extend(files.iter().map(|file| (title(arg), folder_of(file))));
                }
                Use::ReadsInput => {
                    reads.extend(Identity::of_stream(io::stdin()).map(|id| ("standard input".into(), id)));
                }
                Use::WritesInto(folder) => into.push((title(arg), folder)),
                Use::Writes(files) => writes.extend(files.into_iter().map(|file| (title(arg), file))),
            }
        }
    }
    // What the shell sends somewhere is written too.
    let mut written: Vec<(String, Identity)> = Vec::new();
    for (name, id) in [
        ("standard output", Identity::of_stream(io::stdout())),
        ("standard error", Identity::of_stream(io::stderr())),
    ] {
        let Some(id) = id else { continue };
        if let Some((read, _)) = reads.iter().find(|(_, other)| *other == id) {
            return Err(Failure::call(format!(
                "{name} goes to the file that is read as {read}; name another file for it"
            )));
        }
        written.push((name.into(), id));
    }
    for (arg, folder) in &into {
        let Ok(place) = fs::canonicalize(folder) else { continue };
        if !place.is_dir() {
            return Err(Failure::call(format!("{}: {arg} is a file; name a folder", folder.display())));
        }
        if let Some((read, _)) = folders.iter().find(|(_, other)| other.as_ref() == Some(&place)) {
            return Err(Failure::call(format!(
                "{}: {arg} would write over files beside the one that is read as {read}; name another folder",
                folder.display()
            )));
        }
    }
    for (arg, file) in &writes {
        check_place(file)?;
        let Some(id) = Identity::of(file) else { continue };
        if let Some((read, _)) = reads.iter().find(|(_, other)| *other == id) {
            return Err(Failure::call(format!(
                "{}: {arg} would write over the file that is read as {read}; name another file",
                file.display()
            )));
        }
        if let Some((other, _)) = written.iter().find(|(_, other)| *other == id) {
            return Err(Failure::call(format!(
                "{}: {arg} would write over what is written as {other}; name another file",
                file.display()
            )));
        }
        written.push((arg.clone(), id));
    }
    Ok(())
}

/// The folder that a file stands in.
fn folder_of(file: &Path) -> Option<PathBuf> {
    fs::canonicalize(file).ok()?.parent().map(Path::to_path_buf)
}

/// How help calls an argument.
fn title(arg: &Arg) -> String {
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

/// What tells a regular file from others, whatever it is called.
#[derive(Debug, PartialEq)]
enum Identity {
    #[cfg(unix)]
    There { device: u64, inode: u64 },
    /// Without links and dots.
    At(PathBuf),
}

impl Identity {
    /// The identity of a file, or of one that would be made. None of devices and pipes, which are not replaced.
    fn of(path: &Path) -> Option<Self> {
        // The streams are looked at as such.
        if cfg!(unix) && (path.starts_with("/dev") || path.starts_with("/proc/self/fd")) {
            let named = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].map(Path::new);
            return named.contains(&path).then(|| Self::of_stream(io::stdin())).flatten();
        }
        match fs::metadata(path) {
            Ok(metadata) => Self::there(&metadata).or_else(|| {
                let at = cfg!(not(unix)) && metadata.is_file();
                at.then(|| fs::canonicalize(path).ok().map(Self::At)).flatten()
            }),
            Err(_) => {
                let path = secateur::write::behind_links(path).ok()?;
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
                Some(Self::At(folder.join(path.file_name()?)))
            }
        }
    }

    #[cfg(unix)]
    fn there(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        metadata.is_file().then(|| Self::There { device: metadata.dev(), inode: metadata.ino() })
    }

    #[cfg(not(unix))]
    fn there(_: &Metadata) -> Option<Self> {
        None
    }

    /// The identity of the file that a stream leads to.
    #[cfg(unix)]
    fn of_stream(stream: impl std::os::fd::AsFd) -> Option<Self> {
        let file: File = stream.as_fd().try_clone_to_owned().ok()?.into();
        Self::there(&file.metadata().ok()?)
    }

    #[cfg(not(unix))]
    fn of_stream<T>(_: T) -> Option<Self> {
        None
    }
}

#[cfg(test)]
mod tests;
