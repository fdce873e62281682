//! A C compiler.

use std::process::Command;

use super::protocol::{read_answers, write, write_rows};
use super::tools::{in_path, run, version};
use super::{Column, Consumer, Tool, Trial};
use crate::export::words;

/// gcc, clang or cc.
pub(crate) static GCC: Consumer = Consumer {
    id: "gcc",
    get: "the package gcc or clang of your system",
    find: || {
        let program = match std::env::var_os("CC") {
            Some(named) => named.into(),
            None => in_path(&["gcc", "clang", "cc"])?,
        };
        let name = version(Command::new(&program).arg("--version"))?;
        Some(Tool { program, name })
    },
    run: |tool, trial| {
        write_rows(trial, "exported_tree.c")?;
        write(trial, "ask.c", program(trial).as_bytes())?;
        let flags = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-o", "ask"];
        run(tool, Command::new(&tool.program).args(flags).arg("ask.c"), trial.folder)?;
        run(tool, &mut Command::new(trial.folder.join("ask")), trial.folder)?;
        read_answers(trial)
    },
};

/// The program that asks the exported tree.
fn program(trial: &Trial) -> String {
    let levels = |column: &Column| match column {
        Column::Texts(levels, _) => levels.len(),
        Column::Numbers(_) => 0,
    };
    let list: String = trial.rows.columns.iter().map(|column| format!("{}, ", levels(column))).collect();
    let has_lists = trial.rows.columns.iter().any(|column| levels(column) > 0);
    let name = words(trial.options.text("name"));
    let program =
        include_str!("run_tree.c").replace("@NAME@", &name.to_ascii_uppercase()).replace("@name@", &name);
    let define = if has_lists { "#define HAS_LISTS\n" } else { "" };
    format!(
        "#define ROWS {}\n{define}static const int LEVELS[] = {{ {list}0 }};\n{program}",
        trial.rows.count
    )
}
