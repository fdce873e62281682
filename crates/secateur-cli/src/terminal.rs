//! What the place where text goes can show: its width, colours, characters beyond ASCII.

use std::io::IsTerminal;
use std::sync::OnceLock;

/// What a terminal, or what stands in for one, can show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terminal {
    /// Columns to stay within.
    pub width: usize,
    /// Whether standard output shows colours.
    pub color: bool,
    /// Whether only ASCII is shown.
    pub ascii: bool,
}

/// The columns of text that goes to a file or a pipe.
const USUAL_WIDTH: usize = 80;
/// The columns that no text is squeezed below.
const LEAST_WIDTH: usize = 40;

static HERE: OnceLock<Terminal> = OnceLock::new();

/// What the call asks for, once and for all commands.
pub fn set(width: Option<usize>, ascii: bool) {
    let _ = HERE.set(Terminal::found(width, ascii));
}

/// What standard output can show.
pub fn here() -> Terminal {
    *HERE.get_or_init(|| Terminal::found(None, false))
}

/// The columns that notes and errors stay within: those of the terminal they go to.
pub fn error_width() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(std::io::stderr())?;
    Some((width.0 as usize).max(LEAST_WIDTH))
}

/// Whether notes and errors are coloured.
pub fn colors_errors() -> bool {
    std::io::stderr().is_terminal() && wants_color()
}

impl Terminal {
    /// What is wished for, else what the terminal has. Text for files does not depend on where it was made.
    fn found(width: Option<usize>, ascii: bool) -> Self {
        let is_terminal = std::io::stdout().is_terminal();
        let own = terminal_size::terminal_size().filter(|_| is_terminal).map(|(width, _)| width.0 as usize);
        let width = width.or(own).unwrap_or(USUAL_WIDTH).max(LEAST_WIDTH);
        let locale = || ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| named(name));
        Self {
            width,
            color: is_terminal && wants_color(),
            ascii: ascii || is_terminal && !knows_unicode(locale().as_deref()),
        }
    }
}

fn named(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|text| !text.is_empty())
}

fn wants_color() -> bool {
    named("NO_COLOR").is_none() && named("TERM").is_none_or(|terminal| terminal != "dumb")
}

/// Whether a locale has the characters of Unicode; elsewhere than on Unix every terminal does.
fn knows_unicode(locale: Option<&str>) -> bool {
    let is_unicode = |locale: &str| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    };
    !cfg!(unix) || locale.is_some_and(is_unicode)
}

/// A text in ASCII: signs as they are typed, everything else as a question mark.
pub fn in_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c.is_ascii() => out.push(c),
            '±' => out += "+-",
            '→' => out += "->",
            '←' => out += "<-",
            '≤' => out += "<=",
            '≥' => out += ">=",
            '≠' => out += "!=",
            '…' => out += "...",
            '─' | '–' | '−' | '━' | '╸' => out.push('-'),
            '═' => out.push('='),
            '│' | '├' => out.push('|'),
            '└' => out.push('`'),
            '▇' => out.push('#'),
            '×' => out.push('x'),
            '²' => out.push('2'),
            '’' | '‘' => out.push('\''),
            '“' | '”' => out.push('"'),
            '\u{a0}' => out.push(' '),
            _ => out.push('?'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_says_whether_there_is_more_than_ascii() {
        for (locale, unicode) in [
            (Some("en_GB.UTF-8"), true),
            (Some("C.utf8"), true),
            (Some("C"), false),
            (Some("de_DE.ISO-8859-1"), false),
            (None, false),
        ] {
            assert_eq!(knows_unicode(locale), unicode || !cfg!(unix), "{locale:?}");
        }
    }

    #[test]
    fn what_ascii_cannot_show_is_replaced() {
        assert_eq!(
            in_ascii("├─ x ≥ 2.5 → 4 ± 1 … (R² 0.9, Ωmega)"),
            "|- x >= 2.5 -> 4 +- 1 ... (R2 0.9, ?mega)"
        );
    }
}
