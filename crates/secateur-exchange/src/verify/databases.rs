//! Databases inside a process: DuckDB and SQLite, by way of Python.

use super::Consumer;
use super::protocol::write;
use super::python::{ask, python_with};
use super::tools::version;

/// DuckDB.
pub(crate) static DUCKDB: Consumer = Consumer {
    id: "DuckDB",
    get: "pip install duckdb",
    find: || python_with(&["duckdb"]),
    run: |tool, trial| {
        write(trial, "sql.py", include_bytes!("sql.py"))?;
        ask(tool, trial, "exported.sql", include_str!("run_duckdb.py"))
    },
};

/// SQLite, as it comes with Python.
pub(crate) static SQLITE: Consumer = Consumer {
    id: "SQLite",
    get: "Python, which comes with it",
    find: || {
        let tool = python_with(&["sqlite3"])?;
        let mut command = std::process::Command::new(&tool.program);
        let number = version(command.args(["-c", "import sqlite3; print(sqlite3.sqlite_version)"]))?;
        Some(super::Tool { name: format!("SQLite {number}"), ..tool })
    },
    run: |tool, trial| {
        write(trial, "sql.py", include_bytes!("sql.py"))?;
        ask(tool, trial, "exported.sql", include_str!("run_sqlite.py"))
    },
};
