//! Databases: DuckDB, PostgreSQL and SQLite, each by way of Python.

use super::Consumer;
use super::protocol::write;
use super::python::{ask, python_with};
use super::tools::{in_path, version};

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

/// PostgreSQL: the server that `SECATEUR_POSTGRESQL` names (as psql names one), or one that is started for the trial.
pub(crate) static POSTGRESQL: Consumer = Consumer {
    id: "PostgreSQL",
    get: "the package postgresql of your system, with psql; or name a server in SECATEUR_POSTGRESQL",
    find: || {
        let tool = python_with(&[])?;
        let name = version(std::process::Command::new(in_path(&["psql"])?).arg("--version"))?;
        let has_server = std::env::var_os("SECATEUR_POSTGRESQL").is_some() || has_initdb();
        has_server.then_some(super::Tool { name: name.replace("psql (PostgreSQL)", "PostgreSQL"), ..tool })
    },
    run: |tool, trial| {
        write(trial, "sql.py", include_bytes!("sql.py"))?;
        ask(tool, trial, "exported.sql", include_str!("run_postgresql.py"))
    },
};

/// Whether a server can be started here: some systems keep its programs out of the search path.
fn has_initdb() -> bool {
    let versions =
        ["/usr/lib/postgresql", "/usr"].iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
    let beside = versions.flatten().any(|entry| entry.path().join("bin/initdb").is_file());
    beside || in_path(&["initdb"]).is_some()
}
