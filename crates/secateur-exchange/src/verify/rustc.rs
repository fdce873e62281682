//! The Rust compiler.

use std::process::Command;

use super::protocol::{read_answers, write, write_rows};
use super::tools::{in_path, run, version};
use super::{Consumer, Tool};

/// rustc.
pub(crate) static RUSTC: Consumer = Consumer {
    id: "rustc",
    get: "rustup.rs, or the package rustc of your system",
    find: || {
        let program = in_path(&["rustc"])?;
        let name = version(Command::new(&program).arg("--version"))?;
        Some(Tool { program, name })
    },
    run: |tool, trial| {
        write_rows(trial, "exported_tree.rs")?;
        let is_classifier = trial.model.tree.is_classifier();
        let program = include_str!("run_tree.rs.txt")
            .replace("@said@", if is_classifier { "one.probabilities" } else { "[one.value]" })
            .replace("@labels@", if is_classifier { "true" } else { "false" })
            .replace("@label@", if is_classifier { "one.class as u32" } else { "0" })
            .replace("@name@", if is_classifier { "exported_tree::CLASSES" } else { "[\"\"; 0]" });
        write(trial, "ask.rs", program.as_bytes())?;
        let flags = ["--edition=2021", "-Copt-level=1", "-Dwarnings", "-o", "ask", "ask.rs"];
        run(tool, Command::new(&tool.program).args(flags), trial.folder)?;
        run(tool, &mut Command::new(trial.folder.join("ask")), trial.folder)?;
        read_answers(trial)
    },
};
