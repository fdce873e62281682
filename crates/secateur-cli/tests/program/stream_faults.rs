//! What can go wrong while a table is streamed: a full disk, files that change, a kill at any moment. There is an error in words or the right
//! model, and nothing is left over.

#![cfg(target_os = "linux")]

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ::parquet::file::properties::WriterProperties;

use super::writing::{Cells, file};
use super::*;

const ROWS: usize = 150_000;
const SCHEME: &str = "cart:bins=255,max-leaves=64/cost-complexity:holdout=0.1,1se";

fn dice(i: usize) -> u64 {
    (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40
}

/// A cell of a column (`c0` to `c24`): few values in most, many in the first.
fn cell(row: usize, column: usize) -> i32 {
    let values = if column == 0 { 50_000 } else { 3 + column as u64 };
    (dice(row * 31 + column * 7919) % values) as i32
}

fn class(row: usize) -> String {
    let high =
        cell(row, 0) > 20_000 && cell(row, 1) > 0 || cell(row, 2) == 3 || dice(row * 17).is_multiple_of(20);
    if high { "high" } else { "low" }.into()
}

fn parquet() -> Vec<u8> {
    let names: Vec<String> = (0..25).map(|c| format!("c{c}")).collect();
    let numbers = |c: usize| Cells::Shorts((0..ROWS).map(|row| Some(cell(row, c))).collect());
    let mut columns: Vec<(&str, Cells)> =
        names.iter().enumerate().map(|(c, name)| (name.as_str(), numbers(c))).collect();
    columns.push(("y", Cells::Texts((0..ROWS).map(|row| Some(class(row))).collect())));
    file(&columns, 10_000, WriterProperties::builder())
}

fn csv() -> String {
    let names: Vec<String> = (0..25).map(|c| format!("c{c}")).collect();
    let mut text = names.join(",") + ",y\n";
    for row in 0..ROWS {
        let cells: Vec<String> = (0..25).map(|c| format!("{:05}", cell(row, c))).collect();
        text += &(cells.join(",") + "," + &class(row) + "\n");
    }
    text
}

/// A fit of a table, streamed, with a scratch folder of its own.
struct Stream {
    folder: Folder,
    data: &'static str,
    bytes: Vec<u8>,
    /// The model of an undisturbed run, and the bytes of its coded rows.
    model: Vec<u8>,
    coded: u64,
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Phase {
    Looking,
    Coding,
    /// This many milliseconds after all rows are coded.
    Growing(u64),
}

impl Stream {
    fn new(data: &'static str, bytes: Vec<u8>) -> Self {
        let folder = Folder::new();
        folder.write(data, &bytes);
        fs::create_dir(folder.path("scratch")).unwrap();
        let mut stream = Self { folder, data, bytes, model: Vec::new(), coded: 0 };
        let told = stream.folder.json(&stream.args("m.json"));
        stream.coded = told["streamed"]["coded_bytes"].as_u64().unwrap();
        assert_eq!(stream.coded, ROWS as u64 * (stream.coded / ROWS as u64), "coded rows are of one length");
        stream.model = fs::read(stream.folder.path("m.json")).unwrap();
        fs::remove_file(stream.folder.path("m.json")).unwrap();
        stream.assert_clean();
        stream
    }

    fn args<'a>(&self, model: &'a str) -> Vec<&'a str> {
        vec![
            "fit",
            self.data,
            "--memory",
            "64MB",
            "--scratch",
            "scratch",
            "-s",
            SCHEME,
            "-o",
            model,
            "--threads",
            "2",
        ]
    }

    fn start(&self) -> Child {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("secateur"));
        command.args(self.args("m.json")).current_dir(self.folder.0.path());
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The folder in which a run keeps the coded rows.
    fn scratch(&self) -> Option<PathBuf> {
        let entries = fs::read_dir(self.folder.path("scratch")).ok()?;
        let mut folders = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir());
        folders.next()
    }

    /// Waits until a run has come to a phase; says whether it was seen there.
    fn reaches(&self, run: &mut Child, phase: Phase) -> bool {
        let coded = || {
            let coded = self.scratch().and_then(|scratch| fs::metadata(scratch.join("coded")).ok());
            coded.map_or(0, |file| file.len())
        };
        let is_there = || match phase {
            Phase::Looking => self.scratch().is_some(),
            Phase::Coding => coded() > 0,
            Phase::Growing(_) => coded() >= self.coded,
        };
        let begun = Instant::now();
        while !is_there() {
            if run.try_wait().unwrap().is_some() {
                return false;
            }
            assert!(begun.elapsed() < Duration::from_secs(300), "{phase:?} never comes");
            std::thread::sleep(Duration::from_micros(200));
        }
        if let Phase::Growing(wait) = phase {
            std::thread::sleep(Duration::from_millis(wait));
        }
        run.try_wait().unwrap().is_none()
    }

    fn assert_clean(&self) {
        let names = fs::read_dir(self.folder.path("scratch")).unwrap().map(|e| e.unwrap().file_name());
        assert_eq!(names.collect::<Vec<_>>().len(), 0, "the scratch folder is empty again");
    }

    /// An undisturbed run gives the right model and leaves nothing.
    fn assert_recovers(&self) {
        self.folder.write(self.data, &self.bytes);
        self.folder.run(&self.args("m.json")).ok();
        assert!(fs::read(self.folder.path("m.json")).unwrap() == self.model, "another model");
        fs::remove_file(self.folder.path("m.json")).unwrap();
        self.assert_clean();
        let names = fs::read_dir(self.folder.0.path()).unwrap().map(|e| e.unwrap().file_name());
        assert_eq!(names.collect::<Vec<_>>().len(), 2, "data and the scratch folder, and no part of a model");
    }
}

