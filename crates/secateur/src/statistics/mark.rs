//! Larger, same or smaller: what a test says in one sign, and how often.

use std::fmt;

use serde::Serialize;

/// How the first compares with the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// Significantly smaller.
    Smaller,
    /// Not significantly different, or by too little to matter.
    Same,
    /// Significantly larger.
    Larger,
}

impl Mark {
    /// The sign of `difference` if `p ≤ level`, and, where a `threshold` is given, if the difference is at least that
    /// large. M. Zhong (2007), *An analysis of misclassification rates for decision trees*, calls two accuracies different
    /// when they are at least one point apart and `p` is at most 5 %.
    ///
    /// Differences short of the threshold by rounding only (10⁻¹² of it) reach it; a `p` or difference that is not a
    /// number is [`Mark::Same`].
    ///
    /// ```
    /// use secateur::statistics::Mark;
    /// assert_eq!(Mark::of(0.02, 0.03, 0.05, Some(0.01)), Mark::Larger);
    /// assert_eq!(Mark::of(-0.005, 0.001, 0.05, Some(0.01)), Mark::Same);
    /// assert_eq!(Mark::of(-0.005, 0.001, 0.05, None), Mark::Smaller);
    /// assert_eq!(Mark::of(0.02, 0.06, 0.05, None), Mark::Same);
    /// ```
    pub fn of(difference: f64, p: f64, level: f64, threshold: Option<f64>) -> Self {
        let matters = threshold.is_none_or(|least| difference.abs() >= least * (1.0 - 1e-12));
        match p <= level && matters {
            true if difference > 0.0 => Self::Larger,
            true if difference < 0.0 => Self::Smaller,
            _ => Self::Same,
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Larger => ">",
            Self::Same => "=",
            Self::Smaller => "<",
        })
    }
}

/// How many marks of each kind; shown as `larger/same/smaller`.
///
/// ```
/// use secateur::statistics::{Mark, Marks};
/// let marks: Marks = [Mark::Larger, Mark::Same, Mark::Larger].into_iter().collect();
/// assert_eq!(marks.to_string(), "2/1/0");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
pub struct Marks {
    /// How often larger.
    pub larger: usize,
    /// How often the same.
    pub same: usize,
    /// How often smaller.
    pub smaller: usize,
}

impl Marks {
    /// Counts one more.
    ///
    /// ```
    /// use secateur::statistics::{Mark, Marks};
    /// let mut marks = Marks::default();
    /// marks.add(Mark::Smaller);
    /// assert_eq!((marks.larger, marks.same, marks.smaller), (0, 0, 1));
    /// ```
    pub fn add(&mut self, mark: Mark) {
        *match mark {
            Mark::Larger => &mut self.larger,
            Mark::Same => &mut self.same,
            Mark::Smaller => &mut self.smaller,
        } += 1;
    }
}

impl FromIterator<Mark> for Marks {
    fn from_iter<I: IntoIterator<Item = Mark>>(marks: I) -> Self {
        let mut counts = Self::default();
        marks.into_iter().for_each(|mark| counts.add(mark));
        counts
    }
}

impl fmt::Display for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}/{}/{}", self.larger, self.same, self.smaller))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_the_level_and_the_threshold_include_their_ends() {
        assert_eq!(Mark::of(1.0, 0.05, 0.05, Some(1.0)), Mark::Larger);
        assert_eq!(Mark::of(-1.0, 0.05, 0.05, Some(1.0)), Mark::Smaller);
        // As doubles, the first of these differences is below 0.01, the second above.
        for (a, b) in [(0.41, 0.4), (0.84, 0.83)] {
            assert_eq!(Mark::of(a - b, 0.0, 0.05, Some(0.01)), Mark::Larger);
            assert_eq!(Mark::of(b - a, 0.0, 0.05, Some(0.01)), Mark::Smaller);
        }
        assert_eq!(Mark::of(0.0099, 0.0, 0.05, Some(0.01)), Mark::Same);
    }

    #[test]
    fn no_difference_and_no_number_are_the_same() {
        assert_eq!(Mark::of(0.0, 0.0, 0.05, None), Mark::Same);
        assert_eq!(Mark::of(0.0, 0.0, 0.05, Some(0.0)), Mark::Same);
        assert_eq!(Mark::of(1.0, f64::NAN, 0.05, None), Mark::Same);
        assert_eq!(Mark::of(f64::NAN, 0.0, 0.05, None), Mark::Same);
        assert_eq!(Mark::of(f64::NAN, 0.0, 0.05, Some(1.0)), Mark::Same);
    }

    #[test]
    fn marks_are_shown_in_columns() {
        let marks: Marks = [Mark::Same, Mark::Smaller].into_iter().collect();
        assert_eq!(format!("{marks:>7}|{:^3}", Mark::Larger), "  0/1/1| > ");
    }
}
