//! The sources of the crates, for tests that read them: which files there are, and their code without comments and texts.

use std::fs;
use std::path::{Path, PathBuf};

/// The files of Rust in a folder and in the folders in it, in order.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Code without comments and texts.
pub fn without_texts(source: &str) -> String {
    let (mut kept, mut rest) = (String::new(), source);
    while let Some(next) = rest.chars().next() {
        let raw = rest.strip_prefix('r').map(|r| r.len() - r.trim_start_matches('#').len());
        let end = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").unwrap() + 2
        } else if let Some(hashes) = raw.filter(|n| rest[1 + n..].starts_with('"')) {
            let close = format!("\"{}", "#".repeat(hashes));
            2 + hashes + rest[2 + hashes..].find(&close).unwrap() + close.len()
        } else if next == '"' {
            let mut escaped = false;
            let closes = |c: char| {
                let found = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                found
            };
            2 + rest[1..].find(closes).unwrap()
        } else if rest.starts_with("'\"'") || rest.starts_with("'{'") || rest.starts_with("'}'") {
            3
        } else {
            kept.push(next);
            rest = &rest[next.len_utf8()..];
            continue;
        };
        rest = &rest[end..];
    }
    kept
}

#[test]
fn comments_and_texts_are_left_out() {
    for (source, code) in [
        ("a // b\n c", "a \n c"),
        ("a /* b \" */ c", "a  c"),
        (r#"a "b \" c" d"#, "a  d"),
        (r##"a r#"b " c"# d"##, "a  d"),
        (r#"a '"' b '"' c"#, "a  b  c"),
        ("a('\\'', '\\\\', \"b\") c", "a('\\'', '\\\\', ) c"),
    ] {
        assert_eq!(without_texts(source), code, "{source}");
    }
}

/// A file is one idea, and one idea is rarely this long.
const LINES: usize = 400;

/// Whether a file is longer than that and does not say why in its description.
fn is_long_without_reason(text: &str) -> bool {
    let mut about = text.lines().take_while(|line| line.starts_with("//!"));
    text.lines().count() > LINES && !about.any(|line| line.contains("One file, as "))
}

#[test]
fn long_files_say_why() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = files(crates);
    found.retain(|path| is_long_without_reason(&fs::read_to_string(path).unwrap()));
    assert!(found.is_empty(), "more than {LINES} lines; divide them, or say \"One file, as …\": {found:?}");
    let lines = "a\n".repeat(LINES);
    assert!(!is_long_without_reason(&lines) && is_long_without_reason(&format!("//! A file.\n{lines}")));
    assert!(!is_long_without_reason(&format!("//! A file.\n//! One file, as it is a table.\n{lines}")));
}
