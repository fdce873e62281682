//! How the numbers of an attribute are shown to people: as they are, or as dates and times.
//!
//! All dates and date-times are kept as seconds since 1970-01-01 00:00 UTC, times as seconds since midnight.

use chrono::{DateTime, Datelike, NaiveDate};
use serde::{Deserialize, Serialize};

/// How numbers are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShownAs {
    /// As numbers.
    #[default]
    Plain,
    /// As dates: the numbers are seconds since 1970-01-01, whole days.
    Date,
    /// As dates with a time of day: the numbers are seconds since 1970-01-01 00:00 UTC.
    DateTime,
    /// As times of day: the numbers are seconds since midnight.
    Time,
}

/// The seconds of a day.
pub(crate) const DAY: f64 = 86_400.0;

impl ShownAs {
    /// Whether numbers are shown as they are.
    pub fn is_plain(&self) -> bool {
        *self == Self::Plain
    }

    /// Its name, which is also the name of a column type: `numeric`, `date`, `date-time` or `time`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "numeric",
            Self::Date => "date",
            Self::DateTime => "date-time",
            Self::Time => "time",
        }
    }

    /// A number in words that can be read back to the same number; as a number where the calendar has no date for it.
    ///
    /// ```
    /// use secateur::schema::ShownAs;
    /// assert_eq!(ShownAs::Date.text(1_577_923_200.0), "2020-01-02");
    /// assert_eq!(ShownAs::DateTime.text(1_577_923_200.0), "2020-01-02 00:00");
    /// assert_eq!(ShownAs::Date.text(1_577_966_400.5), "2020-01-02 12:00:00.5");
    /// assert_eq!(ShownAs::Time.text(8.5 * 3600.0), "08:30");
    /// assert_eq!(ShownAs::Plain.text(0.5), "0.5");
    /// ```
    pub fn text(self, x: f64) -> String {
        let words = match self {
            Self::Plain => None,
            Self::Date if x % DAY == 0.0 => date(x),
            Self::Date | Self::DateTime => {
                let day = (x / DAY).floor() * DAY;
                date(day).zip(clock(x.floor() - day, x)).map(|(date, clock)| format!("{date} {clock}"))
            }
            Self::Time if (0.0..=DAY).contains(&x) => clock(x.floor(), x),
            Self::Time => None,
        };
        words.unwrap_or_else(|| (x + 0.0).to_string())
    }

    /// A threshold that divides the same values and is shown shortest: values that are whole days are divided at midnight.
    ///
    /// ```
    /// use secateur::schema::ShownAs;
    /// let noon = 1_577_966_400.0;
    /// assert_eq!(ShownAs::Date.text(ShownAs::Date.threshold(noon)), "2020-01-03");
    /// assert_eq!(ShownAs::DateTime.threshold(noon), noon);
    /// ```
    pub fn threshold(self, below: f64) -> f64 {
        if self == Self::Date { (below / DAY).ceil() * DAY } else { below }
    }
}

/// The date of a midnight, in years of four digits.
fn date(midnight: f64) -> Option<String> {
    // Beyond these no year has four digits, and the conversion is safe between.
    let seconds = (midnight.abs() < 1e12).then_some(midnight as i64)?;
    let date: NaiveDate = DateTime::from_timestamp(seconds, 0)?.date_naive();
    (0..=9999).contains(&date.year()).then(|| date.to_string())
}

/// The time of day `seconds` (whole), with the fraction that `x` has.
fn clock(seconds: f64, x: f64) -> Option<String> {
    let whole = x.floor();
    let seconds = seconds as u32;
    let text = format!("{:02}:{:02}", seconds / 3600, seconds / 60 % 60);
    if x == whole {
        let second = seconds % 60;
        return Some(if second == 0 { text } else { format!("{text}:{second:02}") });
    }
    let fraction = (1..=24)
        .map(|digits| format!("{:.digits$}", x - whole))
        .find(|text| text.starts_with("0.") && text.parse::<f64>().is_ok_and(|part| whole + part == x))?;
    Some(format!("{text}:{:02}{}", seconds % 60, &fraction[1..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reads what is shown, by the definition of the calendar.
    fn read(text: &str) -> f64 {
        let (date, clock) = text.split_once(' ').unwrap_or((text, "00:00"));
        let parts: Vec<i32> = date.split('-').map(|part| part.parse().unwrap()).collect();
        let day = NaiveDate::from_ymd_opt(parts[0], parts[1] as u32, parts[2] as u32).unwrap();
        let days = (day - NaiveDate::from_ymd_opt(1970, 1, 1).unwrap()).num_days() as f64;
        let parts: Vec<f64> = clock.split(':').map(|part| part.parse().unwrap()).collect();
        let second = parts.get(2).copied().unwrap_or(0.0);
        days * DAY + parts[0] * 3600.0 + parts[1] * 60.0 + second.floor() + (second - second.floor())
    }

    proptest! {
        #[test]
        fn what_is_shown_is_the_number(seconds in -60_000_000_000i64..250_000_000_000, quarters in 0u8..4) {
            let x = seconds as f64 + f64::from(quarters) / 4.0;
            for shown in [ShownAs::Date, ShownAs::DateTime] {
                prop_assert_eq!(read(&shown.text(x)), x, "{}", shown.text(x));
            }
        }

        #[test]
        fn dates_are_divided_as_before(days in prop::collection::vec(-400_000i32..400_000, 2..9), at in 0.0..1.0f64) {
            let (low, high) = (*days.iter().min().unwrap(), *days.iter().max().unwrap());
            let below = (f64::from(low) + at * f64::from(high - low)) * DAY;
            let moved = ShownAs::Date.threshold(below);
            for day in days.iter().map(|&day| f64::from(day) * DAY) {
                prop_assert_eq!(day < below, day < moved);
            }
            prop_assert!(!ShownAs::Date.text(moved).contains(':'));
        }

        #[test]
        fn any_number_is_shown(x: f64) {
            for shown in [ShownAs::Plain, ShownAs::Date, ShownAs::DateTime, ShownAs::Time] {
                prop_assert!(!shown.text(x).is_empty());
            }
        }
    }

    #[test]
    fn times_are_shown_by_the_clock() {
        let shown = [0.0, 59.0, 86_399.0, 86_400.0, 86_401.0, -1.0, 1.25].map(|x| ShownAs::Time.text(x));
        assert_eq!(shown, ["00:00", "00:00:59", "23:59:59", "24:00", "86401", "-1", "00:00:01.25"]);
        assert_eq!(ShownAs::DateTime.text(1_700_000_000.1), "2023-11-14 22:13:20.1");
    }
}
