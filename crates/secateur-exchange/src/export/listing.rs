//! All formats and what they carry, as the table of the documentation.

use std::fmt::Write;

use super::{FORMATS, OptionKind, OptionSpec};

/// The formats in Markdown: what each carries, then their notes and options.
pub fn markdown() -> String {
    let names: Vec<&str> = FORMATS[0].carries.cells().iter().map(|(name, _)| *name).collect();
    let mut out = format!("| format | {} |\n|---|{}\n", names.join(" | "), "---|".repeat(names.len()));
    for format in FORMATS {
        let cells: Vec<&str> = format.carries.cells().iter().map(|(_, text)| *text).collect();
        let _ = writeln!(out, "| `{}` | {} |", format.id, cells.join(" | "));
    }
    for format in FORMATS {
        let _ = writeln!(out, "\n**`{}`**: {}.", format.id, format.one_line);
        if !format.carries.note.is_empty() {
            let _ =
                writeln!(out, "{}{}.", format.carries.note[..1].to_uppercase(), &format.carries.note[1..]);
        }
        if !format.options.is_empty() {
            out.push('\n');
        }
        for option in format.options {
            let _ =
                writeln!(out, "- `{}={}`: {}{}", option.name, option.choices(), option.help, default(option));
        }
    }
    out
}

fn default(option: &OptionSpec) -> String {
    if option.default.is_empty() { String::new() } else { format!(" (default `{}`)", option.default) }
}

impl OptionSpec {
    /// What it can be set to, in a word.
    pub fn choices(&self) -> String {
        match self.kind {
            OptionKind::Words(words) => words.join("|"),
            OptionKind::Text | OptionKind::AnyText => "NAME".into(),
            OptionKind::Number(..) => "NUMBER".into(),
        }
    }
}
