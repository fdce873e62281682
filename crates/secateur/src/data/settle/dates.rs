//! Dates and times as people write them.
//!
//! `2020-12-31` and `2020/12/31`, `31.12.2020`, `31/12/2020` or `12/31/2020`, `31-12-2020`, `31 Dec 2020`, `31-Dec-2020`,
//! `Dec 31, 2020`; each with a time of day behind a space or `T` (`14:05`, `14:05:30.25`, `2:05 PM`) and a zone (`Z`,
//! `+02:00`). Years have four digits. Times without a zone are taken as they stand.

use chrono::NaiveDate;

use crate::data::DateOrder;
use crate::schema::ShownAs;

/// The seconds of a date with an order of its parts, where the calendar has it; and whether a time of day was given.
pub(super) fn date(text: &str, order: DateOrder) -> Option<(f64, bool)> {
    let text = text.trim();
    let (day, clock) = divided(text);
    let midnight = midnight(day, order)?;
    match clock {
        None => Some((midnight, false)),
        Some(clock) => {
            let (clock, shift) = without_zone(clock)?;
            Some((midnight + seconds(clock)? - shift, true))
        }
    }
}

/// The seconds of a time of day.
pub(super) fn time(text: &str) -> Option<f64> {
    seconds(text.trim()).filter(|_| text.contains(':'))
}

/// Whether a text with a time of day says its zone.
pub(super) fn zone(text: &str) -> Option<bool> {
    let (_, clock) = divided(text.trim());
    let clock = clock?;
    without_zone(clock).map(|(rest, _)| rest.len() < clock.len())
}

/// Date and time of day.
fn divided(text: &str) -> (&str, Option<&str>) {
    let Some(colon) = text.find(':') else { return (text, None) };
    let before = &text[..colon];
    match before.rfind(['T', ' ']) {
        Some(at) => (text[..at].trim_end(), Some(text[at + 1..].trim())),
        None => (text, None),
    }
}

