//! Text, tables and JSON on standard output; notes on standard error.

use std::io::{self, BufWriter, IsTerminal, Write};

use secateur::prune::k_norm::Reliability;
use secateur::report::safe;
use serde::Serialize;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::screen::Screen;
use crate::terminal::{self, Terminal};

/// Prints text.
pub fn text(text: &str) -> io::Result<()> {
    stream(|out| out.write_all(text.as_bytes()))
}

/// Prints one JSON object.
pub fn json(value: &impl Serialize) -> io::Result<()> {
    stream(|out| {
        serde_json::to_writer_pretty(&mut *out, value)?;
        out.write_all(b"\n")
    })
}

/// Writes text of the program's own to standard output. On a terminal nothing is written that it would obey or cannot show, except for
/// colours: names and values from data stand in such a text as [`safe`] leaves them.
pub fn stream(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    streamed(terminal::here(), write)
}

/// Writes to standard output what could as well be written to a file, with names and values from data as they are. On a terminal it has
/// no colours, as those could only come from the data.
pub fn contents(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    streamed(Terminal { color: false, ..terminal::here() }, write)
}

fn streamed(terminal: Terminal, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    if terminal.ascii || io::stdout().is_terminal() {
        let mut screen = Screen::new(&mut out, terminal);
        write(&mut screen)?;
        screen.end()?;
    } else {
        write(&mut out)?;
    }
    out.flush()
}

/// The call of the program as it could be typed again.
pub fn call() -> String {
    let quoted = |arg: std::ffi::OsString| {
        let arg = arg.to_string_lossy().into_owned();
        let is_plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c);
        if !arg.is_empty() && arg.chars().all(is_plain) {
            arg
        } else {
            format!("'{}'", arg.replace('\'', r"'\''"))
        }
    };
    let args: Vec<String> = std::env::args_os().skip(1).map(quoted).collect();
    format!("secateur {}", args.join(" "))
}

/// Writes a line to standard error, which may be closed.
pub fn note(text: &str) {
    say("note", "36", text);
}

/// Writes a line to standard error under a name, which has a colour where a person looks at it, and in as many lines as the
/// terminal needs; for files and pipes it stays one. Nothing in the text can disturb a terminal or begin a line of its own.
pub fn say(name: &str, color: &str, text: &str) {
    let text = match terminal::here().ascii {
        true => terminal::in_ascii(text),
        false => text.into(),
    };
    let indent = name.len() + 2;
    let text = match terminal::error_width() {
        Some(width) => wrapped(&safe(&text), width.saturating_sub(indent), indent),
        None => safe(&text),
    };
    let name = match terminal::colors_errors() {
        true => format!("\u{1b}[1;{color}m{name}:\u{1b}[0m"),
        false => format!("{name}:"),
    };
    // Nothing can be done when standard error is closed too.
    let _ = writeln!(io::stderr().lock(), "{name} {text}");
}

/// How a column of a table is aligned.
#[derive(Clone, Copy, PartialEq)]
pub enum Align {
    /// To the left.
    Left,
    /// To the right, as numbers are.
    Right,
}

/// A table in columns two spaces apart; cells too wide for `most` are shortened, except in the last column,
/// which is wrapped at spaces to stay within the terminal.
pub fn table(align: &[Align], most: usize, rows: &[Vec<String>]) -> String {
    let columns = align.len();
    let mut widths = vec![0; columns];
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let short = |(i, cell): (usize, &String)| {
                let cell = if i + 1 < columns { shortened(cell, most) } else { safe(cell) };
                // Columns are as wide as what is shown in the end.
                if terminal::here().ascii { terminal::in_ascii(&cell) } else { cell }
            };
            row.iter().enumerate().map(short).collect()
        })
        .collect();
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.width());
        }
    }
    let start: usize = widths[..columns - 1].iter().map(|w| w + 2).sum();
    let mut out = String::new();
    for row in &rows {
        let mut line = String::new();
        for (i, cell) in row.iter().enumerate() {
            if i + 1 == columns && align[i] == Align::Left {
                line += &wrapped(cell, terminal::here().width.saturating_sub(start).max(20), start);
                continue;
            }
            let gap = " ".repeat(widths[i] - cell.width());
            match align[i] {
                Align::Left => line += &format!("{cell}{gap}"),
                Align::Right => line += &format!("{gap}{cell}"),
            }
            if i + 1 < columns {
                line += "  ";
            }
        }
        out += line.trim_end();
        out.push('\n');
    }
    out
}

/// A text in lines of at most `width`, all but the first behind `indent` spaces. A word that is longer than a line, such as a scheme, is broken
/// behind commas and slashes, and anywhere where that is not enough.
pub fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        let is_long = word.width() > width;
        let parts = if is_long {
            word.split_inclusive([',', '/']).flat_map(|part| pieces(part, width)).collect()
        } else {
            vec![word]
        };
        for (place, part) in parts.into_iter().enumerate() {
            let (length, gap) = (part.width(), usize::from(place == 0));
            if used > 0 && used + gap + length > width {
                out += &format!("\n{}", " ".repeat(indent));
                used = 0;
            } else if used > 0 && gap > 0 {
                out.push(' ');
                used += 1;
            }
            out += part;
            used += length;
        }
    }
    out
}

/// A text in pieces of at most `width` columns, or of one character.
fn pieces(text: &str, width: usize) -> Vec<&str> {
    let (mut pieces, mut start, mut used) = (Vec::new(), 0, 0);
    for (place, c) in text.char_indices() {
        let wide = c.width().unwrap_or(0);
        if used + wide > width && place > start {
            pieces.push(&text[start..place]);
            (start, used) = (place, 0);
        }
        used += wide;
    }
    pieces.push(&text[start..]);
    pieces
}

