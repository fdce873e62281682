//! Rules by which a statement about schemes is checked on a table of results.

use serde::Deserialize;

use super::results::{Key, Results, Sign};

/// How one number stands to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// Smaller.
    Smaller,
    /// Larger.
    Larger,
    /// The same: no significant difference, or within the given room.
    Same,
    /// Smaller or the same.
    NotLarger,
    /// Larger or the same.
    NotSmaller,
}

/// A statement that can be checked on a table of results.
///
/// Every rule but `average` is checked case by case, a case being a data set (in a group, where there are groups), and holds
/// when it does in at least the share `share` of the cases; all of them, when no share is given.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Rule {
    /// What the significance test says about a scheme beside another.
    Marks {
        /// The metric.
        metric: String,
        /// The scheme.
        scheme: String,
        /// The scheme it is compared with.
        than: String,
        /// How the first should stand to the second.
        is: Relation,
        /// One group only.
        group: Option<String>,
        /// The share of cases.
        #[serde(default = "all")]
        share: f64,
    },
    /// A scheme's mean beside that of another.
    Means {
        /// The metric.
        metric: String,
        /// The scheme.
        scheme: String,
        /// The scheme it is compared with.
        than: String,
        /// How the first should stand to the second.
        is: Relation,
        /// For smaller and larger: at least this many times.
        #[serde(default = "all")]
        by: f64,
        /// For the others: a difference up to this is none.
        #[serde(default)]
        within: f64,
        /// One group only.
        group: Option<String>,
        /// The share of cases.
        #[serde(default = "all")]
        share: f64,
    },
    /// The mean over all cases beside that of another scheme.
    Average {
        /// The metric.
        metric: String,
        /// The scheme.
        scheme: String,
        /// The scheme it is compared with.
        than: String,
        /// How the first should stand to the second.
        is: Relation,
        /// For smaller and larger: at least this many times.
        #[serde(default = "all")]
        by: f64,
        /// For the others: a difference up to this is none.
        #[serde(default)]
        within: f64,
        /// One group only.
        group: Option<String>,
    },
    /// A scheme's value lies in a range.
    Value {
        /// The metric.
        metric: String,
        /// The scheme.
        scheme: String,
        /// One data set only.
        dataset: Option<String>,
        /// The lower end.
        at_least: Option<f64>,
        /// The upper end.
        at_most: Option<f64>,
        /// One group only.
        group: Option<String>,
        /// The share of cases.
        #[serde(default = "all")]
        share: f64,
    },
    /// Along a list of schemes the metric never rises, and is lower at the end than at the start.
    Falls {
        /// The metric.
        metric: String,
        /// The schemes, in order.
        schemes: Vec<String>,
        /// One group only.
        group: Option<String>,
        /// The share of cases.
        #[serde(default = "all")]
        share: f64,
    },
    /// Along a list of schemes the metric is lowest somewhere inside, lower than at both ends.
    Valley {
        /// The metric.
        metric: String,
        /// The schemes, in order.
        schemes: Vec<String>,
        /// One group only.
        group: Option<String>,
        /// The share of cases.
        #[serde(default = "all")]
        share: f64,
    },
    /// How many times larger a scheme's value is in one group than in another.
    Growth {
        /// The metric.
        metric: String,
        /// The scheme.
        scheme: String,
        /// The group it starts from.
        from: String,
        /// The group it ends in.
        to: String,
        /// At least this many times.
        at_least: Option<f64>,
        /// At most this many times.
        at_most: Option<f64>,
        /// The share of cases.
        #[serde(default = "all")]
        share: f64,
    },
}

fn all() -> f64 {
    1.0
}

impl Relation {
    fn of_signs(self, sign: Sign) -> bool {
        match self {
            Self::Smaller => sign == Sign::Smaller,
            Self::Larger => sign == Sign::Larger,
            Self::Same => sign == Sign::Same,
            Self::NotLarger => sign != Sign::Larger,
            Self::NotSmaller => sign != Sign::Smaller,
        }
    }

