//! Names and numbers in the sources of other languages: nothing in a name can end its quotes or a comment.

use std::fmt::Write;

/// Whether a character would be invisible, or would change how the text around it is shown or read.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// A text in double quotes for Python.
pub(super) fn python_text(text: &str) -> String {
    quoted(text, |c| match c as u32 {
        code @ 0..=0xff => format!("\\x{code:02x}"),
        code @ 0x100..=0xffff => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    })
}

/// A text in double quotes for C: bytes that are not plain characters by their octal codes, which cannot run into what follows.
pub(super) fn c_text(text: &str) -> String {
    let octal = |c: char| {
        let mut bytes = [0; 4];
        c.encode_utf8(&mut bytes).bytes().map(|byte| format!("\\{byte:03o}")).collect()
    };
    // Two question marks could begin a trigraph.
    quoted(text, octal).replace("??", "?\\?")
}

/// A text in double quotes for Rust.
pub(super) fn rust_text(text: &str) -> String {
    quoted(text, |c| format!("\\u{{{:x}}}", c as u32))
}

/// A text in double quotes for JavaScript.
pub(super) fn javascript_text(text: &str) -> String {
    let coded = |c: char| {
        let mut units = [0; 2];
        c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect()
    };
    // A page that holds the program must not end there.
    quoted(text, coded).replace("</", "<\\/").replace("<!--", "<\\!--")
}

/// What stands between the quotes, for comments.
pub(super) fn inside(quoted: &str) -> &str {
    &quoted[1..quoted.len() - 1]
}

/// A name made of letters, digits and underscores.
pub(crate) fn words(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if plain.starts_with(|c: char| c.is_ascii_digit()) { format!("_{plain}") } else { plain }
}

/// A text in double quotes, with hidden characters written by their codes.
fn quoted(text: &str, coded: impl Fn(char) -> String) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if is_hidden(c) => out.push_str(&coded(c)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A finite number in the fewest digits that are read back as the same number, with a point or an exponent.
pub(super) fn number(x: f64) -> String {
    format!("{x:?}")
}

/// Items in lines of about a hundred characters, each behind four spaces and followed by a comma.
pub(super) fn lines(items: impl IntoIterator<Item = String>) -> String {
    let (mut out, mut used) = (String::new(), 0);
    for item in items {
        if used > 0 && used + item.len() + 2 > 100 {
            out.push('\n');
            used = 0;
        }
        let _ = write!(out, "{}{item},", if used == 0 { "    " } else { " " });
        used += item.len() + 2;
    }
    if used > 0 {
        out.push('\n');
    }
    out
}
