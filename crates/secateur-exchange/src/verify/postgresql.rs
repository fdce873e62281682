//! PostgreSQL: the server that `SECATEUR_POSTGRESQL` names, as psql names one, or one that is started when the first export is tried
//! and ends with this process.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use super::protocol::write;
use super::python::{ask_with, python_with};
use super::tools::{in_path, version};
use super::{Consumer, Failure, Tool};

/// PostgreSQL.
pub(crate) static POSTGRESQL: Consumer = Consumer {
    id: "PostgreSQL",
    get: "the package postgresql of your system, with psql; or name a server in SECATEUR_POSTGRESQL",
    find: || {
        let tool = python_with(&[])?;
        let name = version(Command::new(in_path(&["psql"])?).arg("--version"))?;
        let has_server = std::env::var_os("SECATEUR_POSTGRESQL").is_some() || has_initdb();
        has_server.then(|| Tool { name: name.replace("psql (PostgreSQL)", "PostgreSQL"), ..tool })
    },
    run: |tool, trial| {
        write(trial, "sql.py", include_bytes!("sql.py"))?;
        let server = server(tool)?;
        let script = include_str!("run_postgresql.py");
        ask_with(tool, trial, "exported.sql", script, &[("SECATEUR_POSTGRESQL", &server)])
    },
};

/// Whether a server can be started here: some systems keep its programs out of the search path.
fn has_initdb() -> bool {
    let folders = ["/usr/lib/postgresql", "/usr"];
    let mut entries = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    entries.any(|entry| entry.path().join("bin/initdb").is_file()) || in_path(&["initdb"]).is_some()
}

/// How psql reaches the server.
fn server(tool: &Tool) -> Result<String, Failure> {
    // The server ends when its standard input does, which is when this process ends.
    static STARTED: OnceLock<Option<(Child, String)>> = OnceLock::new();
    if let Ok(named) = std::env::var("SECATEUR_POSTGRESQL") {
        return Ok(named);
    }
    let start = || {
        let mut command = Command::new(&tool.program);
        command.args(["-c", include_str!("serve_postgresql.py")]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take()?).read_line(&mut line).ok()?;
        (!line.trim().is_empty()).then(|| (child, line.trim().to_string()))
    };
    match STARTED.get_or_init(start) {
        Some((_, server)) => Ok(server.clone()),
        None => Err(Failure::Failed(
            "a PostgreSQL server could not be started here; name one in SECATEUR_POSTGRESQL".into(),
        )),
    }
}
