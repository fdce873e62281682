//! XML while it is written: elements with attributes, names and texts escaped.

use std::fmt::Write;

/// A document while it is written.
#[derive(Default)]
pub(super) struct Xml {
    text: String,
    open: Vec<&'static str>,
}

/// An attribute of an element.
pub(super) type Attribute<'a> = (&'static str, &'a str);

impl Xml {
    /// Begins an element.
    pub(super) fn begin(&mut self, name: &'static str, attributes: &[Attribute]) {
        self.tag(name, attributes);
        self.text.push_str(">\n");
        self.open.push(name);
    }

    /// An element with nothing in it.
    pub(super) fn empty(&mut self, name: &'static str, attributes: &[Attribute]) {
        self.tag(name, attributes);
        self.text.push_str("/>\n");
    }

    /// An element with a text in it.
    pub(super) fn text(&mut self, name: &'static str, attributes: &[Attribute], text: &str) {
        self.tag(name, attributes);
        self.text.push('>');
        self.escaped(text);
        let _ = writeln!(self.text, "</{name}>");
    }

    /// Ends the element that was begun last.
    pub(super) fn end(&mut self) {
        if let Some(name) = self.open.pop() {
            let _ = writeln!(self.text, "</{name}>");
        }
    }

    /// The document, with all elements ended.
    pub(super) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.end();
        }
        self.text
    }

    fn tag(&mut self, name: &str, attributes: &[Attribute]) {
        let _ = write!(self.text, "<{name}");
        for (name, value) in attributes {
            let _ = write!(self.text, " {name}=\"");
            self.escaped(value);
            self.text.push('"');
        }
    }

    fn escaped(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '"' => self.text.push_str("&quot;"),
                // Readers turn line ends and tabs of attributes into spaces where they are written plainly.
                '\n' | '\t' | '\r' | '\u{85}' | '\u{2028}' => {
                    let _ = write!(self.text, "&#{};", u32::from(c));
                }
                // Names are refused that XML cannot write; what only describes the model has a sign in their place.
                c if is_unwritable(c) => self.text.push(char::REPLACEMENT_CHARACTER),
                c => self.text.push(c),
            }
        }
    }
}

/// The first character of a text that XML has no way to write.
pub(super) fn unwritable(text: &str) -> Option<char> {
    text.chars().find(|c| is_unwritable(*c))
}

fn is_unwritable(c: char) -> bool {
    (c < ' ' && !matches!(c, '\n' | '\t' | '\r')) || matches!(c, '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_ends_it() {
        let mut xml = Xml::default();
        xml.begin("a", &[("b", "\"/><x y='&\n")]);
        xml.text("c", &[], "]]></a>");
        assert_eq!(xml.finish(), "<a b=\"&quot;/&gt;&lt;x y='&amp;&#10;\">\n<c>]]&gt;&lt;/a&gt;</c>\n</a>\n");
        let mut xml = Xml::default();
        xml.empty("a", &[("b", "x\u{1}\u{b}\u{ffff}y")]);
        assert_eq!(xml.finish(), "<a b=\"x\u{fffd}\u{fffd}\u{fffd}y\"/>\n");
        assert_eq!((unwritable("a\u{1}"), unwritable("a\nb🌲")), (Some('\u{1}'), None));
    }
}
