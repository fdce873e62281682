//! What differs between databases: quotes, numbers, types.

use secateur::error::shown;
use secateur::schema::ShownAs;
use secateur::{Error, Result};

/// A database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    DuckDb,
    Postgres,
    Sqlite,
}

impl Dialect {
    pub(super) fn of(word: &str) -> Self {
        match word {
            "postgresql" => Self::Postgres,
            "sqlite" => Self::Sqlite,
            _ => Self::DuckDb,
        }
    }

    /// Its name for people.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::DuckDb => "DuckDB",
            Self::Postgres => "PostgreSQL",
            Self::Sqlite => "SQLite",
        }
    }

    /// The type of numbers.
    pub(super) fn double(self) -> &'static str {
        match self {
            Self::DuckDb => "DOUBLE",
            Self::Postgres => "double precision",
            Self::Sqlite => "REAL",
        }
    }

    /// A name in quotes.
    ///
    /// # Errors
    /// When the database has no such names.
    pub(super) fn identifier(self, name: &str) -> Result<String> {
        let problem = match self {
            _ if name.contains('\0') => "names cannot hold the character 0",
            Self::DuckDb | Self::Postgres if name.is_empty() => "names cannot be empty",
            _ => return Ok(format!("\"{}\"", name.replace('"', "\"\""))),
        };
        Err(Error::parameter(format!("sql: {}: {problem} in {}", shown(name), self.name())))
    }

    /// The name of a table or view: parts with dots between them, each perhaps in quotes.
    pub(super) fn qualified(self, name: &str) -> Result<String> {
        let (mut parts, mut part, mut quoted) = (Vec::new(), String::new(), false);
        for c in name.chars() {
            match c {
                '"' => quoted = !quoted,
                '.' if !quoted => parts.push(std::mem::take(&mut part)),
                c => part.push(c),
            }
        }
        parts.push(part);
        let parts: Result<Vec<String>> = parts.iter().map(|part| self.identifier(part)).collect();
        Ok(parts?.join("."))
    }

    /// What names are compared by: letters of both cases are the same where the database says so, and what is cut off does not
    /// count.
    pub(super) fn key(self, name: &str) -> String {
        match self {
            Self::DuckDb => name.to_lowercase(),
            Self::Sqlite => name.to_ascii_lowercase(),
            Self::Postgres => {
                let mut end = name.len().min(63);
                while !name.is_char_boundary(end) {
                    end -= 1;
                }
                name[..end].into()
            }
        }
    }

    /// A text in quotes; none where the database has no such text.
    pub(super) fn text(self, text: &str) -> Option<String> {
        let plain = |text: &str| format!("'{}'", text.replace('\'', "''"));
        match self {
            Self::Postgres if text.contains('\0') => None,
            Self::Postgres if text.contains('\\') => Some(format!("E{}", plain(&text.replace('\\', "\\\\")))),
            _ if !text.contains('\0') => Some(plain(text)),
            _ => {
                let zero = if self == Self::Sqlite { " || char(0) || " } else { " || chr(0) || " };
                let parts: Vec<String> = text.split('\0').map(plain).collect();
                Some(format!("({})", parts.join(zero)))
            }
        }
    }

    /// A finite number that the database reads as these very bits.
    pub(super) fn number(self, x: f64) -> String {
        match self {
            // Without an exponent it would be a decimal.
            Self::DuckDb => format!("{x:e}"),
            Self::Postgres => format!("'{x:?}'::float8"),
            Self::Sqlite => sqlite_number(x),
        }
    }

    /// A column as a number, or NULL where it has none.
    pub(super) fn number_of(self, column: &str) -> String {
        match self {
            Self::DuckDb => {
                format!(
                    "CASE WHEN isnan(CAST({column} AS DOUBLE)) THEN NULL ELSE CAST({column} AS DOUBLE) END"
                )
            }
            Self::Postgres => format!("NULLIF(CAST({column} AS float8), 'NaN'::float8)"),
            // Text that is not a number counts as missing; cast to a number it would be 0.
            Self::Sqlite => format!(
                "CASE WHEN typeof({column}) IN ('integer', 'real') OR (trim({column}) GLOB '*[0-9]*' AND trim({column}) NOT GLOB \
                 '*[^-+.0-9eE]*') THEN CAST({column} AS REAL) END"
            ),
        }
    }

    /// A column of dates or times as the seconds that trees count in.
    pub(super) fn seconds_of(self, column: &str, shown_as: ShownAs) -> String {
        let kind = if shown_as == ShownAs::Time { "time" } else { "timestamp" };
        match self {
            Self::DuckDb => format!("epoch(CAST({column} AS {kind}))"),
            Self::Postgres => format!("CAST(extract(epoch FROM CAST({column} AS {kind})) AS float8)"),
            Self::Sqlite => {
                let day = "CAST(strftime('%s', '1970-01-01 ' || time(";
                let text = match shown_as {
                    ShownAs::Time => format!("{day}{column})) AS REAL)"),
                    _ => format!("CAST(strftime('%s', {column}) AS REAL)"),
                };
                format!("CASE typeof({column}) WHEN 'text' THEN {text} ELSE CAST({column} AS REAL) END")
            }
        }
    }

    /// A column as text.
    pub(super) fn text_of(self, column: &str) -> String {
        match self {
            Self::DuckDb => format!("CAST({column} AS VARCHAR)"),
            Self::Postgres => format!("CAST({column} AS text) COLLATE \"C\""),
            Self::Sqlite => format!("CAST({column} AS TEXT) COLLATE BINARY"),
        }
    }

    /// The largest or the smallest of some numbers.
    pub(super) fn extreme(self, largest: bool, items: &[String]) -> String {
        let name = match (self, largest) {
            (Self::Sqlite, true) => "max",
            (Self::Sqlite, false) => "min",
            (_, true) => "greatest",
            (_, false) => "least",
        };
        // SQLite takes no more than a hundred at a time.
        let mut items = items.to_vec();
        while items.len() > 1 {
            let call = |group: &[String]| match group {
                [one] => one.clone(),
                _ => format!("{name}({})", group.join(", ")),
            };
            items = items.chunks(100).map(call).collect();
        }
        items.pop().unwrap_or_default()
    }
}

