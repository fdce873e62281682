//! How wide a text is, where no font is at hand.

use unicode_width::UnicodeWidthChar;

/// The widths of the characters from space to tilde in thousandths of the font size: those of Helvetica, Arial and their kin.
#[rustfmt::skip]
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

fn width(c: char) -> f64 {
    let thousandths = match (c as usize).checked_sub(' ' as usize).and_then(|place| WIDTHS.get(place)) {
        Some(&width) => width,
        None => match c.width() {
            None | Some(0) => 0,
            Some(1) => 600,
            Some(_) => 1000,
        },
    };
    f64::from(thousandths) / 1000.0
}

/// The width of a text in a plain font without serifs of this size. Exact for Helvetica and Arial in ASCII; for other characters an
/// estimate.
///
/// ```
/// use secateur::layout::text_width;
/// assert!((text_width("lime", 10.0) - 18.33).abs() < 1e-9);
/// assert_eq!(text_width("日本", 10.0), 20.0);
/// ```
pub fn text_width(text: &str, size: f64) -> f64 {
    text.chars().map(width).sum::<f64>() * size
}

/// A text that is at most this wide: itself, or its beginning and `…`.
///
/// ```
/// use secateur::layout::{shortened, text_width};
/// assert_eq!(shortened("petal length", 12.0, 100.0), "petal length");
/// assert_eq!(shortened("petal length", 12.0, 40.0), "petal l…");
/// assert!(text_width("petal l…", 12.0) <= 40.0);
/// ```
pub fn shortened(text: &str, size: f64, most: f64) -> String {
    if text_width(text, size) <= most {
        return text.into();
    }
    let (mut used, mut end) = (width('…'), 0);
    for (place, c) in text.char_indices() {
        used += width(c);
        if used * size > most {
            break;
        }
        end = place + c.len_utf8();
    }
    format!("{}…", text[..end].trim_end())
}
