//! How names and numbers are written in reports: short, unambiguous, safe on a terminal.

use unicode_width::UnicodeWidthChar;

use crate::tree::LeafValues;

/// The characters a report is drawn with.
pub(crate) struct Glyphs {
    pub at_most: &'static str,
    pub at_least: &'static str,
    pub unequal: &'static str,
    pub arrow: &'static str,
    pub spread: &'static str,
    pub lambda: &'static str,
    pub more: &'static str,
    pub bar: &'static str,
    pub branch: &'static str,
    pub last: &'static str,
    /// Whether these characters are all that can be shown.
    pub is_ascii: bool,
}

pub(crate) const UNICODE: Glyphs = Glyphs {
    at_most: "≤",
    at_least: "≥",
    unequal: "≠",
    arrow: "→",
    spread: "±",
    lambda: "λ",
    more: "…",
    bar: "│  ",
    branch: "├─ ",
    last: "└─ ",
    is_ascii: false,
};

pub(crate) const ASCII: Glyphs = Glyphs {
    at_most: "<=",
    at_least: ">=",
    unequal: "!=",
    arrow: "->",
    spread: "+-",
    lambda: "lambda",
    more: "...",
    bar: "|  ",
    branch: "|- ",
    last: "`- ",
    is_ascii: true,
};

impl Glyphs {
    pub(crate) fn of(ascii: bool) -> &'static Self {
        if ascii { &ASCII } else { &UNICODE }
    }
}

/// The leaf values of a tree in words; nothing where they are the shares or means that were counted.
pub(crate) fn leaf_values(values: LeafValues, glyphs: &Glyphs) -> Option<String> {
    match values {
        LeafValues::Raw => None,
        LeafValues::Laplace => Some("Laplace leaf values (one more row of every class)".into()),
        LeafValues::M(m) => {
            let rows = if m == 1.0 { "row" } else { "rows" };
            Some(format!("m-estimate leaf values ({} more {rows} as at the root)", weight(m)))
        }
        LeafValues::Shrink(LeafValues::LARGEST) => {
            Some("leaf values shrunken all the way: every leaf predicts what the root predicts".into())
        }
        LeafValues::Shrink(lambda) => Some(format!(
            "shrunken leaf values (hierarchical shrinkage, {} = {})",
            glyphs.lambda,
            weight(lambda)
        )),
    }
}

/// The [leaf values](crate::tree::Tree::leaf_values) of a tree in words; nothing where they are the shares or means that were counted.
///
/// ```
/// use secateur::report::leaf_values_text;
/// assert_eq!(leaf_values_text("shrink=25".parse()?).as_deref(), Some("shrunken leaf values (hierarchical shrinkage, λ = 25)"));
/// # Ok::<(), secateur::Error>(())
/// ```
pub fn leaf_values_text(values: LeafValues) -> Option<String> {
    leaf_values(values, &UNICODE)
}

/// Columns a text takes on a terminal, at most: some terminals draw some of its characters as one.
pub(crate) fn width(text: &str) -> usize {
    // The sign after a character that asks for its wide picture.
    text.chars().map(|c| if c == '\u{fe0f}' { 1 } else { c.width().unwrap_or(0) }).sum()
}

/// A user's text as a whole, with nothing in it that moves the cursor or turns the line, and with plain characters only where nothing else
/// can be shown. Different texts are written differently: one that would look like a code (`\n`), or whose spaces could not be seen, is marked.
pub(crate) fn whole(text: &str, glyphs: &Glyphs) -> String {
    let has_hidden_spaces = text.starts_with(' ') || text.ends_with(' ') || text.contains("  ");
    if text.is_empty() || text.starts_with('\'') || has_hidden_spaces {
        return quoted(text, glyphs);
    }
    escaped(text, glyphs)
}

/// The same for a value in a list.
pub(crate) fn in_list(text: &str, glyphs: &Glyphs) -> String {
    if text.contains([',', '{', '}', '\'']) { quoted(text, glyphs) } else { whole(text, glyphs) }
}

/// The same for a value that stands alone, where words could be taken for it.
pub(crate) fn bare(text: &str, glyphs: &Glyphs) -> String {
    let is_word = ["all others", "known", "missing"].contains(&text);
    let is_like_words = ["set ", "not ", "≠ "].iter().any(|word| text.starts_with(word));
    if is_word || is_like_words { quoted(text, glyphs) } else { in_list(text, glyphs) }
}

fn quoted(text: &str, glyphs: &Glyphs) -> String {
    format!("'{}'", escaped(&text.replace('\'', "''"), glyphs))
}

