//! The files that a call names: what it reads, what it writes, and the refusal to write over what it reads.
//!
//! An argument that names a file has one of the types below, and [`check`] finds them in the call by that, whatever
//! the command. A file that a command makes is written by [`OutFile`] alone, so it has been checked; what else could
//! write is disallowed in `clippy.toml`. One file, as what a call may name is one list of types.

mod check;
mod identity;

use std::any::TypeId;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Arg, ArgMatches};
use secateur::evaluate::times_beside;
use secateur::tree::Model;
use secateur_papers::suite::{self, Suite, page::Page};
use secateur_papers::{catalogue, data::Folder};

pub use check::check;

use crate::failure::{Failure, Result};

/// A file to read, `-` for standard input, or `builtin:NAME`.
#[derive(Clone, Debug, PartialEq)]
pub struct InFile {
    /// As it is shown, where it is not UTF-8.
    name: String,
    path: PathBuf,
}

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

/// A suite by its name, or a `.toml` file that describes one.
#[derive(Clone)]
pub struct InSuite(String);

/// A file to make, or to put a new one in the place of.
#[derive(Clone)]
pub struct OutFile(PathBuf);

/// A file to save a model in. No other kind of output takes the place of a model.
#[derive(Clone)]
pub struct OutModel(OutFile);

/// A page to make, such as `NAME.md`, with more files in the folder `NAME` beside it.
#[derive(Clone)]
pub struct OutPage(PathBuf);

/// A folder to write files into; it is made if need be.
#[derive(Clone)]
pub struct OutFolder(PathBuf);

/// A result file, which a run goes on with if it is there. Its times stand in a file beside it.
#[derive(Clone)]
pub struct ResultFile(PathBuf);

/// A folder in which to keep, for the time being, what nobody else reads.
#[derive(Clone)]
pub struct ScratchFolder(PathBuf);

impl From<OsString> for ScratchFolder {
    fn from(path: OsString) -> Self {
        Self(path.into())
    }
}

impl ScratchFolder {
    /// The folder.
    pub fn path(&self) -> PathBuf {
        self.0.clone()
    }
}

impl From<OsString> for InFile {
    fn from(path: OsString) -> Self {
        Self { name: path.to_string_lossy().into_owned(), path: path.into() }
    }
}

impl AsRef<Path> for InFile {
    fn as_ref(&self) -> &Path {
        &self.path
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
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file in the folder, whole or not at all.
    #[expect(clippy::disallowed_methods, reason = "no file that is read stands in the folder")]
    pub fn write(&self, name: &str, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        let failed = |source| secateur::Error::Write { file: self.0.clone(), source };
        // Names from data are checked where they are read; whatever comes here stays in the folder.
        if Path::new(name).file_name() != Some(name.as_ref()) {
            return Err(failed(io::ErrorKind::InvalidFilename.into()).into());
        }
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

impl From<String> for InSuite {
    fn from(name: String) -> Self {
        Self(name)
    }
}

impl fmt::Display for InSuite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl InSuite {
    /// The suite.
    pub fn load(&self) -> secateur::Result<Suite> {
        if self.0.ends_with(".toml") { suite::load_file(Path::new(&self.0)) } else { suite::find(&self.0) }
    }
}

impl From<OsString> for OutPage {
    fn from(path: OsString) -> Self {
        Self(path.into())
    }
}

impl OutPage {
    /// The folder beside the page: its name without the extension.
    fn folder(&self) -> PathBuf {
        self.0.with_file_name(self.folder_name())
    }

    /// The folder's name, for links.
    pub fn folder_name(&self) -> String {
        let part = |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned());
        match (part(self.0.file_stem()), self.0.extension()) {
            (Some(stem), Some(_)) => stem,
            _ => part(self.0.file_name()).unwrap_or_default() + "-files",
        }
    }

    /// Writes the page and the files beside it, each whole or not at all.
    pub fn write(&self, page: &Page) -> Result<()> {
        let folder = OutFolder(self.folder());
        for (name, text) in &page.files {
            folder.write(name, |out| out.write_all(text.as_bytes()))?;
        }
        OutFile(self.0.clone()).write(|out| out.write_all(page.text.as_bytes()))
    }
}

impl fmt::Display for OutPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

impl From<OsString> for OutFile {
    fn from(path: OsString) -> Self {
        Self(path.into())
    }
}

impl From<OsString> for OutModel {
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
        &self.name
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

impl fmt::Display for OutModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
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
    /// The end of its name behind the last dot.
    pub fn extension(&self) -> Option<String> {
        Some(self.0.extension()?.to_str()?.to_ascii_lowercase())
    }

    /// Writes the file, whole or not at all.
    #[expect(clippy::disallowed_methods, reason = "this is the place: the file has been checked")]
    pub fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        Ok(secateur::write::atomically(&self.0, write)?)
    }

    /// Says in which of some formats the file is written, by its extension: `default` where it has none.
    ///
    /// # Errors
    /// When no format has that extension; `known` lists those that there are.
    pub fn format_of<T>(&self, default: T, known: &str, of: impl Fn(&str) -> Option<T>) -> Result<T> {
        let Some(extension) = self.extension() else { return Ok(default) };
        of(&extension).ok_or_else(|| {
            Failure::call(format!(
                "{self}: nothing is written that ends in .{extension} here; name a file that ends in {known}"
            ))
        })
    }
}

impl OutModel {
    /// Saves a model, whole or not at all.
    pub fn save(&self, model: &Model) -> Result<()> {
        self.0.write(|out| model.to_json(out))
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
    WritesModel(PathBuf),
    WritesInto(PathBuf),
}

/// The file that a path is, or the files of a folder.
fn files_of(path: &Path) -> Vec<PathBuf> {
    match fs::read_dir(path) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(_) => vec![path.to_path_buf()],
    }
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
        let of = |file: &InFile| match file.name.as_str() {
            "-" => Use::ReadsInput,
            name if name.starts_with("builtin:") => Use::Reads(Vec::new()),
            // What cannot be read is reported when it is read.
            _ if file.path.is_dir() => {
                let files = suite::files_of(&file.path).unwrap_or_default();
                let index = file.path.join("INDEX.csv");
                let files = files.into_iter().map(|(_, path)| path).chain(files_of(&file.path));
                Use::Reads(files.chain([index]).collect())
            }
            _ => Use::Reads(vec![file.path.clone()]),
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
        // What cannot be read is reported when it is read.
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
    } else if of::<InSuite>(arg) {
        let file = |name: &InSuite| Some(PathBuf::from(&name.0)).filter(|_| name.0.ends_with(".toml"));
        given(arg, call).into_iter().map(|name| Use::Reads(file(name).into_iter().collect())).collect()
    } else if of::<OutPage>(arg) {
        let of = |page: &OutPage| [Use::Writes(vec![page.0.clone()]), Use::WritesInto(page.folder())];
        given(arg, call).into_iter().flat_map(of).collect()
    } else if of::<OutFile>(arg) {
        given(arg, call).into_iter().map(|file: &OutFile| Use::Writes(vec![file.0.clone()])).collect()
    } else if of::<OutModel>(arg) {
        let of = |file: &OutModel| Use::WritesModel(file.0.0.clone());
        given(arg, call).into_iter().map(of).collect()
    } else if of::<ResultFile>(arg) {
        let of = |file: &ResultFile| Use::Writes(vec![file.0.clone(), times_beside(&file.0)]);
        given(arg, call).into_iter().map(of).collect()
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests;
