//! A table of results, published or measured: a value per data set, scheme and metric, and the marks of tests between schemes.

use std::collections::BTreeMap;

/// What a value is the value of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The data set, as the document's file names it.
    pub dataset: String,
    /// The scheme, as the document's file names it.
    pub scheme: String,
    /// The metric, as the document's file names it.
    pub metric: String,
    /// What else tells values apart: the share of training rows, the fold, the number of expansions.
    pub group: Option<String>,
}

impl Key {
    /// A key without a group.
    pub fn new(dataset: impl Into<String>, scheme: impl Into<String>, metric: impl Into<String>) -> Self {
        Self { dataset: dataset.into(), scheme: scheme.into(), metric: metric.into(), group: None }
    }

    /// The same key in a group.
    pub fn group(self, group: impl Into<String>) -> Self {
        Self { group: Some(group.into()), ..self }
    }

    /// The same key for another scheme.
    pub fn of(&self, scheme: &str) -> Self {
        Self { scheme: scheme.into(), ..self.clone() }
    }
}

/// A mean and, where it is known, the standard deviation around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub sd: Option<f64>,
}

/// What a test says about a number beside that of another scheme; larger is not the same as better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Significantly smaller.
    Smaller,
    /// No significant difference.
    Same,
    /// Significantly larger.
    Larger,
}

impl Sign {
    /// The sign of a difference that a test found significant or not.
    ///
    /// ```
    /// use secateur_papers::Sign;
    /// assert_eq!(Sign::of(-1.5, true), Sign::Smaller);
    /// assert_eq!(Sign::of(-1.5, false), Sign::Same);
    /// ```
    pub fn of(difference: f64, significant: bool) -> Self {
        match significant {
            true if difference > 0.0 => Self::Larger,
            true if difference < 0.0 => Self::Smaller,
            _ => Self::Same,
        }
    }
}

/// A table of results.
///
/// ```
/// use secateur_papers::{Key, Results, Sign};
/// let mut results = Results::default();
/// results.set(Key::new("iris", "cart", "accuracy"), 94.2, Some(5.1));
/// results.set(Key::new("iris", "best-first-pre", "accuracy"), 94.5, None);
/// results.mark(Key::new("iris", "best-first-pre", "accuracy"), "cart", Sign::Same);
/// assert_eq!(results.mean(&Key::new("iris", "cart", "accuracy")), Some(94.2));
/// assert_eq!(results.sign(&Key::new("iris", "cart", "accuracy"), "best-first-pre"), Some(Sign::Same));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Results {
    values: BTreeMap<Key, Value>,
    marks: BTreeMap<(Key, String), Sign>,
}

impl Results {
    /// Enters a value; one that is there already is replaced.
    pub fn set(&mut self, key: Key, mean: f64, sd: Option<f64>) {
        self.values.insert(key, Value { mean, sd });
    }

    /// Enters what a test says about `key` beside the scheme `than`.
    pub fn mark(&mut self, key: Key, than: impl Into<String>, sign: Sign) {
        self.marks.insert((key, than.into()), sign);
    }

    /// The value of a key.
    pub fn value(&self, key: &Key) -> Option<Value> {
        self.values.get(key).copied()
    }

    /// The mean of a key.
    pub fn mean(&self, key: &Key) -> Option<f64> {
        self.values.get(key).map(|value| value.mean)
    }

    /// What the test of `key` beside the scheme `than` says, also when it was entered the other way round.
    pub fn sign(&self, key: &Key, than: &str) -> Option<Sign> {
        if let Some(sign) = self.marks.get(&(key.clone(), than.to_owned())) {
            return Some(*sign);
        }
        self.marks.get(&(key.of(than), key.scheme.clone())).map(|sign| match sign {
            Sign::Smaller => Sign::Larger,
            Sign::Same => Sign::Same,
            Sign::Larger => Sign::Smaller,
        })
    }

    /// All values, by key.
    pub fn values(&self) -> impl Iterator<Item = (&Key, &Value)> {
        self.values.iter()
    }

    /// All marks: the key, the scheme it is compared with, and the sign.
    pub fn marks(&self) -> impl Iterator<Item = (&Key, &str, Sign)> {
        self.marks.iter().map(|((key, than), sign)| (key, than.as_str(), *sign))
    }

    /// The keys of a scheme's values of a metric, in one group or in all.
    pub fn keys<'a>(
        &'a self,
        scheme: &'a str,
        metric: &'a str,
        group: Option<&'a str>,
    ) -> impl Iterator<Item = &'a Key> {
        self.values.keys().filter(move |key| {
            key.scheme == scheme
                && key.metric == metric
                && group.is_none_or(|group| key.group.as_deref() == Some(group))
        })
    }

    /// Whether nothing was entered.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}
