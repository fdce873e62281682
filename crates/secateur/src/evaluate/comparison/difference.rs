//! Two schemes on one data set: how they differ, how sure that is, and in one mark.

use serde::{Deserialize, Serialize};

use super::sheet::Summary;
use crate::error::{Error, Name, Result, shown, suggestion};
use crate::evaluate::measures::Measure;
use crate::method::in_words;
use crate::statistics::{
    Interval, Mark, Tail, ZTest, cohens_d, corrected_interval, corrected_t, mean_interval, one_sided_t,
    paired_t, proportions,
};

/// A test of the difference between two schemes on one data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum TestKind {
    /// The corrected resampled paired t test, two-sided (Nadeau and Bengio 2003).
    #[default]
    CorrectedT,
    /// The paired t test, two-sided.
    PairedT,
    /// The paired t test, one-sided towards the side on which the difference is (Holder 1995).
    OneSidedT,
    /// The difference of two proportions, two-sided; for the accuracy and the error rate, and for protocols that judge
    /// every row at most once.
    Proportions,
    /// The same, one-sided towards the side on which the difference is (Mansour 1997).
    OneSidedProportions,
}

impl TestKind {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::CorrectedT, Self::PairedT, Self::OneSidedT, Self::Proportions, Self::OneSidedProportions];

    /// Its name in options and files.
    pub fn id(self) -> &'static str {
        match self {
            Self::CorrectedT => "corrected-t",
            Self::PairedT => "paired-t",
            Self::OneSidedT => "one-sided-t",
            Self::Proportions => "proportions",
            Self::OneSidedProportions => "one-sided-proportions",
        }
    }

    /// What it is, in words.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::CorrectedT => "corrected resampled t test (Nadeau and Bengio), two-sided",
            Self::PairedT => "paired t test, two-sided",
            Self::OneSidedT => "paired t test, one-sided",
            Self::Proportions => "test of two proportions, two-sided",
            Self::OneSidedProportions => "test of two proportions, one-sided",
        }
    }

    /// The kind with this name.
    ///
    /// ```
    /// use secateur::evaluate::comparison::TestKind;
    /// assert_eq!(TestKind::parse("paired-t")?, TestKind::PairedT);
    /// assert!(TestKind::parse("pared-t").unwrap_err().to_string().contains("did you mean 'paired-t'?"));
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn parse(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|kind| kind.id() == name).ok_or_else(|| {
            let ids = Self::ALL.map(Self::id);
            let (meant, list) = (suggestion(name, ids), in_words(&ids, "and"));
            Error::unknown(
                Name::Test,
                name,
                format!("unknown test {}{meant}; the tests are {list}", shown(name)),
            )
        })
    }

    /// Whether it compares proportions.
    pub fn of_proportions(self) -> bool {
        matches!(self, Self::Proportions | Self::OneSidedProportions)
    }

    /// Whether it can be applied to a measure.
    pub fn fits(self, measure: &Measure) -> bool {
        !self.of_proportions() || ["accuracy", "error"].contains(&measure.id)
    }
}

/// When two schemes count as different.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Test {
    /// Which test is asked.
    pub kind: TestKind,
    /// The probability of a difference by chance from which on it says nothing.
    pub level: f64,
    /// Smaller differences do not count, whatever the test says; in the unit of the measure (0.01 is one point of accuracy).
    pub threshold: Option<f64>,
}

impl Default for Test {
    /// The corrected resampled t test at 5 %.
    fn default() -> Self {
        Self { kind: TestKind::CorrectedT, level: 0.05, threshold: None }
    }
}

impl Test {
    /// Refuses what cannot be a level or a threshold.
    pub fn check(&self) -> Result<()> {
        if !(self.level > 0.0 && self.level < 1.0) {
            return Err(Error::parameter(format!(
                "the level of the test is {}; expected a number between 0 and 1, such as 0.05",
                self.level
            )));
        }
        match self.threshold {
            Some(least) if !(least.is_finite() && least >= 0.0) => Err(Error::parameter(format!(
                "{least} is not a least difference; expected a number from 0, such as 0.01 for one point of accuracy"
            ))),
            _ => Ok(()),
        }
    }
}