    fn of_means(self, a: f64, b: f64, by: f64, within: f64) -> bool {
        // Room for differences of decimal numbers that should be equal and are not in binary.
        let within = within + 1e-9 * a.abs().max(b.abs());
        match self {
            Self::Smaller => a < b && a * by <= b,
            Self::Larger => a > b && a >= b * by,
            Self::Same => (a - b).abs() <= within,
            Self::NotLarger => a <= b + within,
            Self::NotSmaller => a >= b - within,
        }
    }

    /// `is larger than that of`, and so on.
    fn words(self, adverb: &str, by: f64) -> String {
        let times = if by == 1.0 { String::new() } else { format!("at least {by} times ") };
        match self {
            Self::Smaller => format!("is {adverb}{times}smaller than that of"),
            Self::Larger => format!("is {adverb}{times}larger than that of"),
            Self::Same => format!("is not {adverb}different from that of"),
            Self::NotLarger => format!("is not {adverb}larger than that of"),
            Self::NotSmaller => format!("is not {adverb}smaller than that of"),
        }
    }
}

/// What a rule finds in a table of results.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RuleCases {
    /// The cases, and whether the rule holds in each.
    pub cases: Vec<(Key, bool)>,
    /// The two means that `average` compares.
    pub means: Option<(f64, f64)>,
}

impl Rule {
    /// The comparison whose marks the rule asks for: metric, scheme, and the scheme it is compared with.
    pub fn comparison(&self) -> Option<(String, String, String)> {
        match self {
            Self::Marks { metric, scheme, than, .. } => Some((metric.clone(), scheme.clone(), than.clone())),
            _ => None,
        }
    }

    /// The metric the rule looks at.
    pub fn metric(&self) -> &str {
        match self {
            Self::Marks { metric, .. }
            | Self::Means { metric, .. }
            | Self::Average { metric, .. }
            | Self::Value { metric, .. }
            | Self::Falls { metric, .. }
            | Self::Valley { metric, .. }
            | Self::Growth { metric, .. } => metric,
        }
    }

    /// The schemes the rule looks at.
    pub fn schemes(&self) -> Vec<&str> {
        match self {
            Self::Marks { scheme, than, .. }
            | Self::Means { scheme, than, .. }
            | Self::Average { scheme, than, .. } => vec![scheme, than],
            Self::Value { scheme, .. } | Self::Growth { scheme, .. } => vec![scheme],
            Self::Falls { schemes, .. } | Self::Valley { schemes, .. } => {
                schemes.iter().map(String::as_str).collect()
            }
        }
    }

    /// The share of cases in which the rule must hold.
    pub(super) fn share(&self) -> f64 {
        match self {
            Self::Marks { share, .. }
            | Self::Means { share, .. }
            | Self::Value { share, .. }
            | Self::Falls { share, .. }
            | Self::Valley { share, .. }
            | Self::Growth { share, .. } => *share,
            Self::Average { .. } => 1.0,
        }
    }