#[test]
fn a_kill_in_any_phase_leaves_nothing_after_the_next_run() {
    let stream = Stream::new("t.parquet", parquet());
    let growing = [0, 3, 10, 30, 60].map(Phase::Growing);
    for phase in [Phase::Looking, Phase::Coding].into_iter().chain(growing) {
        // A busy machine may let a run go on while nobody looks.
        let killed = (0..5).any(|_| stream.killed_in(phase));
        assert!(killed || !matches!(phase, Phase::Looking | Phase::Coding | Phase::Growing(0)), "{phase:?}");
        stream.assert_recovers();
    }
}

impl Stream {
    /// Kills a run in a phase; says whether it was hit at work, so that the next run has something to remove.
    fn killed_in(&self, phase: Phase) -> bool {
        let mut run = self.start();
        if self.reaches(&mut run, phase) {
            run.kill().unwrap();
        }
        let killed = run.wait().unwrap().code().is_none();
        let model = self.folder.path("m.json");
        if killed && model.exists() {
            assert!(fs::read(&model).unwrap() == self.model, "{phase:?}: half a model");
        }
        let _ = fs::remove_file(model);
        killed && self.scratch().is_some()
    }
}

/// A change that is made to a file.
type Change = fn(&Path);

fn longer(path: &Path) {
    use std::io::Write;
    OpenOptions::new().append(true).open(path).unwrap().write_all(b"1,2,3\n").unwrap();
}

fn shorter(path: &Path) {
    let file = OpenOptions::new().write(true).open(path).unwrap();
    file.set_len(fs::metadata(path).unwrap().len() / 2).unwrap();
}

