//! Criteria from outside the library: an impurity of class weights, registered once, then known by name like its own.

use std::fmt;
use std::sync::{PoisonError, RwLock};

use super::class_weights::ClassWeights;
use super::sides::Sides;
use crate::error::{Error, Result};
use crate::method::{Choice, MoreWords, is_name};

/// How impure rows of several classes are. Trees are grown by it as `cart:criterion=its-name`, at the pace of its own code: every
/// threshold asks it twice.
pub trait Impurity: Sync {
    /// Its name in scheme strings.
    fn name(&self) -> &'static str;

    /// The impurity of rows with these class weights, which add up to `total` (above 0): 0 where all rows have one class, and for
    /// mixed rows of the order of 1, as gains below about 1e-12 count as none. It should not change when all
    /// weights are multiplied by a number. What is not a finite number counts as 0.
    fn impurity(&self, weights: &[f64], total: f64) -> f64;
}

/// A registered impurity: its place in the list. It is small, as growing passes it around with every measure.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct OwnImpurity(u8);

/// The names of those from outside, for the option `criterion`.
pub(crate) static NAMES: MoreWords = MoreWords::new();

/// Those from outside.
static ADDED: RwLock<Vec<&'static dyn Impurity>> = RwLock::new(Vec::new());

/// Makes an impurity known to the whole program, as a value of the option `criterion` of every learner.
///
/// ```
/// use secateur::criterion::{Impurity, register};
///
/// /// The share of the rows that the largest class leaves over.
/// struct Mistakes;
///
/// impl Impurity for Mistakes {
///     fn name(&self) -> &'static str {
///         "mistakes"
///     }
///     fn impurity(&self, weights: &[f64], total: f64) -> f64 {
///         1.0 - weights.iter().fold(0.0, |most: f64, w| most.max(*w)) / total
///     }
/// }
///
/// register(&Mistakes)?;
/// let scheme: secateur::scheme::Scheme = "cart:criterion=mistakes".parse()?;
/// # Ok::<(), secateur::Error>(())
/// ```
///
/// # Errors
/// When another criterion has its name, or no scheme can hold it.
pub fn register(impurity: &'static dyn Impurity) -> Result<()> {
    let name = impurity.name();
    let problem = |what: &str| Error::parameter(format!("criterion '{name}' cannot be registered: {what}"));
    if !is_name(name) {
        return Err(problem("a name has letters, digits and hyphens only"));
    }
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    if super::Criterion::ALL.iter().any(|(known, _)| *known == name)
        || added.iter().any(|own| own.name() == name)
    {
        return Err(problem("another one has this name"));
    }
    if added.len() > usize::from(u8::MAX) {
        return Err(problem("there are 256 already"));
    }
    added.push(impurity);
    NAMES.add(Choice::classes(name));
    Ok(())
}

/// The one with this name.
pub(crate) fn registered(name: &str) -> Option<OwnImpurity> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    added.iter().position(|own| own.name() == name).map(|place| OwnImpurity(place as u8))
}

impl OwnImpurity {
    /// Its name in scheme strings.
    pub fn name(self) -> &'static str {
        self.impurity().name()
    }

    fn impurity(self) -> &'static dyn Impurity {
        ADDED.read().unwrap_or_else(PoisonError::into_inner)[usize::from(self.0)]
    }

    /// Weight times impurity.
    pub(super) fn cost(self, weights: &[f64], total: f64) -> f64 {
        cost(self.impurity(), weights, total)
    }
}

/// Weight times impurity.
fn cost(impurity: &dyn Impurity, weights: &[f64], total: f64) -> f64 {
    let impurity = impurity.impurity(weights, total);
    if impurity.is_finite() { total * impurity } else { 0.0 }
}

impl fmt::Debug for OwnImpurity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnImpurity").field(&self.name()).finish()
    }
}

/// Both sides of a cut, asked anew at every step.
pub(crate) struct OwnSides {
    impurity: &'static dyn Impurity,
    weights: ClassWeights,
}

impl OwnSides {
    /// Sides for an impurity.
    pub(crate) fn new(impurity: OwnImpurity) -> Self {
        Self { impurity: impurity.impurity(), weights: ClassWeights::default() }
    }
}

impl Sides for OwnSides {
    type Target = u32;

    fn start(&mut self, total: &[f64]) {
        self.weights.start(total);
    }

    fn row(&mut self, class: u32, weight: f64) {
        self.weights.row(class, weight);
    }

    fn tally(&mut self, tally: &[f64]) {
        for (class, &weight) in tally.iter().enumerate() {
            self.row(class as u32, weight);
        }
    }

    fn left(&self) -> f64 {
        self.weights.sums[0]
    }

    fn right(&self) -> f64 {
        self.weights.sums[1]
    }

    fn cost(&self) -> f64 {
        let ClassWeights { left, right, sums: [l, r] } = &self.weights;
        cost(self.impurity, left, *l) + cost(self.impurity, right, *r)
    }

    fn is_below(&self, limit: f64) -> bool {
        self.cost() < limit
    }
}