    /// The cases of `results` to which the rule applies, among those that `wanted` lets through.
    pub(super) fn find(&self, results: &Results, wanted: impl Fn(&Key) -> bool) -> RuleCases {
        let keys = |scheme: &str, group: &Option<String>| -> Vec<Key> {
            let keys = results.keys(scheme, self.metric(), group.as_deref());
            keys.filter(|key| wanted(key)).cloned().collect()
        };
        let mean = |key: &Key| results.mean(key);
        let inside = |x: f64, least: &Option<f64>, most: &Option<f64>| {
            least.is_none_or(|least| x >= least) && most.is_none_or(|most| x <= most)
        };
        let along = |schemes: &[String], group: &Option<String>, holds: fn(&[f64]) -> bool| {
            let first = schemes.first().map(String::as_str).unwrap_or_default();
            let cases = keys(first, group).into_iter();
            let case = |key: Key| {
                let line: Option<Vec<f64>> = schemes.iter().map(|scheme| mean(&key.of(scheme))).collect();
                Some((key, holds(&line?)))
            };
            cases.filter_map(case).collect()
        };
        let mut means = None;
        let cases = match self {
            Self::Marks { scheme, than, is, group, .. } => {
                let cases = keys(scheme, group).into_iter();
                cases
                    .filter_map(|key| Some((is.of_signs(results.sign(&key, than)?), key)))
                    .map(swap)
                    .collect()
            }
            Self::Means { scheme, than, is, by, within, group, .. } => {
                let cases = keys(scheme, group).into_iter();
                let holds = |key: &Key| Some(is.of_means(mean(key)?, mean(&key.of(than))?, *by, *within));
                cases.filter_map(|key| Some((holds(&key)?, key))).map(swap).collect()
            }
            Self::Average { scheme, than, is, by, within, group, .. } => {
                let pairs: Vec<(f64, f64)> = keys(scheme, group)
                    .iter()
                    .filter_map(|key| Some((mean(key)?, mean(&key.of(than))?)))
                    .collect();
                let n = pairs.len() as f64;
                let a = pairs.iter().map(|pair| pair.0).sum::<f64>() / n;
                let b = pairs.iter().map(|pair| pair.1).sum::<f64>() / n;
                means = (!pairs.is_empty()).then_some((a, b));
                let case = means.map(|_| {
                    (Key::new("all data sets", scheme, self.metric()), is.of_means(a, b, *by, *within))
                });
                case.into_iter().collect()
            }
            Self::Value { scheme, dataset, at_least, at_most, group, .. } => {
                let cases = keys(scheme, group).into_iter();
                let cases = cases.filter(|key| dataset.as_ref().is_none_or(|name| *name == key.dataset));
                cases
                    .filter_map(|key| Some((inside(mean(&key)?, at_least, at_most), key)))
                    .map(swap)
                    .collect()
            }
            Self::Falls { schemes, group, .. } => along(schemes, group, |line| {
                line.windows(2).all(|pair| pair[1] <= pair[0]) && line.last() < line.first()
            }),
            Self::Valley { schemes, group, .. } => along(schemes, group, |line| {
                let [first, middle @ .., last] = line else { return false };
                middle.iter().any(|x| x < first && x < last)
            }),
            Self::Growth { scheme, from, to, at_least, at_most, .. } => {
                let cases = keys(scheme, &Some(from.clone())).into_iter();
                let holds = |key: &Key| {
                    let times = mean(&key.clone().group(to))? / mean(key)?;
                    Some(inside(times, at_least, at_most))
                };
                cases.filter_map(|key| Some((holds(&key)?, key))).map(swap).collect()
            }
        };
        RuleCases { cases, means }
    }

    /// The statement in words, without the cases.
    pub(super) fn words(&self) -> String {
        let metric = self.metric().replace('_', " ");
        let during = |group: &Option<String>| group.as_ref().map_or(String::new(), |g| format!(" at {g}"));
        let range = |least: &Option<f64>, most: &Option<f64>| match (least, most) {
            (Some(least), Some(most)) if least == most => format!("{least}"),
            (Some(least), Some(most)) => format!("{least} to {most}"),
            (Some(least), None) => format!("at least {least}"),
            (None, Some(most)) => format!("at most {most}"),
            (None, None) => "anything".into(),
        };
        match self {
            Self::Marks { scheme, than, is, group, .. } => {
                let words = is.words("significantly ", 1.0);
                format!("{metric} of {scheme}{} {words} {than}", during(group))
            }
            Self::Means { scheme, than, is, by, group, .. } => {
                format!("{metric} of {scheme}{} {} {than}", during(group), is.words("", *by))
            }
            Self::Average { scheme, than, is, by, group, .. } => {
                format!("mean {metric} of {scheme}{} {} {than}", during(group), is.words("", *by))
            }
            Self::Value { scheme, at_least, at_most, group, .. } => {
                format!("{metric} of {scheme}{} is {}", during(group), range(at_least, at_most))
            }
            Self::Falls { schemes, group, .. } => {
                format!("{metric}{} falls along {}", during(group), schemes.join(", "))
            }
            Self::Valley { schemes, group, .. } => {
                format!("{metric}{} is lowest inside {}", during(group), schemes.join(", "))
            }
            Self::Growth { scheme, from, to, at_least, at_most, .. } => {
                format!("{metric} of {scheme} grows {} times from {from} to {to}", range(at_least, at_most))
            }
        }
    }
}

fn swap<A, B>((a, b): (A, B)) -> (B, A) {
    (b, a)
}
