//! Lines that are never wider than they may be, and leave nothing out: what does not fit goes on in the next one.

use super::formatting::width;

/// Lines made of pieces. Together they stand in one line if one can hold them, else piece by piece; a piece is broken at spaces, and
/// a word within, only where it would be wider than a line.
pub(crate) struct Lines<'m> {
    most: f64,
    measure: &'m dyn Fn(&str) -> f64,
    done: Vec<String>,
    line: String,
    used: f64,
    /// Whether something stands behind the beginning of the line.
    is_begun: bool,
    /// What all further lines begin with.
    indent: String,
}

impl<'m> Lines<'m> {
    /// Lines of at most this width, by this measure. The first one begins with `start`, the others with `indent`.
    pub(crate) fn new(most: f64, measure: &'m dyn Fn(&str) -> f64, start: String, indent: String) -> Self {
        let used = measure(&start);
        Self { most, measure, done: Vec::new(), line: start, used, is_begun: false, indent }
    }

    /// Lines of at most this many columns on a terminal.
    pub(crate) fn of_columns(columns: usize, start: String, indent: String) -> Lines<'static> {
        Lines::new(columns as f64, &|text| width(text) as f64, start, indent)
    }

    /// Adds pieces, with spaces between them and `gap` before the first where that stands in a line that is begun.
    pub(crate) fn add(&mut self, gap: &str, pieces: &[impl AsRef<str>]) {
        let texts: Vec<&str> = pieces.iter().map(AsRef::as_ref).collect();
        if self.takes(gap, &texts.join(" ")) {
            return;
        }
        for (place, piece) in texts.into_iter().enumerate() {
            self.piece(if place == 0 { gap } else { " " }, piece);
        }
    }

    /// The columns that are left in this line.
    pub(crate) fn room(&self) -> usize {
        (self.most - self.used).max(0.0) as usize
    }

    /// All lines.
    pub(crate) fn finish(mut self) -> Vec<String> {
        self.done.push(self.line);
        self.done
    }

    /// Adds a text that fits here or into a line of its own.
    fn takes(&mut self, gap: &str, text: &str) -> bool {
        let wide = (self.measure)(text);
        let gap = if self.is_begun { gap } else { "" };
        if self.used + (self.measure)(gap) + wide <= self.most {
            self.push(gap);
            self.push(text);
            return true;
        }
        if self.is_begun && (self.measure)(&self.indent) + wide <= self.most {
            self.break_line();
            self.push(text);
            return true;
        }
        false
    }

    fn piece(&mut self, gap: &str, piece: &str) {
        if self.takes(gap, piece) {
            return;
        }
        if self.is_begun {
            self.break_line();
        }
        for word in piece.split(' ') {
            if !self.takes(" ", word) {
                self.parts_of(word);
            }
        }
    }

    /// Adds a word that is wider than a line. Every line gets a character at least.
    fn parts_of(&mut self, word: &str) {
        if self.is_begun {
            self.break_line();
        }
        let mut buffer = [0; 4];
        for c in word.chars() {
            let c = c.encode_utf8(&mut buffer);
            if self.is_begun && self.used + (self.measure)(c) > self.most {
                self.break_line();
            }
            self.push(c);
        }
    }

    fn push(&mut self, text: &str) {
        self.used += (self.measure)(text);
        self.line += text;
        self.is_begun |= !text.is_empty();
    }

    fn break_line(&mut self) {
        self.done.push(std::mem::replace(&mut self.line, self.indent.clone()));
        self.used = (self.measure)(&self.indent);
        self.is_begun = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(columns: usize, pieces: &[&str]) -> Vec<String> {
        let mut lines = Lines::of_columns(columns, "- ".into(), "  ".into());
        lines.add("", pieces);
        lines.finish()
    }

    #[test]
    fn pieces_are_broken_only_where_no_line_can_hold_them() {
        assert_eq!(lines(20, &["colour", "= red"]), ["- colour = red"]);
        assert_eq!(lines(11, &["colour", "= red"]), ["- colour", "  = red"]);
        assert_eq!(lines(11, &["in {one,", "two two,", "three}"]), ["- in {one,", "  two two,", "  three}"]);
        assert_eq!(lines(9, &["abc defg hi"]), ["- abc", "  defg hi"]);
        assert_eq!(lines(9, &["x", "= two words"]), ["- x", "  = two", "  words"]);
        assert_eq!(lines(6, &["x", "日本語の列"]), ["- x", "  日本", "  語の", "  列"]);
    }
}
