//! What the texts of new rows mean to a tree: values of its lists, missing values, or values that it does not know.
//!
//! The same texts come from different readers: `TRUE` of one file is `true` of another, and `NA` is a country in a file that says
//! its types and a missing value in one that does not. The tree keeps how it was at home, and every reader's rows are
//! understood so.

use std::borrow::Borrow;
use std::hash::Hash;

use hashbrown::HashMap;

/// The texts that are missing values in columns of text. A value of the tree's own list is never missing.
///
/// ```
/// use secateur::schema::MissingTexts;
/// let csv = MissingTexts { words: vec!["unknown".into()], ..MissingTexts::default() };
/// assert!(csv.is_missing("country", "NA") && csv.is_missing("country", "unknown"));
/// let parquet = MissingTexts { keep_na: true, ..MissingTexts::default() };
/// assert!(!parquet.is_missing("country", "NA"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MissingTexts {
    /// Whether `?`, `NA`, `NaN` (in any case) and the empty text are values like any other.
    pub keep_na: bool,
    /// Further words that are missing values in all columns.
    pub words: Vec<String>,
    /// Further words that are missing values in one column.
    pub columns: Vec<(String, Vec<String>)>,
}

impl MissingTexts {
    /// Whether a text is a missing value in a column.
    pub fn is_missing(&self, column: &str, text: &str) -> bool {
        let has = |words: &[String]| words.iter().any(|word| word == text);
        !self.keep_na && is_missing_mark(text)
            || has(&self.words)
            || self.columns.iter().any(|(name, words)| name == column && has(words))
    }
}

/// Whether a text stands for a missing value in files that do not say their types: nothing, `?`, `NA`, or `NaN` in any case.
pub(crate) fn is_missing_mark(text: &str) -> bool {
    match text.len() {
        0 => true,
        1 => text == "?",
        2 => text == "NA",
        3 => text.eq_ignore_ascii_case("nan"),
        _ => false,
    }
}

/// The truth value that a text spells: `true` or `t`, `false` or `f`, in any case.
pub(crate) fn truth_value(text: &str) -> Option<bool> {
    let is = |words: [&str; 2]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    if is(["true", "t"]) { Some(true) } else { is(["false", "f"]).then_some(false) }
}

/// What a text means where a list of values is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The value with this code.
    Value(u32),
    Missing,
    /// A value that is not in the list.
    Unknown,
}

/// A list of values, looked up by texts.
#[derive(Debug)]
pub(crate) struct Texts<S> {
    known: HashMap<S, u32>,
    /// The codes of false and true, where the list has nothing else.
    truth: Option<[Option<u32>; 2]>,
    column: String,
    missing: MissingTexts,
}

impl<'a, S: Eq + Hash + Borrow<str> + From<&'a str>> Texts<S> {
    /// The values of a column.
    pub(crate) fn new(column: &str, values: &'a [String], missing: &MissingTexts) -> Self {
        Self {
            known: values.iter().map(|value| S::from(value)).zip(0..).collect(),
            truth: truth_codes(values),
            column: column.into(),
            missing: missing.clone(),
        }
    }
}

impl<S: Eq + Hash + Borrow<str>> Texts<S> {
    /// What a text means.
    #[inline]
    pub(crate) fn meaning(&self, text: &str) -> Meaning {
        match self.known.get(text) {
            Some(&code) => Meaning::Value(code),
            None => self.other(text),
        }
    }

    /// The code of the value that a text means.
    #[inline]
    pub(crate) fn code(&self, text: &str) -> Option<u32> {
        match self.meaning(text) {
            Meaning::Value(code) => Some(code),
            Meaning::Missing | Meaning::Unknown => None,
        }
    }

    #[cold]
    fn other(&self, text: &str) -> Meaning {
        let codes = truth_value(text).zip(self.truth);
        match codes.and_then(|(truth, codes)| codes[usize::from(truth)]) {
            Some(code) => Meaning::Value(code),
            None if self.missing.is_missing(&self.column, text) => Meaning::Missing,
            None => Meaning::Unknown,
        }
    }

    /// Whether the list has no values.
    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}

/// The codes of false and true in a list that has no other values and spells each in one way only.
fn truth_codes(values: &[String]) -> Option<[Option<u32>; 2]> {
    let mut codes = [None; 2];
    for (value, code) in values.iter().zip(0..) {
        if codes[usize::from(truth_value(value)?)].replace(code).is_some() {
            return None;
        }
    }
    Some(codes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(values: &[&str], missing: &MissingTexts, text: &str) -> Meaning {
        let values: Vec<String> = values.iter().map(|value| value.to_string()).collect();
        Texts::<&str>::new("a", &values, missing).meaning(text)
    }

    #[test]
    fn truth_values_are_the_same_in_every_spelling_where_a_list_has_nothing_else() {
        let rule = MissingTexts::default();
        for list in [["true", "false"], ["TRUE", "FALSE"], ["T", "F"]] {
            for (text, code) in [("True", 0), ("t", 0), ("FALSE", 1), ("f", 1), ("false", 1)] {
                assert_eq!(meaning(&list, &rule, text), Meaning::Value(code), "{list:?} {text}");
            }
        }
        for list in [&["true", "false", "maybe"][..], &["T", "t"], &["t", "x"]] {
            assert_eq!(meaning(list, &rule, "TRUE"), Meaning::Unknown, "{list:?}");
        }
        assert_eq!(meaning(&["true"], &rule, "FALSE"), Meaning::Unknown);
    }

    #[test]
    fn a_mark_is_missing_unless_it_is_a_value_or_kept() {
        let (usual, kept) =
            (MissingTexts::default(), MissingTexts { keep_na: true, ..MissingTexts::default() });
        for mark in ["", "?", "NA", "NaN", "nan"] {
            assert_eq!(meaning(&["x"], &usual, mark), Meaning::Missing, "{mark}");
            assert_eq!(meaning(&["x"], &kept, mark), Meaning::Unknown, "{mark}");
            assert_eq!(meaning(&["x", mark], &usual, mark), Meaning::Value(1), "{mark}");
        }
        let words = vec!["gone".to_string()];
        let own = |column: &str| MissingTexts {
            columns: vec![(column.into(), words.clone())],
            ..MissingTexts::default()
        };
        assert_eq!(meaning(&["x"], &own("a"), "gone"), Meaning::Missing);
        assert_eq!(meaning(&["x"], &own("b"), "gone"), Meaning::Unknown);
    }
}
