//! The font that texts are measured and painted with: a part of Arimo, whose letters are as wide as those of Helvetica and Arial.

use ttf_parser::{Face, GlyphId};
use unicode_width::UnicodeWidthChar;

/// Latin, Greek and Cyrillic letters and some signs; `font/LICENSE.txt` says what may be done with it.
const BYTES: &[u8] = include_bytes!("font/arimo.ttf");

/// A way to find out how wide a text is.
pub trait Measure {
    /// The width of a text in this size.
    fn width(&self, text: &str, size: f64) -> f64;
}

impl<F: Fn(&str, f64) -> f64> Measure for F {
    fn width(&self, text: &str, size: f64) -> f64 {
        self(text, size)
    }
}

/// The font.
pub struct Arimo {
    face: Option<Face<'static>>,
}

impl Arimo {
    /// Opens it.
    pub fn new() -> Self {
        Self { face: Face::parse(BYTES, 0).ok() }
    }

    /// Whether it has all characters of a text.
    pub fn has(&self, text: &str) -> bool {
        text.chars().all(|c| self.glyph(c).is_some())
    }

    pub(super) fn glyph(&self, c: char) -> Option<GlyphId> {
        self.face.as_ref()?.glyph_index(c)
    }

    pub(super) fn face(&self) -> Option<&Face<'static>> {
        self.face.as_ref()
    }

    /// The width of a character, as a part of the font's size. Characters that the font does not have take the room that a
    /// terminal gives them.
    pub(super) fn advance(&self, c: char) -> f64 {
        let own = self.face.as_ref().zip(self.glyph(c)).and_then(|(face, glyph)| {
            let units = f64::from(face.units_per_em());
            face.glyph_hor_advance(glyph).map(|advance| f64::from(advance) / units)
        });
        own.unwrap_or_else(|| match c.width() {
            None | Some(0) => 0.0,
            Some(1) => 0.6,
            Some(_) => 1.0,
        })
    }
}

impl Default for Arimo {
    fn default() -> Self {
        Self::new()
    }
}

impl Measure for Arimo {
    /// ```
    /// use secateur::drawing::{Arimo, Measure};
    /// assert!((Arimo::new().width("lime", 10.0) - 18.33).abs() < 0.01);
    /// ```
    fn width(&self, text: &str, size: f64) -> f64 {
        text.chars().map(|c| self.advance(c)).sum::<f64>() * size
    }
}

/// A text that is at most this wide: itself, or its beginning and `…`.
///
/// ```
/// use secateur::drawing::{Arimo, shortened};
/// let font = Arimo::new();
/// assert_eq!(shortened(&font, "petal length", 12.0, 100.0), "petal length");
/// assert_eq!(shortened(&font, "petal length", 12.0, 45.0), "petal l…");
/// ```
pub fn shortened(font: &dyn Measure, text: &str, size: f64, most: f64) -> String {
    if font.width(text, size) <= most {
        return text.into();
    }
    let ends: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
    let cut = |end: usize| format!("{}…", text[..end].trim_end());
    let fits = ends.partition_point(|&end| font.width(&cut(end), size) <= most);
    cut(ends[fits.saturating_sub(1)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::text_width;

    #[test]
    fn letters_are_as_wide_as_the_layout_says() {
        let font = Arimo::new();
        for c in ' '..='~' {
            let (own, table) = (font.width(&c.to_string(), 1000.0), text_width(&c.to_string(), 1000.0));
            assert!((own - table).abs() < 1.0, "{c}: {own} and {table}");
        }
        assert!(font.has("Größe ≤ 3,5 … Ω Жук −×±≠≥→α²"));
        assert!(!font.has("日"));
    }

    #[test]
    fn shortened_texts_fit() {
        let font = Arimo::new();
        let text = "a rather long name 日本語 with œ and others";
        for most in 8..200 {
            let short = shortened(&font, text, 11.0, f64::from(most));
            assert!(short == "…" || font.width(&short, 11.0) <= f64::from(most), "{most}: {short}");
        }
    }
}
