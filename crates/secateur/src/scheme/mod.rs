//! Schemes: one string that names a way to learn a tree, and the registry of all methods.
//!
//! ```text
//! LEARNER[:option=value,...][/PRUNER[:option=value,...]]
//! ```
//!
//! [`LEARNERS`] and [`PRUNERS`](crate::prune::PRUNERS) are the registry: a method is known everywhere (scheme strings,
//! `secateur schemes`, help, checks) once it stands in one of these two lists, or was [registered](crate::prune::register).

mod default;
mod growing;
mod leaf_options;
mod learner_options;
mod learners;
mod plan;

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::method::{Method, MethodKind};
use crate::prune::{Pruner, ToPruner};
use crate::schema::Task;
use crate::spec::GrowSpec;
use crate::tree::LeafValues;

pub use plan::{LeafPlan, Plan};

pub use crate::method::{Choice, Exception, For, Law, MethodInfo, Needs, ParamKind, ParamSpec, Value};

/// All learners.
pub static LEARNERS: &[&MethodInfo] =
    &[&learners::CART, &learners::BEST_FIRST, &learners::C45, &learners::ID3];

/// What all pruners say of themselves: those of [`crate::prune::pruners`].
pub fn pruners() -> Vec<&'static MethodInfo> {
    crate::prune::pruners().into_iter().map(|p| &p.info).collect()
}

/// A way to learn a tree: a learner with its options and, where there is one, a pruner with its options.
///
/// Printing a scheme gives its canonical form, without options that have their default anyway.
///
/// ```
/// use secateur::schema::Task;
/// use secateur::scheme::Scheme;
/// let scheme: Scheme = "best-first:min-leaf=2,max-leaves=8".parse()?;
/// assert_eq!(scheme.to_string(), "best-first:max-leaves=8");
/// assert_eq!(scheme.grow_spec(Task::Classification)?.max_leaves, Some(8));
///
/// let unknown = "crat".parse::<Scheme>().unwrap_err();
/// assert!(unknown.to_string().starts_with("unknown learner 'crat' (did you mean 'cart'?)"));
/// # Ok::<(), secateur::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Scheme {
    /// The learner.
    pub learner: Method,
    /// The pruner; without one the full tree is kept.
    pub pruner: Option<Method>,
}

impl Scheme {
    /// The same scheme with these leaf values: `raw`, `laplace`, `m`, `m=2`, `shrink=10`, or `shrink`, whose λ is left to the rows
    /// that choose the pruning, or to the folds that the scheme has for it.
    ///
    /// ```
    /// use secateur::Scheme;
    /// let scheme: Scheme = "cart:max-depth=3/mdl".parse()?;
    /// assert_eq!(scheme.with_leaf_values("m=1")?.to_string(), "cart:max-depth=3,leaf-values=m,leaf-m=1/mdl");
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn with_leaf_values(self, text: &str) -> Result<Self> {
        let values: LeafValues = text.parse()?;
        let is_open = values.name() == "shrink" && !text.contains('=');
        let given = self.learner.given().iter().map(|(spec, value)| (spec.name, *value));
        let stays = |name: &str| !leaf_options::OF_LEAVES.contains(&name) || is_open && name == "leaf-cv";
        let mut options: Vec<(&str, Value)> = given.filter(|(name, _)| stays(name)).collect();
        options.push(("leaf-values", Value::Word(values.name())));
        let name = if values.name() == "m" { "leaf-m" } else { "leaf-lambda" };
        let number = values.number().filter(|_| text.contains('='));
        options.extend(number.map(|number| (name, Value::Number(number))));
        let learner = Method::with(self.learner.info(), MethodKind::Learner, &options)?;
        learner.check_any()?;
        Ok(Self { learner, ..self })
    }

    /// The same scheme with an option of its learner set, whatever it was before.
    ///
    /// ```
    /// use secateur::Scheme;
    /// let scheme: Scheme = "cart:max-leaves=9/mdl".parse()?;
    /// assert_eq!(scheme.with_option("max-leaves", "5")?.to_string(), "cart:max-leaves=5/mdl");
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn with_option(self, name: &str, value: &str) -> Result<Self> {
        let kept = self.learner.given().iter().filter(|(spec, _)| spec.name != name);
        let options: Vec<String> = kept
            .map(|(spec, value)| format!("{}={value}", spec.name))
            .chain([format!("{name}={value}")])
            .collect();
        let text = format!("{}:{}", self.learner.info().id, options.join(","));
        let learner = Method::parse(&text, MethodKind::Learner, LEARNERS)?;
        learner.check_any()?;
        Ok(Self { learner, ..self })
    }

    /// The same scheme with the leaf values that a tree has: a λ that rows have chosen is named.
    pub(crate) fn naming(self, values: LeafValues) -> Result<Self> {
        match values {
            LeafValues::Raw => Ok(self),
            values => self.with_leaf_values(&values.to_string()),
        }
    }

    /// The same learner with this pruner: typed options, or text such as `k-norm:k=2`.
    pub fn pruned_by(self, pruner: &(impl ToPruner + ?Sized)) -> Result<Self> {
        Ok(Self { pruner: Some(pruner.to_pruner()?), ..self })
    }

    /// Checks that learner and pruner are made for this task and that every option changes something for it.
    pub fn check(&self, task: Task) -> Result<()> {
        self.learner.check(task)?;
        let Some(method) = &self.pruner else { return Ok(()) };
        method.check(task)?;
        Pruner::of(method)?.check(task)
    }

    /// The settings of the grower, for a task. Options made for the other kind of target
    /// are an error.
    pub fn grow_spec(&self, task: Task) -> Result<GrowSpec> {
        self.check(task)?;
        growing::grow_spec(&self.learner, task)
    }
}

