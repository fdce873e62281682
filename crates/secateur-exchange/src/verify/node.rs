//! Node.

use std::process::Command;

use super::protocol::{read_answers, write, write_rows};
use super::tools::{in_path, run, version};
use super::{Consumer, Tool};

/// Node.
pub(crate) static NODE: Consumer = Consumer {
    id: "Node",
    get: "nodejs.org, or the package nodejs of your system",
    find: || {
        let program = in_path(&["node", "nodejs"])?;
        let name = format!("Node {}", version(Command::new(&program).arg("--version"))?);
        Some(Tool { program, name })
    },
    run: |tool, trial| {
        let is_es = trial.options.is("module", "es");
        write_rows(trial, if is_es { "exported_tree.mjs" } else { "exported_tree.js" })?;
        write(trial, "ask.mjs", include_bytes!("run_tree.mjs"))?;
        run(tool, Command::new(&tool.program).arg("ask.mjs"), trial.folder)?;
        read_answers(trial)
    },
};
