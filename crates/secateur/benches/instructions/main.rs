//! A guard against slow creep: instructions that small, fixed pieces of work execute, counted by valgrind.
//!
//! `cargo bench -p secateur --bench instructions [-- [--save] [CASE ...]]` runs every case under `valgrind --tool=callgrind` and
//! compares with `counts.json` in this folder. More than 3 % above the recorded count fails; `--save` records. Counts do not depend on
//! how busy the machine is, but on the compiler, whose version is recorded beside them.
//!
//! Valgrind knows no AVX-512 and hides it from the program, so the plain loops are counted, not those for 512-bit vectors. Those,
//! and all that memory and caches cost, are for `bench/run` to measure.

#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]

mod cases;
#[cfg(feature = "parquet")]
#[allow(clippy::unwrap_used, reason = "shared with tests")]
#[path = "../../tests/reading/writing.rs"]
mod parquet_files;
mod tables;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode};

use cases::{CASES, Work};
use serde::{Deserialize, Serialize};

/// How far above the recorded count a case may be.
const ROOM: f64 = 0.03;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instructions/counts.json");

/// What `counts.json` holds.
#[derive(Default, Serialize, Deserialize)]
struct Recorded {
    rustc: String,
    instructions: BTreeMap<String, u64>,
}

/// Only what happens in here is counted; callgrind is given this name.
#[inline(never)]
fn measured_section(work: Work) {
    work();
    // Without this the call above could become a jump, and the section would end before it begins.
    black_box(());
}

/// Does the work of one case, on one thread.
fn run(name: &str) -> Result<(), String> {
    let (_, prepare) = CASES.iter().find(|(case, _)| *case == name).ok_or("no such case")?;
    let work = prepare().map_err(|e| e.to_string())?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|e| e.to_string())?;
    pool.install(|| measured_section(work));
    Ok(())
}

/// The instructions of a case.
fn count(name: &str, folder: &Path) -> Result<u64, String> {
    let out = folder.join(name);
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let told = Command::new("valgrind")
        .args(["--tool=callgrind", "--toggle-collect=*measured_section*"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(program)
        .args(["--run", name])
        .output()
        .map_err(|e| e.to_string())?;
    if !told.status.success() {
        let text = String::from_utf8_lossy(&told.stderr);
        let own = text.lines().rfind(|line| !line.starts_with("==") && !line.is_empty());
        // A long message says first what is wrong.
        let first = own.and_then(|line| line.split("; ").next());
        return Err(first.unwrap_or("valgrind failed").into());
    }
    let text = std::fs::read_to_string(&out).map_err(|e| e.to_string())?;
    let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
    total.and_then(|t| t.trim().parse().ok()).ok_or_else(|| "callgrind printed no total".into())
}

fn rustc() -> String {
    let told = Command::new("rustc").arg("--version").output();
    told.map_or_else(|_| "unknown".into(), |t| String::from_utf8_lossy(&t.stdout).trim().into())
}

/// Runs the cases; whether none has grown too much.
fn guard(save: bool, names: &[String]) -> Result<bool, String> {
    let text = std::fs::read_to_string(FILE).unwrap_or_else(|_| "null".into());
    let recorded: Option<Recorded> = serde_json::from_str(&text).map_err(|e| format!("{FILE}: {e}"))?;
    let mut recorded = recorded.unwrap_or_default();
    let here = rustc();
    if !save && recorded.rustc != here {
        println!("recorded with {}, and here is {here}: differences may be the compiler's", recorded.rustc);
    }
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut good = true;
    for (name, _) in CASES.iter().filter(|(name, _)| names.is_empty() || names.iter().any(|n| n == name)) {
        let found = match count(name, folder.path()) {
            Ok(found) => found,
            Err(why) => {
                println!("{name:<18} left out: {why}");
                continue;
            }
        };
        let change = recorded.instructions.get(*name).map(|&before| found as f64 / before as f64 - 1.0);
        let verdict = match change {
            None => "new".into(),
            Some(change) if change > ROOM && !save => {
                good = false;
                format!("{:+.2} %  TOO MANY", 100.0 * change)
            }
            Some(change) => format!("{:+.2} %", 100.0 * change),
        };
        println!("{name:<18} {found:>14}  {verdict}");
        recorded.instructions.insert((*name).into(), found);
    }
    if save {
        recorded.rustc = here;
        let text = serde_json::to_string_pretty(&recorded).map_err(|e| e.to_string())?;
        std::fs::write(FILE, text + "\n").map_err(|e| format!("{FILE}: {e}"))?;
    }
    Ok(good)
}

fn main() -> ExitCode {
    // `cargo bench` adds `--bench`.
    let mut args: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let done = if let [flag, name] = args.as_slice()
        && flag == "--run"
    {
        run(name).map(|()| true)
    } else if Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: valgrind is not installed");
        Ok(true)
    } else {
        let save = args.iter().any(|a| a == "--save");
        args.retain(|a| a != "--save");
        match args.iter().find(|a| !CASES.iter().any(|(name, _)| name == a)) {
            Some(unknown) => Err(format!("no case is called {unknown}")),
            None => guard(save, &args),
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            println!(
                "More instructions than recorded. Find out why, or record them with --save and say why in the commit."
            );
            ExitCode::FAILURE
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
