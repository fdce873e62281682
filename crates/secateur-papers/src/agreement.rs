//! How near measured numbers come to the printed ones, cell by cell.

use super::experiment::{Doubt, Experiment, Measure, SMALL};
use super::published::{Cell, Published};
use super::results::{Results, Sign, Value};

/// How near a measured number is to the printed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// It rounds to the printed digits.
    Exact,
    /// It lies within the experiment's tolerance.
    Close,
    /// It does not.
    Off,
    /// The experiment sets no tolerance: seconds, for example, depend on the machine.
    Unjudged,
}

/// A printed cell and what was measured for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged<'a> {
    /// What was printed.
    pub cell: &'a Cell,
    /// What was measured, in the printed unit.
    pub measured: Value,
    /// Measured minus printed.
    pub difference: f64,
    /// How near that is.
    pub grade: Grade,
    /// Whether it is close only because the print is rounded: by half a unit of its last digit.
    pub by_rounding: bool,
    /// Why the print itself is doubted, where it is.
    pub doubt: Option<&'a Doubt>,
}

/// A printed mark and what the test said here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JudgedMark<'a> {
    /// The cell that has it.
    pub cell: &'a Cell,
    /// The scheme it is compared with.
    pub than: &'a str,
    /// What was printed.
    pub printed: Sign,
    /// What was measured.
    pub measured: Sign,
}

/// All cells that were measured.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Agreement<'a> {
    /// The cells, in the order of the published file.
    pub cells: Vec<Judged<'a>>,
    /// The marks of those cells, where the comparison was made here too.
    pub marks: Vec<JudgedMark<'a>>,
    /// How many printed cells were not measured.
    pub unmeasured: usize,
}

impl<'a> Agreement<'a> {
    /// Holds measured values, already in the printed unit, against the printed ones; `rows` says how many rows a data
    /// set has, where it is known.
    ///
    /// ```
    /// use secateur_papers::{Agreement, Grade, Key, Results, catalogue};
    /// let experiment = catalogue::find("shi-4.14")?;
    /// let published = catalogue::published(&experiment)?;
    /// let mut measured = Results::default();
    /// measured.set(Key::new("iris", "best-first-post", "accuracy"), 94.2, None);
    /// measured.set(Key::new("glass", "best-first-post", "accuracy"), 71.0, None);
    /// let agreement = Agreement::of(&experiment, &published, &measured, |_| None);
    /// assert_eq!((agreement.count(Grade::Exact), agreement.count(Grade::Close)), (1, 1));
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn of(
        experiment: &'a Experiment,
        published: &'a Published,
        measured: &Results,
        rows: impl Fn(&str) -> Option<usize>,
    ) -> Self {
        let mut agreement = Self::default();
        for cell in &published.cells {
            let Some(value) = measured.value(&cell.key) else {
                agreement.unmeasured += 1;
                continue;
            };
            let small = rows(&cell.key.dataset).is_some_and(|rows| rows < SMALL);
            let (grade, by_rounding) = grade(cell, value.mean, experiment.measure(&cell.key.metric), small);
            for (than, printed) in &cell.marks {
                if let Some(measured) = measured.sign(&cell.key, than) {
                    agreement.marks.push(JudgedMark { cell, than, printed: *printed, measured });
                }
            }
            agreement.cells.push(Judged {
                cell,
                measured: value,
                difference: value.mean - cell.value,
                grade,
                by_rounding,
                doubt: experiment.doubts.iter().find(|doubt| doubt.is_about(cell)),
            });
        }
        agreement
    }

    /// How many cells have this grade.
    pub fn count(&self, grade: Grade) -> usize {
        self.cells.iter().filter(|cell| cell.grade == grade).count()
    }

    /// How many cells are close only by half a printed unit.
    pub fn by_rounding(&self) -> usize {
        self.cells.iter().filter(|cell| cell.by_rounding).count()
    }

    /// How many marks are as printed.
    pub fn equal_marks(&self) -> usize {
        self.marks.iter().filter(|mark| mark.printed == mark.measured).count()
    }

    /// How many cells are off although nothing is doubted about the print.
    pub fn unexplained(&self) -> usize {
        self.cells.iter().filter(|cell| cell.grade == Grade::Off && cell.doubt.is_none()).count()
    }

    /// The share of judged cells that are exact or close; `None` when nothing was judged.
    ///
    /// ```
    /// assert_eq!(secateur_papers::Agreement::default().share(), None);
    /// ```
    pub fn share(&self) -> Option<f64> {
        let good = self.count(Grade::Exact) + self.count(Grade::Close);
        let judged = good + self.count(Grade::Off);
        (judged > 0).then(|| good as f64 / judged as f64)
    }
}

impl Doubt {
    /// Whether this doubt is about the cell.
    pub fn is_about(&self, cell: &Cell) -> bool {
        let key = &cell.key;
        (&self.dataset, &self.scheme, &self.metric) == (&key.dataset, &key.scheme, &key.metric)
            && (self.group.is_none() || self.group == key.group)
    }
}

