//! A grid as Markdown, with tables as GitHub reads them.
//!
//! A table has one line of heads, so grouped heads are joined. Lines between rows are left out; a footer is strong.
//! Every character that means something in Markdown is escaped.

use super::report::apart;
use super::{Align, Emphasis, Grid, Report, safe};

/// One grid.
pub(super) fn grid(grid: &Grid) -> String {
    let mut parts = Vec::new();
    if !grid.title.is_empty() {
        parts.push(format!("**{}**\n", escaped(&grid.title)));
    }
    if !grid.columns.is_empty() {
        let mut table = line(grid.columns.iter().map(|c| escaped(&c.joined())));
        table += &line(grid.columns.iter().map(|c| match c.align {
            Align::Left => ":---".into(),
            Align::Right | Align::Decimal => "---:".into(),
        }));
        let body = grid.rows() - grid.footer.len();
        for (i, row) in grid.all_rows().enumerate() {
            table += &line(row.iter().map(|cell| {
                let text = escaped(&cell.text);
                let is_sum = i >= body && cell.emphasis == Emphasis::Plain;
                match cell.emphasis {
                    _ if text.is_empty() => text,
                    Emphasis::Strong | Emphasis::Good => format!("**{text}**"),
                    Emphasis::Bad => format!("*{text}*"),
                    _ if is_sum => format!("**{text}**"),
                    Emphasis::Plain | Emphasis::Faint => text,
                }
            }));
        }
        parts.push(table);
    }
    parts.extend(grid.notes.iter().map(|note| paragraph(note)));
    apart(parts)
}

/// A whole report.
pub(super) fn report(report: &Report) -> String {
    let title = (!report.title.is_empty()).then(|| format!("# {}\n", escaped(&report.title)));
    let before = report.paragraphs.iter().map(|p| paragraph(p));
    let after = report.notes.iter().map(|p| paragraph(p));
    apart(title.into_iter().chain(before).chain(report.grids.iter().map(grid)).chain(after))
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let mut out = String::from("|");
    for cell in cells {
        out += " ";
        out += &cell;
        out += if cell.is_empty() { "|" } else { " |" };
    }
    out + "\n"
}

/// A paragraph; what would make it a heading or a list at its beginning is escaped too.
fn paragraph(text: &str) -> String {
    let text = escaped(text);
    let number = text.bytes().take_while(u8::is_ascii_digit).count();
    match text.as_bytes() {
        [b'#' | b'+' | b'-' | b'=', ..] => format!("\\{text}\n"),
        bytes if number > 0 && matches!(bytes.get(number), Some(b'.' | b')')) => {
            format!("{}\\{}\n", &text[..number], &text[number..])
        }
        _ => format!("{text}\n"),
    }
}

/// A text without meaning for Markdown: no markup, no HTML, no end of a cell, no blanks at its ends.
///
/// ```
/// let title = secateur::report::grid::markdown_text("<script> & *co*");
/// assert_eq!(title, r"\<script\> \& \*co\*");
/// ```
pub fn markdown_text(text: &str) -> String {
    escaped(text)
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in safe(text).trim().chars() {
        if matches!(c, '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '~' | '$') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