/// How a scheme differs from another on a data set.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// The data set.
    pub dataset: String,
    /// The share of the training rows.
    pub share: f64,
    /// The scheme.
    pub scheme: String,
    /// The scheme it is compared with.
    pub base: String,
    /// The divisions on which both have a value.
    pub pairs: usize,
    /// The mean difference, the scheme minus the base; none without pairs.
    pub difference: Option<f64>,
    /// Where the difference lies with the confidence that belongs to the level (95 % for 0.05).
    pub interval: Option<Interval>,
    /// The mean difference in standard deviations of the differences (Cohen's d); none where nothing varies.
    pub effect: Option<f64>,
    /// The t or z of the test; none where nothing varies.
    pub statistic: Option<f64>,
    /// The probability of such a difference by chance; none where the test cannot be made.
    pub p: Option<f64>,
    /// Significantly larger, the same, or smaller; none where the test cannot be made.
    pub mark: Option<Mark>,
}

/// Compares two schemes on the divisions on which both have a value. Names are left to the caller.
pub(super) fn difference(
    measure: &Measure,
    scheme: &Summary,
    base: &Summary,
    test: &Test,
) -> Result<Difference> {
    let pairs = pairs(scheme, base);
    let differences: Vec<f64> = pairs.iter().map(|(a, b)| a - b).collect();
    let mut found = Difference {
        dataset: String::new(),
        share: 1.0,
        scheme: String::new(),
        base: String::new(),
        pairs: pairs.len(),
        difference: None,
        interval: None,
        effect: cohens_d(&differences).ok().filter(|d| d.is_finite()),
        statistic: None,
        p: None,
        mark: None,
    };
    if pairs.is_empty() {
        return Ok(found);
    }
    let confidence = 1.0 - test.level;
    let ratio = scheme.test_to_train();
    let mean = differences.iter().sum::<f64>() / differences.len() as f64;
    found.difference = Some(mean);
    let (statistic, p) = match test.kind {
        kind if kind.of_proportions() => {
            if !kind.fits(measure) {
                return Ok(found);
            }
            let z = z_test(scheme, base)?;
            found.difference = Some(z.difference);
            found.interval = z.interval(confidence).ok();
            let p = if kind == TestKind::OneSidedProportions && z.z != 0.0 { z.p / 2.0 } else { z.p };
            (z.z, p)
        }
        // How much one number would vary cannot be said.
        _ if differences.len() < 2 => return Ok(found),
        kind => {
            let t = match kind {
                TestKind::PairedT => paired_t(&differences)?,
                TestKind::OneSidedT if mean < 0.0 => one_sided_t(&differences, Tail::Less)?,
                TestKind::OneSidedT => one_sided_t(&differences, Tail::Greater)?,
                _ => corrected_t(&differences, ratio)?,
            };
            found.interval = Some(match kind {
                TestKind::CorrectedT => corrected_interval(&differences, ratio, confidence)?,
                _ => mean_interval(&differences, confidence)?,
            });
            (t.t, t.p)
        }
    };
    found.statistic = Some(statistic).filter(|x| x.is_finite());
    found.p = Some(p);
    found.mark = found.difference.map(|difference| Mark::of(difference, p, test.level, test.threshold));
    Ok(found)
}

/// The values of both schemes on the same divisions.
fn pairs(scheme: &Summary, base: &Summary) -> Vec<(f64, f64)> {
    let numbers = |summary: &Summary| -> Vec<((u32, u32), f64)> {
        summary.places.iter().copied().zip(summary.values.iter().copied()).collect()
    };
    let (ours, theirs) = (numbers(scheme), numbers(base));
    if scheme.places == base.places {
        return ours.iter().zip(&theirs).map(|(a, b)| (a.1, b.1)).collect();
    }
    let theirs: std::collections::HashMap<_, _> = theirs.into_iter().collect();
    ours.iter().filter_map(|(place, a)| theirs.get(place).map(|b| (*a, *b))).collect()
}

/// Both shares, of all rows that were judged.
fn z_test(scheme: &Summary, base: &Summary) -> Result<ZTest> {
    let counts = |summary: &Summary| {
        // Rows with weights make shares that are not counts: the nearest one.
        let rows = summary.rows.1 as u64;
        ((summary.of_rows.round() as u64).min(rows), rows)
    };
    let ((a, n_a), (b, n_b)) = (counts(scheme), counts(base));
    proportions(a, n_a, b, n_b)
}
