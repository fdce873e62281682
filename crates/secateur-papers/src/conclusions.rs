//! Whether the conclusions of a document hold: on the measured numbers, and on the printed ones by the same rules.

use serde::Deserialize;

use super::experiment::Experiment;
use super::published::Published;
use super::results::{Key, Results};
pub use super::rules::{Relation, Rule};

/// A conclusion of a document, with the rules that check it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conclusion {
    /// What is concluded.
    pub text: String,
    /// What must hold for it; without rules it is only printed.
    #[serde(default)]
    pub rules: Vec<Rule>,
    /// Why it is not checked, or why the printed numbers do not bear it out.
    pub because: Option<String>,
}

/// What comes out of checking something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It holds.
    Holds,
    /// It holds in part: in at least half of the cases it should, or by some of its rules.
    Mixed,
    /// It does not hold.
    Fails,
    /// There is nothing to check it on.
    NotChecked,
}

/// What one rule says.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// Whether it holds.
    pub verdict: Verdict,
    /// In how many cases it does.
    pub held: usize,
    /// Of how many.
    pub total: usize,
    /// The same as a sentence.
    pub sentence: String,
    /// The cases in which it does not hold.
    pub exceptions: Vec<Key>,
}

/// What the rules of a conclusion say together.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Whether the conclusion holds.
    pub verdict: Verdict,
    /// What each rule says.
    pub checks: Vec<Check>,
}

/// A conclusion, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding<'a> {
    /// The conclusion.
    pub conclusion: &'a Conclusion,
    /// On the measured numbers.
    pub measured: Outcome,
    /// On all printed numbers.
    pub published: Outcome,
    /// On the printed numbers of the data sets that were measured.
    pub published_here: Outcome,
}

/// Checks every conclusion of an experiment.
///
/// ```
/// use secateur_papers::{Results, Verdict, catalogue, conclusions};
/// let experiment = catalogue::find("shi-4.14")?;
/// let published = catalogue::published(&experiment)?;
/// // The printed numbers taken for measured ones: both sides agree.
/// let findings = conclusions::check(&experiment, &published, &published.results());
/// assert!(findings.iter().all(|f| f.measured == f.published && f.published.verdict == Verdict::Holds));
/// // Without measured numbers there is nothing to check.
/// let findings = conclusions::check(&experiment, &published, &Results::default());
/// assert_eq!(findings[0].measured.verdict, Verdict::NotChecked);
/// # Ok::<(), secateur::Error>(())
/// ```
pub fn check<'a>(experiment: &'a Experiment, published: &Published, measured: &Results) -> Vec<Finding<'a>> {
    let printed = published.results();
    let measured_sets: std::collections::BTreeSet<&str> =
        measured.values().map(|(key, _)| key.dataset.as_str()).collect();
    let here = |key: &Key| measured_sets.contains(key.dataset.as_str());
    // Columns that a document quotes from elsewhere are not schemes to run: they stand beside the measured ones as printed.
    let mut beside = measured.clone();
    for (key, value) in
        printed.values().filter(|(key, _)| experiment.scheme(&key.scheme).is_none() && here(key))
    {
        beside.set(key.clone(), value.mean, value.sd);
    }
    let findings = experiment.conclusions.iter().map(|conclusion| Finding {
        conclusion,
        measured: conclusion.check(&beside),
        published: conclusion.check(&printed),
        published_here: conclusion.check_where(&printed, here),
    });
    findings.collect()
}

impl Conclusion {
    /// Checks the conclusion on a table of results.
    pub fn check(&self, results: &Results) -> Outcome {
        self.check_where(results, |_| true)
    }

    fn check_where(&self, results: &Results, wanted: impl Fn(&Key) -> bool) -> Outcome {
        let checks: Vec<Check> = self.rules.iter().map(|rule| rule.check(results, &wanted)).collect();
        let mut verdicts = checks.iter().map(|check| check.verdict).filter(|v| *v != Verdict::NotChecked);
        let verdict = match verdicts.next() {
            None => Verdict::NotChecked,
            Some(first) if verdicts.all(|verdict| verdict == first) => first,
            Some(_) => Verdict::Mixed,
        };
        Outcome { verdict, checks }
    }
}

