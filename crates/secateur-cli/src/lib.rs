//! The program `secateur`, as a library: it is compiled while the libraries below it still are, which a program is not.

mod allocator;
mod args;
mod call;
mod commands;
mod estimate;
mod experiment;
mod failure;
mod files;
mod fit_text;
mod importance;
mod leaf_values;
mod loading;
mod no_better;
mod output;
mod pictures;
mod progress;
mod scheme_args;
mod screen;
#[cfg(unix)]
mod signals;
mod streaming;
mod summary;
mod tables;
mod terminal;

use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use failure::Result;

#[global_allocator]
static MEMORY: allocator::ReportingAllocator = allocator::ReportingAllocator;

/// Grow decision trees that can be read, trusted and defended.
#[derive(Parser)]
#[command(name = "secateur", version, propagate_version = true, term_width = 80)]
#[command(after_help = "\
Examples:
  secateur fit builtin:iris                        grow a tree and print it
  secateur fit train.csv -o model.json             grow a tree and save it
  secateur path train.csv                          every size it can be cut to
  secateur fit train.csv --report tree.html        a page to look at it with
  secateur predict model.json new.csv -o out.csv   predict new rows
  secateur explain model.json new.csv --row 7      why it says so
  secateur export model.json -o tree.py --verify   take it elsewhere
  secateur evaluate train.csv --cv 10              how good it is on new rows
  secateur compare train.csv other.csv             which scheme is best
  secateur schemes                                 list all ways to learn a tree
  secateur data --list                             list the built-in data sets

Exit codes: 0 done, 1 the work failed, 2 the call or the input is wrong.")]
struct Cli {
    #[command(flatten)]
    how: args::Output,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Data(commands::data::Data),
    Fit(commands::fit::Fit),
    Path(commands::path::Path),
    Prune(commands::prune::Prune),
    Predict(commands::predict::Predict),
    Explain(commands::explain::Explain),
    Show(commands::show::Show),
    Export(commands::export::Export),
    Import(commands::import::Import),
    Evaluate(commands::evaluate::Evaluate),
    Compare(commands::compare::Compare),
    Suite(commands::suite::RunSuite),
    Reproduce(commands::reproduce::Reproduce),
    Schemes(commands::schemes::Schemes),
    Completions(commands::completions::Completions),
    Man(commands::man::ManPages),
}

/// Does what the command line asks for.
pub fn main() -> ExitCode {
    #[cfg(unix)]
    signals::remove_parts_on_signals();
    let call = match Cli::command().try_get_matches() {
        Ok(call) => call,
        Err(error) => return failure::of_call(&error),
    };
    match run(call) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(call: ArgMatches) -> Result<()> {
    files::check(&Cli::command(), &call)?;
    // The call has been parsed, so it has the form of this structure.
    let Cli { how, command } = Cli::from_arg_matches(&call).unwrap_or_else(|error| error.exit());
    how.set_terminal();
    match command {
        Command::Data(command) => command.run(&how),
        Command::Fit(command) => command.run(&how),
        Command::Path(command) => command.run(&how),
        Command::Prune(command) => command.run(&how),
        Command::Predict(command) => command.run(&how),
        Command::Explain(command) => command.run(&how),
        Command::Show(command) => command.run(&how),
        Command::Export(command) => command.run(&how),
        Command::Import(command) => command.run(&how),
        Command::Evaluate(command) => command.run(&how),
        Command::Compare(command) => command.run(&how),
        Command::Suite(command) => command.run(&how),
        Command::Reproduce(command) => command.run(&how),
        Command::Schemes(command) => command.run(&how),
        Command::Completions(command) => command.run(&how),
        Command::Man(command) => command.run(&how),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_call_structure_is_sound() {
        super::Cli::command().debug_assert();
    }
}
