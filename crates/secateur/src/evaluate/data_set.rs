//! A data set of an experiment: how it is loaded, and how a result file recognises it.

use std::sync::Arc;

use crate::data::{CodedTable, CodedTarget, Scale};
use crate::error::Result;
use crate::training::{FitOptions, Folds};

/// Makes a coded table, with what its mistakes cost in the options.
pub type Load = Box<dyn Fn() -> Result<(Arc<CodedTable>, FitOptions)> + Send + Sync>;

/// A data set of an experiment.
pub struct DataSet {
    /// Its name in records and tables.
    pub name: String,
    /// Reads and codes it; called when its turn comes.
    pub load: Load,
    /// A number by which a result file recognises the rows ([`fingerprint`]); without one it is known by its name only.
    pub fingerprint: Option<u64>,
}

impl DataSet {
    /// A data set that is in memory already.
    pub fn ready(name: impl Into<String>, table: impl Into<Arc<CodedTable>>, options: FitOptions) -> Self {
        let table = table.into();
        let load = move || Ok((table.clone(), options.clone()));
        Self { name: name.into(), load: Box::new(load), fingerprint: None }
    }

    /// The same with a fingerprint.
    pub fn with_fingerprint(self, fingerprint: u64) -> Self {
        Self { fingerprint: Some(fingerprint), ..self }
    }
}

/// A number that tells tables apart: names, cells, target, weights, and what mistakes cost. The same on every machine.
///
/// ```
/// use secateur::data::{CodedTable, Roles, builtin};
/// use secateur::evaluate::fingerprint;
/// use secateur::fit::FitOptions;
///
/// let iris = CodedTable::new(&builtin::load("iris")?, &Roles::default())?;
/// let other = Roles { target: Some("petalwidth".into()), ..Roles::default() };
/// let other = CodedTable::new(&builtin::load("iris")?, &other)?;
/// let options = FitOptions::default();
/// assert_eq!(fingerprint(&iris, &options), fingerprint(&iris.clone(), &options));
/// assert_ne!(fingerprint(&iris, &options), fingerprint(&other, &options));
/// # Ok::<(), secateur::Error>(())
/// ```
pub fn fingerprint(table: &CodedTable, options: &FitOptions) -> u64 {
    let mut print = Print::new();
    let schema = table.schema();
    for attribute in &schema.attributes {
        print.text(&attribute.name);
        attribute.values().iter().for_each(|value| print.text(value));
    }
    print.text(schema.target.name());
    schema.target.classes().iter().for_each(|class| print.text(class));
    for column in table.columns() {
        match &column.scale {
            Scale::Values(values) | Scale::Cuts(values) => print.numbers(values),
            Scale::Bins(bins) => {
                print.numbers(&bins.first);
                print.numbers(&bins.last);
            }
            Scale::Floats => print.word(1 << 62),
            Scale::Levels(levels) => print.word(u64::from(*levels)),
            // In order they are another column than without.
            Scale::Ordered(levels) => print.word(u64::from(*levels) | 1 << 63),
        }
        (0..column.codes.len()).for_each(|row| print.word(u64::from(column.codes.get(row))));
    }
    match table.target() {
        CodedTarget::Classes { codes, .. } => codes.iter().for_each(|&code| print.word(u64::from(code))),
        CodedTarget::Numbers { unit, values } => {
            print.word(unit.to_bits());
            print.numbers(values);
        }
    }
    if let Some(weights) = table.weights() {
        print.numbers(weights);
    }
    if let Some(costs) = &options.costs {
        // Costs for other classes are refused when their turn comes.
        let costs = costs.bound(schema.target.classes()).unwrap_or_else(|_| costs.clone());
        costs.matrix().iter().for_each(|cost| print.word(cost.to_bits()));
    }
    if let Some(priors) = &options.priors {
        print.text("priors");
        // Those for other classes are refused when their turn comes.
        print.numbers(&priors.shares(schema.target.classes()).unwrap_or_default());
    }
    print.0
}

/// The same for folds.
pub(super) fn of_folds(folds: &Folds) -> u64 {
    let mut print = Print::new();
    (0..folds.rows()).for_each(|row| print.word(folds.fold(row).map_or(u64::MAX, u64::from)));
    print.0
}

/// A hash in the manner of Fowler, Noll and Vo, eight bytes at a time; it need not withstand attacks.
struct Print(u64);

impl Print {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn word(&mut self, word: u64) {
        // The shift brings the high bits down, which a product alone never does.
        self.0 = (self.0 ^ word).wrapping_mul(0x0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }

    fn numbers(&mut self, numbers: &[f64]) {
        self.word(numbers.len() as u64);
        numbers.iter().for_each(|x| self.word(x.to_bits()));
    }

    fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        text.bytes().for_each(|byte| self.word(u64::from(byte)));
    }
}
