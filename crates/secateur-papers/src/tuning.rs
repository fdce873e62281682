//! Options tuned to the smallest mean test error, as Holder did: a bound on what tuning could reach, not a method.

use std::collections::HashMap;

use super::experiment::NamedScheme;
use secateur::error::Result;
use secateur::prune::intermediate::hill_climb;

/// The step of an option.
fn step(option: &str) -> f64 {
    if option == "cf" { 0.05 } else { 1.0 }
}

/// A scheme's text with one option set to another number.
fn with(text: &str, option: &str, value: f64) -> String {
    let key = format!("{option}=");
    match text.split_once(&key) {
        Some((before, after)) => {
            let end = after.find([',', '/']).unwrap_or(after.len());
            format!("{before}{key}{}{}", (value * 1e9).round() / 1e9, &after[end..])
        }
        None => text.to_string(),
    }
}

fn start(text: &str, option: &str) -> Option<f64> {
    let after = text.split_once(&format!("{option}="))?.1;
    after[..after.find([',', '/']).unwrap_or(after.len())].parse().ok()
}

/// The text of a scheme with its options climbed to the smallest error that `error` says a text has.
pub(super) fn tuned(scheme: &NamedScheme, error: impl Fn(&str) -> Result<f64>) -> Result<String> {
    let options: Vec<(&str, f64)> =
        scheme.tune.iter().filter_map(|o| Some((o.as_str(), start(&scheme.scheme, o)?))).collect();
    let text = |values: (f64, f64)| {
        let values = [values.0, values.1];
        options
            .iter()
            .zip(values)
            .fold(scheme.scheme.clone(), |text, ((option, _), x)| with(&text, option, x))
    };
    let (first, second) = match options[..] {
        [] => return Ok(scheme.scheme.clone()),
        [one] => (one, None),
        [one, two, ..] => (one, Some(two)),
    };
    let begin = (first.1, second.map_or(0.0, |s| s.1));
    let steps = (step(first.0), second.map_or(1.0, |s| step(s.0)));
    let mut known: HashMap<String, f64> = HashMap::new();
    let (best, _) = hill_climb(begin, steps, |values| {
        let outside = |option: &str, x: f64| match option {
            "cf" => !(1e-9..=1.0).contains(&x),
            _ => x < 1.0,
        };
        let off = match second {
            Some((option, _)) => outside(option, values.1),
            None => values.1 != 0.0,
        };
        if off || outside(first.0, values.0) {
            return Ok(f64::INFINITY);
        }
        let text = text(values);
        if let Some(error) = known.get(&text) {
            return Ok(*error);
        }
        let found = error(&text)?;
        known.insert(text, found);
        Ok(found)
    })?;
    Ok(text(best))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Choose;

    #[test]
    fn options_climb_to_the_smallest_error() {
        let scheme = |text: &str, tune: &[&str]| NamedScheme {
            name: "x".into(),
            scheme: text.into(),
            choose: Choose::Training,
            tune: tune.iter().map(ToString::to_string).collect(),
        };
        let both = scheme("c45:min-leaf=2/error-based:cf=0.25,raising", &["min-leaf", "cf"]);
        let error = |text: &str| {
            Ok((start(text, "min-leaf").unwrap() - 4.0).abs() + (start(text, "cf").unwrap() - 0.4).abs())
        };
        assert_eq!(tuned(&both, error).unwrap(), "c45:min-leaf=4/error-based:cf=0.4,raising");
        let one = scheme("c45:min-leaf=2", &["min-leaf"]);
        let error = |text: &str| Ok(start(text, "min-leaf").unwrap());
        assert_eq!(tuned(&one, error).unwrap(), "c45:min-leaf=1");
        assert_eq!(tuned(&scheme("c45", &[]), |_| Ok(1.0)).unwrap(), "c45");
    }
}
