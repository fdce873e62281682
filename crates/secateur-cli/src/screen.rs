//! What a person looks at: a writer that lets nothing through which a terminal cannot show or would obey.

use std::io::{self, Write};

use crate::terminal::{Terminal, in_ascii};

/// Writes text for a terminal: in ASCII where there is nothing else, control characters as their codes. New lines and tabs
/// stay, and colours where the terminal is said to show them. What is not a text is let through as far as it is one.
pub struct Screen<'a> {
    out: &'a mut dyn Write,
    terminal: Terminal,
    /// The beginning of a character or of a colour whose other bytes have not come yet.
    rest: Vec<u8>,
}

impl<'a> Screen<'a> {
    /// A writer for a terminal.
    pub fn new(out: &'a mut dyn Write, terminal: Terminal) -> Self {
        Self { out, terminal, rest: Vec::new() }
    }

    /// Writes what is left.
    pub fn end(mut self) -> io::Result<()> {
        let rest = std::mem::take(&mut self.rest);
        self.put(&String::from_utf8_lossy(&rest))
    }

    fn put(&mut self, text: &str) -> io::Result<()> {
        let text = harmless(text, self.terminal.color);
        let text = if self.terminal.ascii { in_ascii(&text) } else { text };
        self.out.write_all(text.as_bytes())
    }
}

impl Write for Screen<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.rest) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.rest.len(),
        };
        let whole = open_color(&self.rest[..whole]).unwrap_or(whole);
        let rest = self.rest.split_off(whole);
        let ready = std::mem::replace(&mut self.rest, rest);
        self.put(&String::from_utf8_lossy(&ready))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The length of a colour (`ESC [ numbers m`) at the beginning of a text.
fn color(text: &str) -> Option<usize> {
    let numbers = text.strip_prefix("\u{1b}[")?;
    let end = numbers.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    numbers[end..].starts_with('m').then_some(2 + end + 1)
}

/// A text without its colours.
pub fn without_colors(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let escaped = format!("\u{1b}[{piece}");
        out += &escaped[color(&escaped).unwrap_or(0)..];
    }
    out
}

/// Where a colour begins that does not end yet.
fn open_color(bytes: &[u8]) -> Option<usize> {
    let start = bytes.iter().rposition(|&byte| byte == 0x1b)?;
    let is_open = match &bytes[start + 1..] {
        [] => true,
        [b'[', numbers @ ..] => numbers.len() < 8 && numbers.iter().all(|b| b.is_ascii_digit() || *b == b';'),
        _ => false,
    };
    is_open.then_some(start)
}

/// A text in which nothing moves the cursor or turns the direction of writing; colours may stay.
pub fn harmless(text: &str, keeps_colors: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        if let Some(colored) = color(rest).filter(|_| keeps_colors) {
            length = colored;
            out += &rest[..colored];
        } else if matches!(c, '\n' | '\t') {
            out.push(c);
        } else {
            out += &secateur::report::safe(&rest[..length]);
        }
        rest = &rest[length..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, ascii: bool) -> String {
        on(Terminal { width: 80, color: true, ascii }, text)
    }

    fn on(terminal: Terminal, text: &str) -> String {
        let mut out = Vec::new();
        let mut screen = Screen::new(&mut out, terminal);
        for byte in text.bytes() {
            screen.write_all(&[byte]).unwrap();
        }
        screen.end().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn ascii_is_written_character_by_character() {
        assert_eq!(shown("x ≥ 2 → ß\n", true), "x >= 2 -> ?\n");
        assert_eq!(shown("x ≥ 2 → ß\n", false), "x ≥ 2 → ß\n");
    }

    #[test]
    fn colours_are_characters_like_others_where_there_are_none() {
        let plain = Terminal { width: 80, color: false, ascii: false };
        assert_eq!(on(plain, "a\u{1b}[31mb\u{1b}[0m\n"), "a\\u{1b}[31mb\\u{1b}[0m\n");
    }

    #[test]
    fn colours_can_be_taken_away() {
        let text = "\u{1b}[1;31merror:\u{1b}[0m a \u{1b}[2J b";
        assert_eq!(without_colors(text), "error: a \u{1b}[2J b");
    }

    #[test]
    fn colours_pass_and_nothing_else_moves_the_cursor() {
        assert_eq!(shown("\u{1b}[1;31mred\u{1b}[0m\t!", false), "\u{1b}[1;31mred\u{1b}[0m\t!");
        assert_eq!(shown("\u{1b}[2J", false), "\\u{1b}[2J");
        assert_eq!(shown("\u{1b}]0;title\u{7}", false), "\\u{1b}]0;title\\u{7}");
        assert_eq!(shown("a\rb\u{202e}c\u{1b}", false), "a\\rb\\u{202e}c\\u{1b}");
    }
}
