//! What the text of one cell means.

pub(crate) use crate::schema::is_missing_mark as is_missing;

/// A cell, read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cell {
    Missing,
    /// A finite number.
    Number(f64),
    /// A number too large, or written as infinity.
    Infinite,
    Text,
}

/// Reads a cell without spaces around it.
pub(super) fn cell(text: &str) -> Cell {
    if is_missing(text) {
        return Cell::Missing;
    }
    match fast_float2::parse::<f64, _>(text) {
        Ok(value) if value.is_finite() => Cell::Number(value),
        Ok(value) if value.is_infinite() => Cell::Infinite,
        _ => Cell::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_what_they_look_like() {
        for text in ["", "?", "NA", "NaN", "nan", "NAN"] {
            assert_eq!(cell(text), Cell::Missing, "{text}");
        }
        for (text, value) in [("0", 0.0), ("-1.5", -1.5), ("+2", 2.0), (".5", 0.5), ("5.", 5.0), ("1e3", 1e3)]
        {
            assert_eq!(cell(text), Cell::Number(value), "{text}");
        }
        for text in ["inf", "-Infinity", "1e999", "-1e999"] {
            assert_eq!(cell(text), Cell::Infinite, "{text}");
        }
        for text in ["na", "Na", "-nan", "1,5", "0x10", "1e", "--1", "1_000", "a", " 1"] {
            assert_eq!(cell(text), Cell::Text, "{text}");
        }
    }

    #[test]
    fn numbers_are_rounded_to_the_nearest() {
        assert_eq!(cell("0.1"), Cell::Number(0.1));
        assert_eq!(cell("9007199254740993"), Cell::Number(9007199254740992.0));
        assert_eq!(cell("1e-400"), Cell::Number(0.0));
    }
}
