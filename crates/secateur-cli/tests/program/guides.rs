//! The guides in `docs/` show what the program prints.
//!
//! A guide has blocks of commands (`$ secateur …`), each with what it prints. The commands of a page run in one folder, in order.
//! `SECATEUR_WRITE_GUIDES=1` writes the pages anew from what is printed; look at the difference before you keep it.

use std::path::PathBuf;
use std::process::Command;

use super::Folder;

/// What a command prints, without what differs from run to run.
fn printed(folder: &Folder, command: &str) -> String {
    let program = assert_cmd::cargo::cargo_bin!("secateur");
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let done =
        Command::new("sh").args(["-c", command]).current_dir(folder.0.path()).env("PATH", path).output();
    let done = done.unwrap();
    let text = String::from_utf8(done.stdout).unwrap() + &String::from_utf8(done.stderr).unwrap();
    text.lines().filter(|line| !line.starts_with("time ")).map(|line| format!("{line}\n")).collect()
}

/// A page with every block as it is printed now.
fn renewed(page: &str, folder: &Folder) -> String {
    let (mut out, mut lines) = (String::new(), page.lines().peekable());
    while let Some(line) = lines.next() {
        out += line;
        out.push('\n');
        let Some(command) = line.strip_prefix("$ ") else { continue };
        out += &printed(folder, command);
        while lines.next_if(|next| !next.starts_with("$ ") && !next.starts_with("```")).is_some() {}
    }
    out
}

fn check(name: &str, data: &[&str]) {
    let folder = Folder::new();
    if !data.is_empty() {
        let Some(source) = secateur_testing::data() else { return };
        for file in data {
            let name = PathBuf::from(file).file_name().unwrap().to_owned();
            std::fs::copy(source.join(file), folder.0.path().join(name)).unwrap();
        }
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    let page = std::fs::read_to_string(&path).unwrap();
    assert!(page.contains("\n$ secateur "), "{name} has no command");
    let renewed = renewed(&page, &folder);
    if std::env::var_os("SECATEUR_WRITE_GUIDES").is_some() {
        std::fs::write(&path, &renewed).unwrap();
        return;
    }
    for (number, (shown, now)) in page.lines().zip(renewed.lines()).enumerate() {
        assert_eq!(shown, now, "{name}, line {}", number + 1);
    }
    assert_eq!(page.lines().count(), renewed.lines().count(), "{name}");
}

#[test]
fn the_guide_to_credit_shows_what_is_printed() {
    check("guide-credit.md", &["classification/german-credit.arff"]);
}

#[test]
fn the_guide_to_house_prices_shows_what_is_printed() {
    check("guide-houses.md", &[]);
}

#[test]
fn the_guide_to_choosing_shows_what_is_printed() {
    check("guide-choosing.md", &[]);
}