fn escaped(text: &str, glyphs: &Glyphs) -> String {
    let mut out = String::with_capacity(text.len());
    for (place, c) in text.char_indices() {
        let is_coded = |c: char| is_harmful(c) || glyphs.is_ascii && !c.is_ascii();
        let looks_like_a_code = || text[place + 1..].starts_with(|c| "\\nrtu".contains(c) || is_coded(c));
        if is_coded(c) || c == '\\' && looks_like_a_code() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// Control characters, line separators and marks that change the direction of writing.
pub(crate) fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// A text with nothing in it that moves a cursor, ends a line or turns the direction of writing: such characters are written as
/// their codes.
///
/// ```
/// use secateur::report::safe;
/// assert_eq!(safe("red\u{1b}[31m"), "red\\u{1b}[31m");
/// ```
pub fn safe(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_harmful(c) { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}

/// A count with its thousands apart.
pub(crate) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// `1 node`, `2 nodes`.
pub(crate) fn counted(n: u64, what: &str) -> String {
    format!("{} {what}{}", count(n), if n == 1 { "" } else { "s" })
}

/// A weight: a count when it is whole.
pub(crate) fn weight(x: f64) -> String {
    weight_in(x, 4)
}

/// The same in this many significant digits, where it is not whole.
pub(crate) fn weight_in(x: f64, digits: usize) -> String {
    if x.fract() == 0.0 && x.abs() < 1e15 { count(x as u64) } else { rounded(x, digits) }
}

/// A share in percent, with one decimal.
pub(crate) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent > 0.0 && percent < 0.05 {
        return "<0.1 %".into();
    }
    let text = format!("{percent:.1}");
    format!("{} %", text.strip_suffix(".0").unwrap_or(&text))
}

/// The shortest text that gives the same number back.
pub(crate) fn exact(x: f64) -> String {
    let x = x + 0.0;
    if x == 0.0 || (1e-5..1e15).contains(&x.abs()) { x.to_string() } else { format!("{x:e}") }
}

/// The number `v` for which `x < below` is better written `x ≤ v`: the next smaller one, if it is shorter. Both say the same of every number; a text
/// that rounds `v` must compare again.
///
/// ```
/// use secateur::report::at_most;
/// assert_eq!(at_most(2.4500000000000006), Some(2.45));
/// assert_eq!(at_most(2.5), None);
/// ```
pub fn at_most(below: f64) -> Option<f64> {
    let before = below.next_down() + 0.0;
    (before.is_finite() && exact(before).len() < exact(below).len()).then_some(before)
}

/// How the threshold `below` is written, and whether the number written belongs to what is below it (`x ≤ 2.45` instead of
/// `x < 2.4500000000000006`). Nothing is rounded: between the number and the threshold there is no other one that a row could have.
/// The one step up is taken where it saves a tail of digits, as in the middle of 4.1 and 4.1184.
pub(crate) fn threshold(below: f64) -> (bool, String) {
    let own = exact(below);
    let after = exact(below.next_up());
    match at_most(below).map(exact) {
        Some(before) if before.len() <= after.len() || below.next_up().is_infinite() => (true, before),
        _ if below.next_up().is_finite() && after.len() + 4 < own.len() => (false, after),
        Some(before) => (true, before),
        None => (false, own),
    }
}

/// A number in this many significant digits, but with its whole part and one decimal at least.
pub(crate) fn rounded(x: f64, digits: usize) -> String {
    let shortest = exact(x);
    if shortest.len() <= digits + 1 {
        return shortest;
    }
    let size = x.abs();
    let (text, exponent) = if (1e-5..1e15).contains(&size) {
        let decimals = (digits as i32 - 1 - size.log10().floor() as i32).max(1);
        (format!("{x:.*}", decimals as usize), String::new())
    } else {
        let text = format!("{x:.*e}", digits.saturating_sub(1));
        match text.split_once('e') {
            Some((digits, exponent)) => (digits.to_string(), format!("e{exponent}")),
            None => (text, String::new()),
        }
    };
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    let rounded = format!("{text}{exponent}");
    if rounded.len() < shortest.len() { rounded } else { shortest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_not_misleading() {
        let shown: Vec<String> = [
            0.0,
            -0.0,
            0.8,
            4.95,
            0.15000000000000002,
            1234567.5,
            1.0 / 3.0,
            1e-9,
            1.5e20,
            1e22 / 7.0,
            1700000001.53125,
            -2.0 / 3.0,
        ]
        .iter()
        .map(|&x| rounded(x, 8))
        .collect();
        assert_eq!(
            shown.join(" "),
            "0 0 0.8 4.95 0.15 1234567.5 0.33333333 1e-9 1.5e20 1.4285714e21 1700000001.5 -0.66666667"
        );
        assert_eq!(rounded(2.0 / 3.0, 3), "0.667");
        assert_eq!(weight(16.0 / 3.0), "5.333");
        assert_eq!(weight(1234567.0), "1,234,567");
        assert_eq!(percent(1.0 / 3.0), "33.3 %");
        assert_eq!(percent(0.0001), "<0.1 %");
        assert_eq!(percent(1.0), "100 %");
    }

    #[test]
    fn texts_are_whole_and_cannot_disturb() {
        assert_eq!(whole("日本語の列", &UNICODE), "日本語の列");
        assert_eq!(whole("a\u{1b}[31m\nb\u{202e}", &UNICODE), "a\\u{1b}[31m\\nb\\u{202e}");
        assert_eq!(whole("Zürich", &ASCII), "Z\\u{fc}rich");
        assert_eq!(in_list("a, b", &UNICODE), "'a, b'");
    }

    #[test]
    fn different_texts_are_written_differently() {
        let texts = [
            "", "''", "'", "a", "'a'", "a ", " a", "a b", "a  b", "\n", "\\n", "\\\\n", "\\", "\\\\",
            "\u{1b}", "\\u{1b}", "ü", "\\u{fc}", "\u{202e}", "C:\\new", "C:\new", "it's", "it''s", "a,b",
            "'a,b'", "a,b'", "\\\n",
        ];
        for glyphs in [&UNICODE, &ASCII] {
            for write in [whole, in_list] {
                let written: Vec<String> = texts.iter().map(|text| write(text, glyphs)).collect();
                for (i, a) in texts.iter().enumerate() {
                    for (j, b) in texts.iter().enumerate() {
                        assert_eq!(a == b, written[i] == written[j], "{a:?} {b:?} {}", written[i]);
                        assert!(!glyphs.is_ascii || written[i].is_ascii());
                    }
                }
            }
        }
    }
}
