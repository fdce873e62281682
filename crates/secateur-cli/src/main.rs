//! The program `secateur`.

use std::process::ExitCode;

fn main() -> ExitCode {
    secateur_cli::main()
}
