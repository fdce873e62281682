//! The library speaks to programs and to people, whoever called it: its texts name no flags of a command line.

use std::path::{Path, PathBuf};

fn sources(folder: &Path, list: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, list);
        } else if path.extension().is_some_and(|e| e == "rs") {
            list.push(path);
        }
    }
}

/// The texts of a source, each with its line; comments are left out.
fn texts(source: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut rest = source.char_indices().peekable();
    while let Some((start, c)) = rest.next() {
        if c == '/' && source[start..].starts_with("//") {
            while rest.next_if(|(_, c)| *c != '\n').is_some() {}
        } else if source[start..].starts_with("'\"'") {
            rest.nth(1);
        } else if c == '"' {
            let (mut text, mut escaped) = (String::new(), false);
            for (_, c) in rest.by_ref() {
                if c == '"' && !escaped {
                    break;
                }
                escaped = c == '\\' && !escaped;
                text.push(c);
            }
            found.push((source[..start].matches('\n').count() + 1, text));
        }
    }
    found
}

/// Whether a text holds something like `--ignore`; the variables of a style sheet (`--ink: …`, `var(--ink)`)
/// and the marks of a page (`<!--tree-->`) are none.
fn names_a_flag(text: &str) -> bool {
    text.match_indices("--").any(|(at, _)| {
        let word = text[at + 2..].split(|c: char| !(c.is_ascii_lowercase() || c == '-')).next().unwrap_or("");
        let is_style = ["var(", "<!"].iter().any(|before| text[..at].ends_with(before))
            || text[at + 2 + word.len()..].starts_with(':');
        word.starts_with(|c: char| c.is_ascii_lowercase()) && !is_style
    })
}

#[test]
fn no_text_of_the_library_names_a_flag() {
    assert!(
        names_a_flag("leave it out (--ignore)")
            && !names_a_flag("a -- b, --1, --ink: var(--red), <!--tree-->")
    );
    let told = texts("// \"--x\"\nlet c = '\"'; f(\"a \\\" --y\"); /// \"--z\"");
    assert_eq!(told, [(2, "a \\\" --y".to_string())]);
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    assert!(files.len() > 150);
    let mut wrong = Vec::new();
    for file in files {
        let source = std::fs::read_to_string(&file).unwrap();
        // Commands of another program, which turns workbooks into text.
        let is_wrong = |text: &str| names_a_flag(text) && !text.starts_with("libreoffice ");
        for (line, text) in texts(&source).into_iter().filter(|(_, text)| is_wrong(text)) {
            wrong.push(format!("{}:{line}: {text}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
