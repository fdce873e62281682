//! Laws that every learner and pruner obeys, and the exceptions that a method declares with their reasons.
//!
//! The tests `pruners` and `learners` go over the registry and hold every method, with every value of every option, to every
//! law. A method that cannot obey one says so where it describes itself: in [`MethodInfo`](super::MethodInfo) when it never
//! does, in the [`ParamSpec`](super::ParamSpec) of an option when that option is the cause. An exception that is not needed
//! fails the tests too.

use std::fmt;

use super::Method;

/// What a method promises unless it declares an [`Exception`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Law {
    /// Pruning only turns nodes of the grown tree into leaves.
    Subtree,
    /// The member of a path at a parameter is the tree that is cut at this parameter alone.
    OneMember,
    /// The same where mistakes have different costs.
    OneMemberWithCosts,
    /// Pruning the pruned tree changes nothing.
    PruningAgain,
    /// A row of weight 3 equals three rows.
    RepeatedRows,
    /// Weights that are all multiplied by one number give the same splits.
    UnitOfWeights,
    /// Rows in another order give the same tree.
    OrderOfRows,
    /// Classes with other names, in another order, give the same splits.
    OrderOfClasses,
    /// Attributes in another order give the same splits where no two splits gain the same.
    OrderOfAttributes,
    /// Costs that are all multiplied by one number give the same splits.
    UnitOfCosts,
}

impl Law {
    /// All laws.
    pub const ALL: &'static [Self] = &[
        Self::Subtree,
        Self::OneMember,
        Self::OneMemberWithCosts,
        Self::PruningAgain,
        Self::RepeatedRows,
        Self::UnitOfWeights,
        Self::OrderOfRows,
        Self::OrderOfClasses,
        Self::OrderOfAttributes,
        Self::UnitOfCosts,
    ];

    /// Those that learners are held to as well: what they say is about growing, too.
    pub const OF_GROWTH: &'static [Self] = &[
        Self::RepeatedRows,
        Self::UnitOfWeights,
        Self::OrderOfRows,
        Self::OrderOfClasses,
        Self::OrderOfAttributes,
    ];
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Subtree => "pruning only turns nodes into leaves",
            Self::OneMember => "the member of a path at a parameter is the tree cut at it",
            Self::OneMemberWithCosts => {
                "with costs, the member of a path at a parameter is the tree cut at it"
            }
            Self::PruningAgain => "pruning again changes nothing",
            Self::RepeatedRows => "a row of weight 3 equals three rows",
            Self::UnitOfWeights => "the unit of weights does not matter",
            Self::OrderOfRows => "the order of rows does not matter",
            Self::OrderOfClasses => "names and order of classes do not matter",
            Self::OrderOfAttributes => "the order of attributes does not matter",
            Self::UnitOfCosts => "the unit of costs does not matter",
        })
    }
}

/// A law that a method, or a method with a certain option, does not obey, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exception {
    /// The law.
    pub law: Law,
    /// Of an option: the value of it that is the cause, given or by default. `None`: every value that is given but the default.
    pub value: Option<&'static str>,
    /// Why the law does not hold.
    pub reason: &'static str,
}

impl Exception {
    /// An exception with its reason.
    pub const fn new(law: Law, reason: &'static str) -> Self {
        Self { law, value: None, reason }
    }

    /// The same, of an option that is set to this value.
    pub const fn at(self, value: &'static str) -> Self {
        Self { value: Some(value), ..self }
    }
}

impl Method {
    /// The exceptions that the method, with the options it was given, declares for a law.
    pub fn exceptions(&self, law: Law) -> Vec<&'static Exception> {
        let by_option = self.info.params.iter().flat_map(|spec| {
            let given = self.given.iter().find(|(known, _)| known.name == spec.name);
            let given = given.map(|(_, value)| value.to_string());
            let defaults = [spec.default, spec.default_regression];
            let causes = move |e: &&Exception| match (&given, e.value) {
                (Some(given), Some(cause)) => given == cause,
                (None, Some(cause)) => defaults.contains(&Some(cause)),
                (Some(given), None) => !defaults.contains(&Some(given)),
                (None, None) => false,
            };
            spec.exceptions.iter().filter(causes)
        });
        self.info.exceptions.iter().chain(by_option).filter(|e| e.law == law).collect()
    }
}
