//! Numbers as people write them: thousands separators, decimal commas, currency and percent signs.

use super::super::cell::{Cell, cell};

/// What stands around the digits of a number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Written {
    pub value: f64,
    /// A currency or percent sign.
    pub unit: Option<&'static str>,
    pub thousands: Option<char>,
    /// Whether it has a decimal sign.
    pub fraction: bool,
    /// Whether brackets say that it is negative.
    pub brackets: bool,
}

const UNITS: [&str; 13] = ["$", "€", "£", "¥", "₹", "%", "USD", "EUR", "GBP", "CHF", "JPY", "CAD", "AUD"];

/// Signs that keep groups of three digits apart, beside the comma or the point.
const GROUPS: [char; 5] = ['\'', '’', ' ', '\u{a0}', '\u{202f}'];

/// Reads a number with this decimal sign.
pub(super) fn written(text: &str, decimal: char) -> Option<Written> {
    if decimal == '.'
        && let Cell::Number(value) = cell(text)
    {
        return Some(Written {
            value,
            unit: None,
            thousands: None,
            fraction: text.contains('.'),
            brackets: false,
        });
    }
    let (body, unit) = without_unit(text);
    let (negative, body) = without_sign(body);
    // The unit may stand behind the sign as well: -$5.
    let (body, unit) = if unit.is_some() { (body, unit) } else { without_unit(body) };
    let (digits, thousands, fraction) = digits(body, decimal)?;
    match cell(&digits) {
        Cell::Number(value) => {
            let value = if negative { -value } else { value };
            let brackets = text.contains('(');
            Some(Written { value, unit, thousands, fraction, brackets })
        }
        _ => None,
    }
}

fn without_unit(text: &str) -> (&str, Option<&'static str>) {
    for unit in UNITS {
        if let Some(rest) = text.strip_prefix(unit).or_else(|| text.strip_suffix(unit)) {
            return (trimmed(rest), Some(unit));
        }
    }
    (text, None)
}

fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\u{a0}', '\u{202f}'])
}

/// Whether a number is negative, and the rest of it; `(5)` is how bookkeepers write -5.
fn without_sign(text: &str) -> (bool, &str) {
    if let Some(inside) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        return (true, trimmed(inside));
    }
    match text.strip_prefix(['-', '−']) {
        Some(rest) => (true, trimmed(rest)),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// The digits with a point as decimal sign, the thousands separator, and whether there is a decimal sign.
fn digits(body: &str, decimal: char) -> Option<(String, Option<char>, bool)> {
    let (whole, fraction) = match body.split_once(decimal) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (body, None),
    };
    let (mantissa, exponent) = match fraction.map_or((whole, None), |f| (f, None)) {
        (text, None) => text.split_once(['e', 'E']).map_or((text, None), |(m, e)| (m, Some(e))),
        other => other,
    };
    let (whole, fraction) = if fraction.is_some() { (whole, Some(mantissa)) } else { (mantissa, None) };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !fraction.is_none_or(|f| f.is_empty() || is_digits(f)) {
        return None;
    }
    let other = if decimal == '.' { ',' } else { '.' };
    let thousands = whole.chars().find(|c| *c == other || GROUPS.contains(c));
    let plain = match thousands {
        None => whole.to_string(),
        Some(sign) => {
            let mut groups = whole.split(sign);
            let first = groups.next()?;
            let grouped = (1..=3).contains(&first.len()) && is_digits(first) && first != "0";
            if !grouped || !groups.all(|group| group.len() == 3 && is_digits(group)) {
                return None;
            }
            whole.replace(sign, "")
        }
    };
    if !(is_digits(&plain) || plain.is_empty() && fraction.is_some_and(is_digits)) {
        return None;
    }
    let mut text = plain;
    if let Some(fraction) = fraction {
        text = format!("{text}.{fraction}");
    }
    if let Some(exponent) = exponent {
        text = format!("{text}e{exponent}");
    }
    Some((text, thousands, fraction.is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let value = |text: &str, decimal| written(text, decimal).map(|w| w.value);
        for (text, number) in [
            ("1,234.5", 1234.5),
            ("$1,200", 1200.0),
            ("-$5", -5.0),
            ("(1,200.50)", -1200.5),
            ("12 %", 12.0),
            ("1e3", 1000.0),
            ("1'000'000", 1e6),
            ("1 000", 1000.0),
            ("−3.5", -3.5),
            ("USD 7", 7.0),
            ("0.5%", 0.5),
            (".5 €", 0.5),
        ] {
            assert_eq!(value(text, '.'), Some(number), "{text}");
        }
        for (text, number) in [
            ("1.234,5", 1234.5),
            ("3,25", 3.25),
            ("1.200 €", 1200.0),
            ("7", 7.0),
            (",5", 0.5),
            ("1,5e3", 1500.0),
        ] {
            assert_eq!(value(text, ','), Some(number), "{text}");
        }
        for text in [
            "1,5",
            "12,34,567",
            "1,2345",
            "$",
            "",
            "%",
            "3O",
            "1 2",
            "--1",
            "0,123",
            "$inf",
            "1,234,56",
            "nan €",
        ] {
            assert_eq!(value(text, '.'), None, "{text}");
        }
        for text in ["1.5", "1,5,5", "1.23", "x"] {
            assert_eq!(value(text, ','), None, "{text}");
        }
    }
}