impl FromStr for Scheme {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (learner, pruner) = match text.split_once('/') {
            Some((learner, pruner)) => (learner, Some(pruner)),
            None => (text, None),
        };
        let learner = Method::parse(learner, MethodKind::Learner, LEARNERS)?;
        // The target is not known yet, but options that fit no target can be refused before a file is read.
        learner.check_any()?;
        let pruner = pruner.map(ToPruner::to_pruner).transpose()?;
        Ok(Self { learner, pruner })
    }
}

/// As by [`FromStr`].
impl TryFrom<&str> for Scheme {
    type Error = Error;

    fn try_from(text: &str) -> Result<Self> {
        text.parse()
    }
}

/// As by [`FromStr`].
impl TryFrom<String> for Scheme {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.learner)?;
        self.pruner.as_ref().map_or(Ok(()), |pruner| write!(f, "/{pruner}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::criterion::Criterion;
    use crate::spec::{LeafValue, NominalSplits, Order};

    fn scheme(text: &str) -> Scheme {
        text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    fn problem(text: &str) -> String {
        text.parse::<Scheme>().unwrap_err().to_string()
    }

    #[test]
    fn options_reach_the_grower() {
        let spec = scheme("c45:criterion=entropy,nominal=subset,order=breadth-first,min-leaf=0.5,chi2=0.05")
            .grow_spec(Task::Classification)
            .unwrap();
        assert_eq!(spec.criterion, Criterion::Entropy);
        assert_eq!(spec.nominal, NominalSplits::Subset);
        assert_eq!(spec.order, Order::BreadthFirst);
        assert_eq!((spec.min_leaf, spec.chi2), (0.5, Some(0.05)));
        let spec = scheme("cart:criterion=mae,leaf=median,stop-mse=2").grow_spec(Task::Regression).unwrap();
        assert_eq!(
            (spec.criterion, spec.leaf, spec.stop_mse),
            (Criterion::Mae, LeafValue::Median, Some(2.0))
        );
    }

    #[test]
    fn printing_and_reading_again_gives_the_same_scheme() {
        for (text, canonical) in [
            ("cart", "cart"),
            (" cart : max-depth = 3 , min-leaf=1", "cart:max-depth=3"),
            ("c45:guards=off,min-leaf=2.0", "c45:guards=off"),
            ("id3:cuts=2,criterion=gini", "id3:criterion=gini,cuts=2"),
            ("cart:criterion=gain-ratio,guards", "cart:criterion=gain-ratio,guards"),
            ("best-first:order=best-first-weighted", "best-first:order=best-first-weighted"),
        ] {
            assert_eq!(scheme(text).to_string(), canonical);
            assert_eq!(scheme(canonical).to_string(), canonical);
            assert_eq!(
                scheme(text).grow_spec(Task::Classification).unwrap(),
                scheme(canonical).grow_spec(Task::Classification).unwrap()
            );
        }
    }

    #[test]
    fn options_for_the_other_kind_of_target_are_refused() {
        let refused = |text: &str, task| scheme(text).grow_spec(task).unwrap_err().to_string();
        assert_eq!(
            refused("cart:criterion=mse", Task::Classification),
            "cart: criterion=mse is for regression, and the target here has classes; \
             choose gini, entropy or gain-ratio"
        );
        assert_eq!(
            refused("cart:criterion=gini", Task::Regression),
            "cart: criterion=gini is for classification, and the target here has numbers; choose mse or mae"
        );
        assert!(refused("cart:leaf=median", Task::Classification).contains("option leaf is for regression"));
        assert!(refused("cart:chi2=0.1", Task::Regression).contains("option chi2 is for classification"));
    }

    #[test]
    fn options_that_fit_no_target_are_refused_at_once() {
        assert!(
            problem("cart:cuts=3").contains("only with discretise=class-medians, and discretise is off here")
        );
        assert!(problem("id3:discretise=off,cuts=3").contains("only with discretise=class-medians"));
        assert!(
            problem("cart:guards").contains("only with criterion=gain-ratio, and criterion is gini here")
        );
        assert!(problem("c45:exhaustive=6").contains("only with nominal=subset"));
        assert_eq!(
            problem("cart:criterion=mse,chi2=0.1"),
            "cart: criterion=mse is for regression and option chi2 for classification; leave one out"
        );
        assert!(
            problem("cart:criterion=mse,discretise=median,threshold=midpoint")
                .contains("only with discretise=off")
        );
        assert!(problem("id3:stop-mse=1,cuts=2").contains("option cuts for classification"));
        assert!(scheme("id3:cuts=3").grow_spec(Task::Regression).is_err());
    }

    #[test]
    fn a_pruner_is_looked_up_among_the_pruners() {
        assert!(problem("cart/mld").starts_with("unknown pruner 'mld' (did you mean 'mdl'?)"));
        assert!(problem("cart/").contains("needs the name of a pruner"));
        assert!(problem("/mdl").contains("needs the name of a learner"));
        assert!(problem("").contains("the learners are cart, best-first, c45 and id3"));
    }

    #[test]
    fn the_registry_is_complete_and_unambiguous() {
        let mut ids: Vec<&str> = LEARNERS.iter().copied().chain(pruners()).map(|m| m.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), LEARNERS.len() + pruners().len());
        for method in LEARNERS.iter().copied().chain(pruners()) {
            assert!(!method.one_line.is_empty() && !method.paper.is_empty(), "{}", method.id);
            for param in method.params {
                assert!(!param.help.is_empty(), "{} {}", method.id, param.name);
            }
        }
    }
}