impl Rule {
    /// Checks the rule on the cases of `results` that `wanted` lets through.
    ///
    /// ```
    /// use secateur_papers::{Key, Results, Verdict};
    /// let mut results = Results::default();
    /// results.set(Key::new("iris", "cart", "leaves"), 3.0, None);
    /// let experiment = secateur_papers::catalogue::find("zhong-6.3")?;
    /// let check = experiment.conclusions[0].rules[0].check(&results, |_| true);
    /// assert_eq!((check.verdict, check.total), (Verdict::NotChecked, 0));
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn check(&self, results: &Results, wanted: impl Fn(&Key) -> bool) -> Check {
        let found = self.find(results, wanted);
        let total = found.cases.len();
        let held = found.cases.iter().filter(|(_, holds)| *holds).count();
        // A share like 0.6 of 5 cases shall be 3, not a little more.
        let needed = self.share() * total as f64 - 1e-9;
        let verdict = match held as f64 {
            _ if total == 0 => Verdict::NotChecked,
            held if held >= needed => Verdict::Holds,
            held if held > 0.0 && held >= needed / 2.0 => Verdict::Mixed,
            _ => Verdict::Fails,
        };
        let statement = self.words();
        let sentence = match (total, found.means) {
            (0, _) => format!("{statement}: nothing to check it on"),
            (_, Some((a, b))) => {
                format!("{statement}: {} ({a:.4} and {b:.4})", if held == 1 { "yes" } else { "no" })
            }
            _ => format!("{statement} {}", place(&found.cases, held)),
        };
        let exceptions = found.cases.into_iter().filter(|(_, holds)| !holds).map(|(key, _)| key).collect();
        Check { verdict, held, total, sentence, exceptions }
    }
}

/// `on 30 of 38 data sets`, or `in 30 of 38 cases` where a data set counts more than once.
fn place(cases: &[(Key, bool)], held: usize) -> String {
    let total = cases.len();
    let mut sets: Vec<&str> = cases.iter().map(|(key, _)| key.dataset.as_str()).collect();
    sets.sort_unstable();
    sets.dedup();
    match sets.as_slice() {
        [one] if total == 1 => format!("{} {one}", if held == 1 { "on" } else { "not on" }),
        _ if sets.len() == total => format!("on {held} of {total} data sets"),
        _ => format!("in {held} of {total} cases"),
    }
}

