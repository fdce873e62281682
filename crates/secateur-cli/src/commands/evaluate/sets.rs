//! Whether sets of classes, or intervals, hold what they say: how often the truth is inside, and how large they are.

use secateur::evaluate::measures::Covered;
use secateur::report::grid::{Column, Grid};
use secateur::statistics::{Interval, binomial_band};
use serde_json::{Value, json};

use super::Done;
use crate::experiment::Set;
use crate::output;

/// How sure a coverage is to lie within its band when the sets hold what they say.
const CONFIDENCE: f64 = 0.95;

/// What was seen on one data set, all divisions together.
pub(super) struct SetCoverage<'a> {
    set: &'a Set,
    level: f64,
    pub covered: Covered,
    /// How often every row was judged.
    times: f64,
}

impl Done<'_> {
    /// What was seen of the sets of a data set; `None` where none were asked for.
    pub(super) fn seen<'a>(&self, set: &'a Set) -> Option<SetCoverage<'a>> {
        let (level, share) = (self.sets?.level, self.sheets[0].shares[self.last()]);
        let mine = self.records.iter().filter(|r| r.dataset == set.name && r.share == share);
        let (mut covered, mut judged) = (Covered::default(), 0);
        for record in mine {
            let Some(measured) = &record.measured else { continue };
            covered.join(measured.sets.as_ref()?);
            judged += record.test;
        }
        let times = (judged as f64 / set.rows.max(1) as f64).max(1.0);
        (judged > 0).then_some(SetCoverage { set, level, covered, times })
    }
}

impl SetCoverage<'_> {
    fn classes(&self) -> &[String] {
        self.set.coded.schema().target.classes()
    }

    /// Where the share of some weight should lie when the probability of each row is this.
    fn band(&self, weight: f64, probability: f64) -> Option<Interval> {
        let rows = (weight / self.times).round() as u64;
        binomial_band(rows, probability.clamp(1e-9, 1.0 - 1e-9), CONFIDENCE).ok()
    }

    /// The share of the rows to expect: at least the level.
    fn expected(&self) -> f64 {
        self.covered.expected / self.covered.weight()
    }

    /// How often the truth is inside: all rows, and class by class.
    pub(super) fn grid(&self) -> Option<Grid> {
        let (share, all) = (self.covered.share()?, self.covered.weight());
        let percent = |x: f64| format!("{:.1}", 100.0 * x);
        let is_classes = !self.classes().is_empty();
        let what = if is_classes { "Sets" } else { "Intervals" };
        let mut grid = Grid::new(
            format!("{what} for {} % of new rows", output::number(100.0 * self.level)),
            [
                Column::left("rows of"),
                Column::decimal("inside %"),
                Column::left("band %"),
                Column::right("rows"),
            ],
        );
        let band = |weight: f64| self.band(weight, self.level);
        let cells = |name: &str, weight: f64, share: f64| {
            let band = band(weight).map(|b| format!("{} to {}", percent(b.low), percent(b.high)));
            [name.into(), percent(share), band.unwrap_or_default(), output::rounded(weight / self.times)]
        };
        if is_classes {
            for (class, (weight, inside)) in self.classes().iter().zip(&self.covered.classes) {
                if *weight > 0.0 {
                    grid.row(cells(&output::shortened(class, 30), *weight, inside / weight));
                }
            }
            grid.footer(cells("all", all, share));
        } else {
            grid.row(cells("all", all, share));
        }
        let size = self.covered.size / all;
        let size = match is_classes {
            true => format!(
                "A set has {} classes on average; {} % have one",
                output::rounded(size),
                percent(self.covered.single / all)
            ),
            false => format!("An interval is {} wide on average", output::rounded(size)),
        };
        let expected = self.expected();
        let ties = match expected - self.level > 0.005 {
            true => {
                format!(" {} % were to be expected, as many rows have the same score.", percent(expected))
            }
            false => String::new(),
        };
        let verdict = match self.held() {
            Some(false) => " Fewer rows are inside than chance explains.",
            _ => "",
        };
        grid.notes.push(format!(
            "{size}.{ties}{verdict} Bands are where 95 % of shares lie when every row is inside with probability {}; sets promise that \
             for all rows together, not for each class.",
            output::number(self.level)
        ));
        Some(grid)
    }

    /// Whether at least as many rows are inside as chance allows for.
    fn held(&self) -> Option<bool> {
        let band = self.band(self.covered.weight(), self.level)?;
        Some(self.covered.share()? >= band.low - 1e-12)
    }

    /// Everything as JSON.
    pub(super) fn summary(&self) -> Value {
        let (all, expected) = (self.covered.weight(), self.expected());
        let classes = self.classes().iter().zip(&self.covered.classes).map(|(class, (weight, inside))| {
            json!({
                "class": class, "rows": weight / self.times, "band": self.band(*weight, self.level),
                "coverage": (*weight > 0.0).then(|| inside / weight),
            })
        });
        let is_classes = !self.classes().is_empty();
        json!({
            "level": self.level, "coverage": self.covered.share(), "rows": all / self.times,
            "band": self.band(all, self.level), "held": self.held(),
            "expected": expected, "expected_band": self.band(all, expected),
            "mean_size": self.covered.size / all,
            "single": is_classes.then(|| self.covered.single / all),
            "classes": is_classes.then(|| classes.collect::<Vec<_>>()),
        })
    }
}