/// A text of the data in at most `most` columns, with nothing in it that could disturb a terminal.
pub fn shortened(text: &str, most: usize) -> String {
    let text = safe(text);
    if text.width() <= most {
        return text;
    }
    let mut out = String::new();
    for c in text.chars() {
        out.push(c);
        if out.width() >= most {
            out.pop();
            break;
        }
    }
    out + "…"
}

/// A line in bold where a person looks at it.
pub fn bold(text: &str) -> String {
    if terminal::here().color { format!("\u{1b}[1m{text}\u{1b}[0m") } else { text.into() }
}

/// Lines of facts, each under its name. Nothing in a text can disturb a terminal or begin a line of its own.
pub fn facts(facts: &[(&str, String)]) -> String {
    const NAMES: usize = 13;
    let room = terminal::here().width.saturating_sub(NAMES);
    let line = |(name, text): &(&str, String)| {
        let gap = " ".repeat(NAMES.saturating_sub(name.len()));
        format!("{}{gap}{}\n", bold(name), wrapped(&safe(text), room, NAMES))
    };
    facts.iter().map(line).collect()
}

/// A number in a few digits.
pub fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 || (1e-4..1e7).contains(&size) {
        let digits = if size >= 1.0 { 5 - (size.log10().floor() as i32).clamp(0, 5) } else { 6 };
        let text = format!("{x:.*}", digits as usize);
        if text.contains('.') {
            return text.trim_end_matches('0').trim_end_matches('.').to_string();
        }
        return text;
    }
    format!("{x:.4e}")
}

/// A number in four significant digits, but with its whole part.
pub fn rounded(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 || !(1e-4..1e7).contains(&size) {
        return number(x);
    }
    let decimals = (3 - size.log10().floor() as i32).max(0) as usize;
    let text = format!("{x:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// A number in three significant digits, with commas in its whole part.
pub fn significant(x: f64) -> String {
    in_digits(x, decimals_of(x))
}

/// The decimals of a number in three significant digits; below 0 where its last whole digits are rounded.
fn decimals_of(x: f64) -> i32 {
    if x == 0.0 { 0 } else { 2 - x.abs().log10().floor() as i32 }
}

fn in_digits(x: f64, decimals: i32) -> String {
    let size = x.abs();
    if x == 0.0 || !(1e-4..1e9).contains(&size) {
        return number(x);
    }
    let unit = 10f64.powi((-decimals).max(0));
    let text = format!(
        "{:.*}",
        decimals.max(0) as usize,
        if decimals < 0 { (size / unit).round() * unit } else { size }
    );
    let (whole, rest) =
        text.split_once('.').map_or((text.as_str(), None), |(whole, rest)| (whole, Some(rest)));
    let whole = whole.parse().map_or(whole.to_string(), thousands);
    let sign = if x < 0.0 { "-" } else { "" };
    rest.map_or(format!("{sign}{whole}"), |rest| format!("{sign}{whole}.{rest}"))
}

/// A number with its standard error, both to the last digit that the error leaves: two digits of the error.
pub fn with_spread(x: f64, spread: f64) -> String {
    if !(spread > 0.0 && spread.is_finite() && (1e-4..1e7).contains(&spread)) || x.abs() >= 1e9 {
        return format!("{} ± {}", rounded(x), rounded(spread));
    }
    let decimals = decimals_of(spread) - 1;
    format!("{} ± {}", in_digits(x, decimals), in_digits(spread, decimals))
}

/// How reliable a tree is, in words.
pub fn reliability(reliability: &Reliability, is_classifier: bool) -> String {
    if !is_classifier {
        let error = with_spread(reliability.error, reliability.sd);
        return format!(
            "RMSE estimate {error} from the training rows (2-norm {})",
            rounded(reliability.norm)
        );
    }
    let [error, sd, norm] = [reliability.error, reliability.sd, reliability.norm].map(|x| 100.0 * x);
    format!("error estimate {error:.1} % ± {sd:.1} from the training counts (k-norm; 2-norm {norm:.1} %)")
}

/// A count with its noun: `1 row`, `2 rows`, `1,000 rows`.
pub fn count(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(n), if n == 1 { one } else { many })
}

/// A whole number with commas.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_true() {
        for (x, text) in [
            (0.0, "0"),
            (5.1, "5.1"),
            (150.0, "150"),
            (0.026666666, "0.026667"),
            (123456.7, "123457"),
            (-2.5, "-2.5"),
            (1e-9, "1.0000e-9"),
            (3e12, "3.0000e12"),
        ] {
            assert_eq!(number(x), text);
        }
        assert_eq!(thousands(1234567), "1,234,567");
        assert_eq!(count(1, "leaf", "leaves"), "1 leaf");
    }

    #[test]
    fn words_of_any_length_are_wrapped() {
        let text = format!("{} {} 日本語{}", "x".repeat(200), "a,b/c".repeat(40), "語".repeat(60));
        for width in [2, 20, 67] {
            let lines = wrapped(&text, width, 3);
            assert!(lines.lines().all(|line| line.trim_start().width() <= width), "{lines}");
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            assert_eq!(bare(&lines), bare(&text));
        }
    }

    #[test]
    fn a_table_stays_within_80_columns() {
        let row = vec!["x".repeat(50), "7".into(), "word ".repeat(40)];
        let table = table(&[Align::Left, Align::Right, Align::Left], 24, &[row]);
        assert!(table.lines().count() > 3);
        assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
        assert_eq!(shortened("a\u{1b}[31mb", 20), "a\\u{1b}[31mb");
        assert_eq!(shortened("日本語の列", 6), "日本…");
    }
}
