//! Programs outside: found in the search path, run with their output kept.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Failure, Tool};

/// The first of these names that is a program in the search path.
pub(crate) fn in_path(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let suffix = std::env::consts::EXE_SUFFIX;
    let file = |name: &&str| {
        folders.iter().map(|folder| folder.join(format!("{name}{suffix}"))).find(|file| file.is_file())
    };
    names.iter().find_map(file)
}

/// The last word of the first line that a program prints of its version.
pub(crate) fn version(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then(|| text.lines().next().unwrap_or_default().trim().to_string())
}

/// Runs a program in a folder to its end.
pub(crate) fn run(tool: &Tool, command: &mut Command, folder: &Path) -> Result<(), Failure> {
    let output = command.current_dir(folder).stdin(Stdio::null()).output();
    let output =
        output.map_err(|error| Failure::Failed(format!("{} cannot be started: {error}", tool.name)))?;
    if output.status.success() {
        return Ok(());
    }
    let said = match output.stderr.is_empty() {
        true => output.stdout,
        false => output.stderr,
    };
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<&str> = said.trim().lines().collect();
    let last = lines[lines.len().saturating_sub(12)..].join("\n");
    Err(Failure::Failed(format!("{} failed ({}):\n{last}", tool.name, output.status)))
}