fn another(path: &Path) {
    let bytes = fs::read(path).unwrap();
    fs::remove_file(path).unwrap();
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_file_that_changes_is_noticed() {
    for (data, bytes) in [("t.parquet", parquet()), ("t.csv", csv().into_bytes())] {
        let stream = Stream::new(data, bytes);
        let changes: [(&str, Change); 3] = [("longer", longer), ("shorter", shorter), ("another", another)];
        for (what, change) in changes {
            for phase in [Phase::Looking, Phase::Coding, Phase::Growing(0)] {
                // A busy machine may let a run go on while nobody looks.
                let noticed = (0..5).any(|_| stream.notices(change, phase) || phase != Phase::Looking);
                assert!(noticed, "{data} {what}");
            }
        }
        stream.assert_recovers();
    }
}

impl Stream {
    /// Changes the file in a phase; says whether that was an error. Where it was none, all rows had been read before.
    fn notices(&self, change: Change, phase: Phase) -> bool {
        let (data, model) = (self.folder.path(self.data), self.folder.path("m.json"));
        let mut run = self.start();
        if self.reaches(&mut run, phase) {
            change(&data);
        }
        let output = run.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!said.contains("panicked"), "{said}");
        match output.status.code() {
            Some(2) => {
                // A page that was cut off while it was being read is noticed by its decoder first.
                let in_a_line = said.split_whitespace().collect::<Vec<_>>().join(" ");
                let reasons = ["was changed while it was being read", "damaged or cut off"];
                assert!(
                    said.contains(self.data) && reasons.iter().any(|why| in_a_line.contains(why)),
                    "{said}"
                );
                assert!(!model.exists(), "{phase:?}");
            }
            Some(0) => assert!(fs::read(&model).unwrap() == self.model, "{phase:?}: another model"),
            code => panic!("{phase:?}: {code:?}, {said}"),
        }
        self.assert_clean();
        let _ = fs::remove_file(&model);
        self.folder.write(self.data, &self.bytes);
        output.status.code() == Some(2)
    }
}

/// The program behind words of a shell; 99 where these are refused.
fn behind(folder: &Folder, before: &str, args: &[&str]) -> Done {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{before} || exit 99; exec \"$0\" \"$@\"")]);
    command.arg(assert_cmd::cargo::cargo_bin!("secateur")).args(args);
    let output = command.current_dir(folder.0.path()).output().unwrap();
    Done {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[test]
fn a_full_disk_is_told_and_nothing_is_left() {
    let stream = Stream::new("t.parquet", parquet());
    let folder = &stream.folder;
    // Files of at most a megabyte, with the signal that would end the program.
    let limit = "ulimit -f 2048";
    let done = behind(folder, limit, &stream.args("m.json"));
    assert_eq!(done.code, 1, "{}", done.err);
    let wanted = "scratch: cannot write it: there is no room left for the coded rows; name another scratch folder, or make room";
    contains(&done.err, &[wanted]);
    assert!(!done.err.contains("hint"), "{}", done.err);
    assert!(!folder.path("m.json").exists());
    stream.assert_clean();
    // Predictions that find no room leave those that were there.
    folder.write("model.json", &stream.model);
    folder.write("p.csv", "old");
    for memory in ["1kB", "10GB"] {
        let predict = ["predict", "model.json", "t.parquet", "-o", "p.csv", "--memory", memory];
        let done = behind(folder, limit, &predict);
        assert_eq!(done.code, 1, "{}", done.err);
        contains(&done.err, &["p.csv"]);
        assert_eq!(folder.read("p.csv"), "old");
    }
    fs::remove_file(folder.path("p.csv")).unwrap();
    fs::remove_file(folder.path("model.json")).unwrap();
    stream.assert_recovers();
}

#[test]
fn a_full_file_system_is_told_and_nothing_is_left() {
    let stream = Stream::new("t.parquet", parquet());
    // A mount that nobody else sees.
    let listed = "mount -t tmpfs -o size=1m tmpfs scratch 2> /dev/null || exit 99; \"$0\" \"$@\"; code=$?; ls -A scratch >&2; exit $code";
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", listed]).arg(assert_cmd::cargo::cargo_bin!("secateur"));
    command.args(stream.args("m.json")).current_dir(stream.folder.0.path());
    let output = match command.output() {
        Ok(output) if output.status.code() == Some(1) => output,
        Ok(output)
            if output.status.code() != Some(99)
                && !String::from_utf8_lossy(&output.stderr).contains("unshare") =>
        {
            panic!("{:?}: {}", output.status, String::from_utf8_lossy(&output.stderr))
        }
        _ => return secateur_testing::skip("mounts", "a file system of its own cannot be mounted here"),
    };
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    contains(&said, &["scratch: cannot write it: there is no room left for the coded rows"]);
    assert_eq!(said.lines().filter(|line| line.contains("secateur-scratch")).count(), 0, "{said}");
    stream.assert_recovers();
}
