//! What stops the program, how it is reported, and with which exit code.

use std::io::{self, Write};
use std::process::ExitCode;

use secateur::Error;
use secateur::error::Remedy;
use secateur::report::safe;

use crate::output::say;
use crate::screen::{harmless, without_colors};
use crate::terminal;

/// Why the program stops early.
#[derive(Debug)]
pub enum Failure {
    /// The library refused or failed; perhaps with a hint that only the program can give.
    Library(Box<Error>, Option<String>),
    /// The work was done, and nothing came of it; with what is said in lines.
    Work(Vec<String>),
    /// Standard output cannot be written.
    Output(io::Error),
}

/// The result of a command.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Library(Box::new(error), None)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Adds a hint to an error of the library.
pub trait Hint<T> {
    /// The same result, its error with a hint.
    fn hint(self, hint: &str) -> Result<T>;
}

impl<T> Hint<T> for secateur::Result<T> {
    fn hint(self, hint: &str) -> Result<T> {
        // Too little memory or space on a disk is not the fault of the call.
        self.map_err(|error| match error {
            Error::Memory { .. } | Error::Write { .. } | Error::Cancelled => error.into(),
            error => Failure::Library(Box::new(error), Some(hint.into())),
        })
    }
}

/// The flags by which the user can do something about an error.
fn by_flag(error: &Error) -> Option<String> {
    let flag = |remedy: &Remedy| match remedy {
        Remedy::LeaveColumnOut => Some("--ignore leaves a column out"),
        Remedy::SaySeparator => Some("--sep says what separates values, such as --sep space"),
        Remedy::ReadAsNominal => Some("--nominal reads a column as values from a list"),
        Remedy::SayDateOrder => Some(
            "give a --schema that says order = \"day-month-year\" or \"month-day-year\" for the column; `secateur data FILE \
             --schema OUT.toml` writes one to correct",
        ),
        Remedy::DropMissingTarget => Some("--drop-missing-target leaves out rows without a target"),
        _ => None,
    };
    let flags: Vec<&str> = match error {
        Error::Input { remedies, .. } => remedies.iter().filter_map(flag).collect(),
        _ => Vec::new(),
    };
    (!flags.is_empty()).then(|| flags.join(", "))
}

/// Reports a call that has not the form of any, or prints the help it asks for, and gives the exit code. What the call holds
/// cannot disturb a terminal.
pub fn of_call(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // Help and version are the program's own words.
        return match error.print() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => Failure::Output(error).report(),
        };
    }
    let mut text = error.render().ansi().to_string();
    // The colours and lines of the error are its own; those of the call are not.
    for argument in std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()) {
        for part in [argument.as_str(), argument.split_once('=').map_or("", |(_, value)| value)] {
            if part != safe(part) {
                text = text.replace(part, &safe(part));
            }
        }
    }
    let text = harmless(&text, true);
    let text = if terminal::colors_errors() { text } else { without_colors(&text) };
    let _ = io::stderr().lock().write_all(text.as_bytes());
    ExitCode::from(2)
}

impl Failure {
    /// An error of the call.
    pub fn call(problem: impl Into<String>) -> Self {
        Error::parameter(problem).into()
    }

    /// Prints it on standard error and gives the exit code.
    pub fn report(self) -> ExitCode {
        const RED: &str = "31";
        const GREEN: &str = "32";
        match self {
            // Whoever read our output has seen enough (`secateur show … | head`).
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Output(error) => {
                say("error", RED, &format!("cannot write to standard output: {error}"));
                ExitCode::from(1)
            }
            Self::Work(problems) => {
                problems.iter().for_each(|problem| say("error", RED, problem));
                ExitCode::from(1)
            }
            Self::Library(error, hint) => {
                say("error", RED, &error.to_string());
                if let Some(hint) = hint.or_else(|| by_flag(&error)) {
                    say("hint", GREEN, &hint);
                }
                ExitCode::from(if error.is_callers() { 2 } else { 1 })
            }
        }
    }
}