/// The grade, and whether it hangs on half a printed unit.
fn grade(cell: &Cell, measured: f64, measure: Option<&Measure>, small: bool) -> (Grade, bool) {
    let pick = |usual: Option<f64>, for_small: Option<f64>| if small { for_small.or(usual) } else { usual };
    let within = measure.and_then(|m| pick(m.within, m.within_small));
    let share = measure.and_then(|m| pick(m.share, m.share_small));
    if within.is_none() && share.is_none() {
        return (Grade::Unjudged, false);
    }
    let room = within.unwrap_or(0.0).max(share.unwrap_or(0.0) * cell.value.abs()) * (1.0 + 1e-9);
    let difference = (measured - cell.value).abs();
    if cell.rounds_from(measured) {
        (Grade::Exact, false)
    } else if difference <= room {
        (Grade::Close, false)
    } else if difference - cell.unit() / 2.0 <= room {
        // What was printed is rounded: the number behind it may be nearer by that much.
        (Grade::Close, true)
    } else {
        (Grade::Off, false) // also what is not a number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Key;

    fn experiment(measure: &str) -> Experiment {
        let head =
            "id = 'x'\ntitle = 'x'\ndocument = 'x'\nkind = 'table'\nprotocol = { name = 'cv', folds = 2 }\n";
        let doubt = "[[doubt]]\ndataset = 'd'\nscheme = 's'\nmetric = 'm'\nlikely = 5.66\nbecause = 'x'\n";
        Experiment::parse(
            &format!("{head}measure = [{{ metric = 'm', measure = 'nodes' {measure} }}]\n{doubt}"),
            "x",
        )
        .unwrap()
    }

    fn graded(measure: &str, printed: &str, measured: f64, rows: usize) -> Grade {
        let published =
            Published::parse(&format!("dataset,scheme,metric,value\nd,s,m,{printed}\n"), "x").unwrap();
        let mut results = Results::default();
        results.set(Key::new("d", "s", "m"), measured, None);
        let experiment = experiment(measure);
        Agreement::of(&experiment, &published, &results, |_| Some(rows)).cells[0].grade
    }

    #[test]
    fn tolerances_are_absolute_or_relative_and_wider_for_small_sets() {
        let points = ", within = 1.5, within_small = 3.0";
        assert_eq!(graded(points, "70.39", 70.394, 1000), Grade::Exact);
        assert_eq!(graded(points, "70.39", 71.89, 1000), Grade::Close);
        assert_eq!(graded(points, "70.39", 71.9, 1000), Grade::Off);
        assert_eq!(graded(points, "70.39", 71.9, 199), Grade::Close);
        assert_eq!(graded(points, "70.39", 71.9, 200), Grade::Off);
        assert_eq!(graded(", share = 0.1", "200", 220.0, 1000), Grade::Close);
        assert_eq!(graded(", share = 0.1", "200", 221.0, 1000), Grade::Off);
        assert_eq!(graded(", share = 0.1, within = 30", "200", 221.0, 1000), Grade::Close);
        assert_eq!(graded(", within = 0", "61", 62.0, 1000), Grade::Off);
    }

    #[test]
    fn half_a_printed_unit_is_counted_apart() {
        let text = "dataset,scheme,metric,value\nd,s,m,61\ne,s,m,61\nf,s,m,61\n";
        let published = Published::parse(text, "x").unwrap();
        let mut results = Results::default();
        for (dataset, x) in [("d", 63.0), ("e", 63.4), ("f", 63.6)] {
            results.set(Key::new(dataset, "s", "m"), x, None);
        }
        let experiment = experiment(", within = 2");
        let agreement = Agreement::of(&experiment, &published, &results, |_| None);
        let grades: Vec<_> = agreement.cells.iter().map(|j| (j.grade, j.by_rounding)).collect();
        assert_eq!(grades, [(Grade::Close, false), (Grade::Close, true), (Grade::Off, false)]);
        assert_eq!(agreement.by_rounding(), 1);
    }

    #[test]
    fn marks_are_held_against_the_print() {
        let text = "dataset,scheme,metric,value,mark_vs_a,mark_vs_b\nd,s,m,1,+,=\ne,s,m,2,-,\n";
        let published = Published::parse(text, "x").unwrap();
        let mut results = Results::default();
        results.set(Key::new("d", "s", "m"), 1.0, None);
        results.mark(Key::new("d", "s", "m"), "a", Sign::Larger);
        // Entered the other way round, and for a set that was not measured.
        results.mark(Key::new("d", "b", "m"), "s", Sign::Larger);
        results.mark(Key::new("e", "s", "m"), "a", Sign::Smaller);
        let experiment = experiment(", within = 2");
        let agreement = Agreement::of(&experiment, &published, &results, |_| None);
        let marks: Vec<_> = agreement.marks.iter().map(|m| (m.than, m.printed, m.measured)).collect();
        assert_eq!(marks, [("a", Sign::Larger, Sign::Larger), ("b", Sign::Same, Sign::Smaller)]);
        assert_eq!(agreement.equal_marks(), 1);
    }

    #[test]
    fn without_a_tolerance_nothing_is_judged() {
        assert_eq!(graded("", "1.00", 1.0, 1000), Grade::Unjudged);
        assert_eq!(graded("", "1.00", 99.0, 1000), Grade::Unjudged);
    }

    #[test]
    fn what_is_not_a_number_is_off() {
        assert_eq!(graded(", within = 1", "1.00", f64::NAN, 1000), Grade::Off);
    }

    #[test]
    fn doubted_prints_and_unmeasured_cells_are_counted_apart() {
        let published =
            Published::parse("dataset,scheme,metric,value\nd,s,m,4.26\ne,s,m,9\nf,s,m,2\n", "x").unwrap();
        let mut results = Results::default();
        results.set(Key::new("d", "s", "m"), 5.66, None);
        results.set(Key::new("f", "s", "m"), 2.0, None);
        let experiment = experiment(", within = 1");
        let agreement = Agreement::of(&experiment, &published, &results, |_| None);
        assert_eq!((agreement.count(Grade::Off), agreement.unexplained()), (1, 0));
        assert_eq!((agreement.unmeasured, agreement.share()), (1, Some(0.5)));
        assert_eq!(agreement.cells[0].doubt.and_then(|doubt| doubt.likely), Some(5.66));
    }
}
