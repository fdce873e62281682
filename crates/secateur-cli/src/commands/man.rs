//! `secateur man`: the manual, a page for every command.

use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
use serde::Serialize;

use crate::args::Output;
use crate::failure::{Failure, Result};
use crate::files::OutFolder;
use crate::output;

/// Print a page of the manual, or write all pages to a folder
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur man | man -l -                        the page of the program
  secateur man fit | man -l -                    the page of a command
  secateur man -o ~/.local/share/man/man1        install all pages")]
pub struct ManPages {
    /// The command whose page is printed [default: the program itself]
    #[arg(conflicts_with = "output")]
    command: Option<String>,
    /// Write a page for every command to this folder
    #[arg(long, short, value_name = "DIR")]
    output: Option<OutFolder>,
}

#[derive(Serialize)]
struct Summary {
    pages: Vec<String>,
    /// The page, unless all were written to a folder.
    text: Option<String>,
}

impl ManPages {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        let program = built();
        let pages = pages(&program);
        if let Some(folder) = &self.output {
            for (name, page) in &pages {
                folder.write(&format!("{name}.1"), |out| page.render(&mut *out))?;
            }
            let names = pages.iter().map(|(name, _)| format!("{name}.1")).collect();
            return self.told(how, Summary { pages: names, text: None });
        }
        let wanted = self.command.as_ref().map_or("secateur".into(), |name| format!("secateur-{name}"));
        let Some((name, page)) = pages.iter().find(|(name, _)| *name == wanted) else {
            let given = self.command.as_deref().unwrap_or_default();
            let commands = pages.iter().filter_map(|(name, _)| name.strip_prefix("secateur-"));
            return Err(Failure::call(format!(
                "there is no command {}{}",
                secateur::error::shown(given),
                secateur::error::suggestion(given, commands)
            )));
        };
        let mut text = Vec::new();
        page.render(&mut text)?;
        let text = String::from_utf8_lossy(&text).into_owned();
        self.told(how, Summary { pages: vec![format!("{name}.1")], text: Some(text) })
    }

    fn told(&self, how: &Output, summary: Summary) -> Result<()> {
        if how.json {
            return Ok(output::json(&summary)?);
        }
        match summary.text {
            Some(text) => output::text(&text)?,
            None => how.note(&format!("{} pages are written; see `man secateur`", summary.pages.len())),
        }
        Ok(())
    }
}

/// The program as pages show it: with the flags that all commands share.
fn built() -> Command {
    let mut program = crate::Cli::command();
    program.build();
    program
}

/// All pages, each with its name.
fn pages(program: &Command) -> Vec<(String, Man)> {
    let own = |command: &Command| {
        let name = command.get_display_name().unwrap_or("secateur").to_string();
        (name.clone(), Man::new(command.clone()).title(name.to_uppercase()))
    };
    let commands = program.get_subcommands().filter(|c| c.get_name() != "help");
    std::iter::once(program).chain(commands).map(own).collect()
}
