//! `secateur completions`: what a shell needs to complete our commands and flags.

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use serde::Serialize;

use crate::args::Output;
use crate::failure::Result;
use crate::output;

/// Print a script that lets a shell complete commands and flags
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur completions bash > ~/.local/share/bash-completion/completions/secateur
  secateur completions zsh > ~/.zfunc/_secateur
  secateur completions fish > ~/.config/fish/completions/secateur.fish")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

#[derive(Serialize)]
struct Summary {
    shell: String,
    script: String,
}

impl Completions {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        // Into memory first: a closed pipe must not panic.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut crate::Cli::command(), "secateur", &mut script);
        let script = String::from_utf8_lossy(&script).into_owned();
        if how.json {
            output::json(&Summary { shell: self.shell.to_string(), script })?;
        } else {
            output::text(&script)?;
        }
        Ok(())
    }
}
