//! Text, tables and JSON on standard output; notes on standard error.

use std::io::{self, BufWriter, Write};

use secateur::prune::k_norm::Reliability;
use serde::Serialize;

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

/// Writes to standard output.
pub fn stream(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    write(&mut out)?;
    out.flush()
}

/// Writes a line to standard error, where nobody may be listening.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "note: {text}");
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
/// which is wrapped at spaces to stay within 80.
pub fn table(align: &[Align], most: usize, rows: &[Vec<String>]) -> String {
    let columns = align.len();
    let mut widths = vec![0; columns];
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let short = |(i, cell): (usize, &String)| {
                if i + 1 < columns { shortened(cell, most) } else { plain(cell) }
            };
            row.iter().enumerate().map(short).collect()
        })
        .collect();
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let start: usize = widths[..columns - 1].iter().map(|w| w + 2).sum();
    let mut out = String::new();
    for row in &rows {
        let mut line = String::new();
        for (i, cell) in row.iter().enumerate() {
            if i + 1 == columns && align[i] == Align::Left {
                line += &wrapped(cell, 80usize.saturating_sub(start).max(20), start);
                continue;
            }
            let gap = " ".repeat(widths[i] - cell.chars().count());
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

/// A text in lines of at most `width`, all but the first behind `indent` spaces.
pub fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > width {
            out += &format!("\n{}", " ".repeat(indent));
            used = 0;
        } else if used > 0 {
            out.push(' ');
            used += 1;
        }
        out += word;
        used += length;
    }
    out
}

/// A text of the data without control characters, which could disturb a terminal.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '�' } else { c }).collect()
}

/// A text of the data in at most `most` characters.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return plain(text);
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    plain(&kept) + "…"
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

/// How sure a tree is, as a line under the name `sure`, within `width` columns.
pub fn sure(reliability: &Reliability, width: usize, ascii: bool) -> String {
    let [error, sd, norm] = [reliability.error, reliability.sd, reliability.norm].map(|x| 100.0 * x);
    let give = if ascii { "+-" } else { "±" };
    let text =
        format!("expected error {error:.1} % {give} {sd:.1}, 2-norm {norm:.1} %, by training counts alone");
    format!("sure    {}\n", wrapped(&text, width.saturating_sub(8), 8))
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
    fn a_table_stays_within_80_columns() {
        let row = vec!["x".repeat(50), "7".into(), "word ".repeat(40)];
        let table = table(&[Align::Left, Align::Right, Align::Left], 24, &[row]);
        assert!(table.lines().count() > 3);
        assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
        assert!(!plain("a\u{1b}[31mb").contains('\u{1b}'));
    }
}