/// SQLite reads up to 15 digits exactly, so a number with more of them is written as a fraction of whole numbers: the numerator
/// has at most 53 bits and the denominator is a power of two, so dividing is exact.
fn sqlite_number(x: f64) -> String {
    let text = format!("{x:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let few = digits.bytes().filter(u8::is_ascii_digit).count() <= 15;
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if few && (-8..=22).contains(&exponent) {
        return format!("{x:?}");
    }
    let (mantissa, power) = parts(x);
    let sign = if x < 0.0 { "-" } else { "" };
    let (mut text, mut left) = (format!("({sign}{mantissa}.0"), power);
    let operator = if left < 0 { '/' } else { '*' };
    while left != 0 {
        let step = left.unsigned_abs().min(52);
        text += &format!(" {operator} {}.0", 1u64 << step);
        left -= left.signum() * step as i32;
    }
    text + ")"
}

/// A number as an odd whole number (or 0) times a power of two.
fn parts(x: f64) -> (u64, i32) {
    let bits = x.abs().to_bits();
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52) as i32);
    let (mantissa, power) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    if mantissa == 0 {
        return (0, 0);
    }
    let zeros = mantissa.trailing_zeros();
    (mantissa >> zeros, power + zeros as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_stay_closed() {
        for dialect in [Dialect::DuckDb, Dialect::Postgres, Dialect::Sqlite] {
            assert_eq!(dialect.identifier("a\"; DROP").unwrap(), "\"a\"\"; DROP\"");
            assert_eq!(dialect.text("it's").unwrap(), "'it''s'");
            assert!(dialect.identifier("a\0b").is_err());
            assert_eq!(dialect.qualified("main.\"a.b\"").unwrap(), "\"main\".\"a.b\"");
        }
        assert_eq!(Dialect::Postgres.text("\\'").unwrap(), "E'\\\\'''");
        assert_eq!(Dialect::Postgres.text("a\0b"), None);
        assert_eq!(Dialect::Sqlite.text("a\0b").unwrap(), "('a' || char(0) || 'b')");
    }

    #[test]
    fn a_number_is_its_mantissa_times_a_power_of_two() {
        for x in [2.45, 1.0 / 3.0, 5e-324, 1e300, -0.1, 1e-310, f64::MAX, 0.0] {
            let (mantissa, power) = parts(x);
            let back =
                (0..power.abs()).fold(mantissa as f64, |x, _| if power < 0 { x / 2.0 } else { x * 2.0 });
            assert_eq!(back, x.abs());
        }
        assert_eq!(sqlite_number(2.45), "2.45");
        assert_eq!(sqlite_number(1.0 / 3.0), "(6004799503160661.0 / 4503599627370496.0 / 4.0)");
    }

    #[test]
    fn many_numbers_are_compared_in_groups() {
        let items: Vec<String> = (0..250).map(|i| format!("s{i}")).collect();
        let text = Dialect::Sqlite.extreme(true, &items);
        assert!(text.starts_with("max(max(s0, ") && text.matches("max(").count() == 4);
        assert_eq!(Dialect::Postgres.extreme(false, &items[..1]), "s0");
    }
}