fn midnight(text: &str, order: DateOrder) -> Option<f64> {
    let text = text.trim_end_matches(',');
    let sign = ['-', '/', '.', ' '].into_iter().find(|sign| text.contains(*sign))?;
    let parts: Vec<&str> =
        text.split(sign).map(|part| part.trim_end_matches(',')).filter(|part| !part.is_empty()).collect();
    let [first, second, third] = parts[..] else { return None };
    let (year, month, day) = match order {
        DateOrder::YearMonthDay => (first, second, third),
        DateOrder::DayMonthYear => (third, second, first),
        DateOrder::MonthDayYear => (third, first, second),
    };
    // Points and spaces between numbers have one order only.
    let named = month.starts_with(|c: char| c.is_ascii_alphabetic());
    if order == DateOrder::MonthDayYear && sign == '.'
        || sign == ' ' && !named
        || order == DateOrder::YearMonthDay && sign == ' '
    {
        return None;
    }
    let number = |text: &str, most: usize| -> Option<u32> {
        let fits = (1..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        fits.then(|| text.parse().ok()).flatten()
    };
    let year = number(year, 4).filter(|_| year.len() == 4)?;
    let month = if named { month_named(month)? } else { number(month, 2)? };
    let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, number(day, 2)?)?;
    Some(date.and_hms_opt(0, 0, 0)?.and_utc().timestamp() as f64)
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

fn month_named(text: &str) -> Option<u32> {
    let text = text.to_ascii_lowercase();
    let place = MONTHS.iter().position(|month| text.len() >= 3 && month.starts_with(&text))?;
    Some(place as u32 + 1)
}

/// The clock without its zone, and the seconds that the zone is ahead of UTC.
fn without_zone(text: &str) -> Option<(&str, f64)> {
    if let Some(clock) = text.strip_suffix('Z').or_else(|| text.strip_suffix(" UTC")) {
        return Some((clock, 0.0));
    }
    let Some(at) = text.rfind(['+', '-']) else { return Some((text, 0.0)) };
    let (zone, sign) = (&text[at + 1..], if text.as_bytes()[at] == b'-' { -1.0 } else { 1.0 });
    let digits: String = zone.chars().filter(|c| *c != ':').collect();
    let number = |part: Option<&str>| part.and_then(|part| part.parse::<u32>().ok());
    let hours = number(digits.get(..2)).filter(|hours| *hours < 24)?;
    let minutes = if digits.len() == 2 {
        0
    } else {
        number(digits.get(2..4)).filter(|m| *m < 60 && digits.len() == 4)?
    };
    Some((text[..at].trim_end(), sign * f64::from(hours * 3600 + minutes * 60)))
}

/// Seconds since midnight of `14:05`, `14:05:30.25` or `2:05 PM`.
fn seconds(text: &str) -> Option<f64> {
    let upper = text.to_ascii_uppercase();
    let half = [" AM", " PM", "AM", "PM"].into_iter().find(|half| upper.ends_with(half));
    let clock = &text[..text.len() - half.map_or(0, str::len)];
    let mut parts = clock.split(':');
    let number = |text: Option<&str>, below: u32| -> Option<u32> {
        let text = text.filter(|t| (1..=2).contains(&t.len()) && t.bytes().all(|b| b.is_ascii_digit()))?;
        text.parse().ok().filter(|n| *n < below)
    };
    let mut hour = number(parts.next(), 24)?;
    if let Some(half) = half {
        if !(1..=12).contains(&hour) {
            return None;
        }
        hour = hour % 12 + if half.ends_with("PM") { 12 } else { 0 };
    }
    let minute = number(parts.next(), 60)?;
    let second = match parts.next() {
        None => 0.0,
        Some(text) => {
            let (whole, fraction) = text.split_once('.').map_or((text, None), |(w, f)| (w, Some(f)));
            let whole = f64::from(number(Some(whole), 60)?);
            match fraction {
                None => whole,
                Some(f) if !f.is_empty() && f.bytes().all(|b| b.is_ascii_digit()) => {
                    whole + format!("0.{f}").parse::<f64>().ok()?
                }
                Some(_) => return None,
            }
        }
    };
    parts.next().is_none().then_some(f64::from(hour * 3600 + minute * 60) + second)
}

/// All orders.
pub(super) const ORDERS: [DateOrder; 3] =
    [DateOrder::YearMonthDay, DateOrder::DayMonthYear, DateOrder::MonthDayYear];

/// The seconds of a text that is shown in this way.
pub(super) fn read(text: &str, shown_as: ShownAs, order: DateOrder) -> Option<f64> {
    match shown_as {
        ShownAs::Plain => None,
        ShownAs::Time => time(text),
        ShownAs::Date => date(text, order).map(|(seconds, _)| (seconds / 86_400.0).floor() * 86_400.0),
        ShownAs::DateTime => date(text, order).map(|(seconds, _)| seconds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_forms_are_read() {
        use DateOrder::{DayMonthYear, MonthDayYear, YearMonthDay};
        let day = 1_609_372_800.0; // 2020-12-31
        for (text, order) in [
            ("2020-12-31", YearMonthDay),
            ("2020/12/31", YearMonthDay),
            ("31.12.2020", DayMonthYear),
            ("31/12/2020", DayMonthYear),
            ("12/31/2020", MonthDayYear),
            ("31-Dec-2020", DayMonthYear),
            ("31 December 2020", DayMonthYear),
            ("Dec 31, 2020", MonthDayYear),
        ] {
            assert_eq!(date(text, order), Some((day, false)), "{text}");
            for (clock, seconds) in [
                (" 14:05", 50_700.0),
                (" 14:05:30.25", 50_730.25),
                (" 2:05 PM", 50_700.0),
                (" 14:05+02:00", 43_500.0),
                (" 14:05:00Z", 50_700.0),
            ] {
                assert_eq!(
                    date(&format!("{text}{clock}"), order),
                    Some((day + seconds, true)),
                    "{text}{clock}"
                );
            }
        }
        assert_eq!(date("2020-12-31T14:05:30", YearMonthDay), Some((day + 50_730.0, true)));
        for text in [
            "2020-13-01",
            "31.02.2020",
            "20-12-31",
            "2020-12",
            "x",
            "",
            "12.31.2020",
            "1.5",
            "2020-12-31 25:00",
            "1 2 2020",
        ] {
            assert!(ORDERS.iter().all(|&order| date(text, order).is_none()), "{text}");
        }
        assert_eq!(
            (time("08:30"), time("8:30:15"), time("24:00"), time("12")),
            (Some(30_600.0), Some(30_615.0), None, None)
        );
    }

    #[test]
    fn what_is_shown_is_read_back() {
        for x in [0.0, 86_400.0, 1_609_372_800.25, -1.0, 1_700_000_000.1] {
            let text = ShownAs::DateTime.text(x);
            assert_eq!(read(&text, ShownAs::DateTime, DateOrder::YearMonthDay), Some(x), "{text}");
        }
    }
}