impl Outcome {
    /// All sentences as one.
    pub fn sentence(&self) -> String {
        let sentences: Vec<&str> = self.checks.iter().map(|check| check.sentence.as_str()).collect();
        sentences.join("; ")
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Holds => "holds",
            Self::Mixed => "mixed",
            Self::Fails => "fails",
            Self::NotChecked => "not checked",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sign;

    fn rule(text: &str) -> Rule {
        toml::from_str(text).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Sizes of two schemes on four data sets, with marks on three of them.
    fn table() -> Results {
        let mut results = Results::default();
        let rows = [("a", 10.0, 30.0, Some(Sign::Smaller)), ("b", 20.0, 20.0, Some(Sign::Same))];
        let more = [("c", 31.0, 30.0, Some(Sign::Larger)), ("d", 5.0, 15.0, None)];
        for (dataset, one, other, sign) in rows.into_iter().chain(more) {
            results.set(Key::new(dataset, "one", "size"), one, None);
            results.set(Key::new(dataset, "other", "size"), other, None);
            if let Some(sign) = sign {
                results.mark(Key::new(dataset, "one", "size"), "other", sign);
            }
        }
        results
    }

    fn checked(text: &str) -> (Verdict, usize, usize) {
        let check = rule(text).check(&table(), |_| true);
        (check.verdict, check.held, check.total)
    }

    #[test]
    fn marks_are_counted_where_there_was_a_test() {
        let marks = "kind = 'marks'\nmetric = 'size'\nscheme = 'one'\nthan = 'other'\n";
        let is = |is: &str| checked(&format!("{marks}is = '{is}'"));
        assert_eq!(is("smaller"), (Verdict::Fails, 1, 3));
        assert_eq!(is("not-larger"), (Verdict::Mixed, 2, 3));
        assert_eq!(checked(&format!("{marks}is = 'not-smaller'\nshare = 0.6")), (Verdict::Holds, 2, 3));
        // The other way round the signs turn.
        let turned =
            "kind = 'marks'\nmetric = 'size'\nscheme = 'other'\nthan = 'one'\nis = 'larger'\nshare = 0.3";
        assert_eq!(checked(turned), (Verdict::Holds, 1, 3));
    }

    #[test]
    fn means_are_compared_by_factors_and_with_room() {
        let means = "kind = 'means'\nmetric = 'size'\nscheme = 'one'\nthan = 'other'\n";
        let with = |rest: &str| checked(&format!("{means}{rest}"));
        assert_eq!(with("is = 'smaller'"), (Verdict::Mixed, 2, 4));
        assert_eq!(with("is = 'smaller'\nby = 3\nshare = 0.5"), (Verdict::Holds, 2, 4));
        assert_eq!(with("is = 'smaller'\nby = 3.1"), (Verdict::Fails, 0, 4));
        assert_eq!(with("is = 'not-larger'"), (Verdict::Mixed, 3, 4));
        assert_eq!(with("is = 'not-larger'\nwithin = 1"), (Verdict::Holds, 4, 4));
        assert_eq!(with("is = 'same'\nwithin = 1\nshare = 0.5"), (Verdict::Holds, 2, 4));
        assert_eq!(with("is = 'larger'\ngroup = '5'"), (Verdict::NotChecked, 0, 0));
    }

    #[test]
    fn averages_are_told_with_both_means() {
        let text = "kind = 'average'\nmetric = 'size'\nscheme = 'one'\nthan = 'other'\nis = 'smaller'";
        let check = rule(text).check(&table(), |_| true);
        assert_eq!(
            check.sentence,
            "mean size of one is smaller than that of other: yes (16.5000 and 23.7500)"
        );
        assert_eq!(check.verdict, Verdict::Holds);
        let check = rule(text).check(&table(), |key| key.dataset == "c");
        assert_eq!((check.verdict, check.held), (Verdict::Fails, 0));
    }

    #[test]
    fn values_lines_and_growth_are_checked() {
        let mut results = Results::default();
        for (scheme, x) in [("u", 9.0), ("v", 7.0), ("w", 8.0)] {
            results.set(Key::new("a", scheme, "m").group("5"), x, None);
            results.set(Key::new("a", scheme, "m").group("50"), x * 4.0, None);
        }
        let holds = |text: &str| rule(text).check(&results, |_| true).verdict == Verdict::Holds;
        assert!(holds("kind = 'valley'\nmetric = 'm'\nschemes = ['u', 'v', 'w']"));
        assert!(!holds("kind = 'valley'\nmetric = 'm'\nschemes = ['v', 'w', 'u']"));
        assert!(holds("kind = 'falls'\nmetric = 'm'\nschemes = ['u', 'w', 'v']"));
        assert!(!holds("kind = 'falls'\nmetric = 'm'\nschemes = ['u', 'v', 'w']"));
        assert!(!holds("kind = 'falls'\nmetric = 'm'\nschemes = ['u', 'u']"));
        assert!(holds("kind = 'value'\nmetric = 'm'\nscheme = 'u'\ngroup = '5'\nat_least = 9\nat_most = 9"));
        assert!(!holds("kind = 'value'\nmetric = 'm'\nscheme = 'u'\nat_most = 9"));
        assert!(!holds("kind = 'value'\nmetric = 'm'\nscheme = 'u'\ndataset = 'b'\nat_least = 9"));
        let growth = "kind = 'growth'\nmetric = 'm'\nscheme = 'u'\nfrom = '5'\nto = '50'\n";
        assert!(holds(&format!("{growth}at_least = 4\nat_most = 4")));
        assert!(!holds(&format!("{growth}at_least = 4.1")) && !holds(&format!("{growth}at_most = 3.9")));
        let check = rule(&format!("{growth}at_most = 10")).check(&results, |_| true);
        assert_eq!(check.sentence, "m of u grows at most 10 times from 5 to 50 on a");
    }

    #[test]
    fn sentences_say_where_and_what_does_not_fit() {
        let text = "kind = 'marks'\nmetric = 'size'\nscheme = 'one'\nthan = 'other'\nis = 'smaller'";
        let check = rule(text).check(&table(), |_| true);
        assert_eq!(
            check.sentence,
            "size of one is significantly smaller than that of other on 1 of 3 data sets"
        );
        let sets: Vec<&str> = check.exceptions.iter().map(|key| key.dataset.as_str()).collect();
        assert_eq!(sets, ["b", "c"]);
    }

    #[test]
    fn a_conclusion_is_as_good_as_its_rules() {
        let part = |is: &str, share: f64| {
            let head = "kind = 'means'\nmetric = 'size'\nscheme = 'one'\nthan = 'other'";
            rule(&format!("{head}\nis = '{is}'\nshare = {share}"))
        };
        let verdict = |rules: Vec<Rule>| {
            Conclusion { text: String::new(), rules, because: None }.check(&table()).verdict
        };
        assert_eq!(verdict(vec![part("smaller", 0.5), part("larger", 0.2)]), Verdict::Holds);
        assert_eq!(verdict(vec![part("smaller", 0.5), part("larger", 0.9)]), Verdict::Mixed);
        assert_eq!(verdict(vec![part("larger", 0.9)]), Verdict::Fails);
        assert_eq!(verdict(Vec::new()), Verdict::NotChecked);
        let nowhere = rule("kind = 'value'\nmetric = 'none'\nscheme = 'one'\nat_least = 1");
        assert_eq!(verdict(vec![nowhere, part("smaller", 0.5)]), Verdict::Holds);
    }
}
