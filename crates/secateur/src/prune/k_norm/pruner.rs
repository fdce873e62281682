//! k-norm as a pruner: its options, and which of its forms they ask for.

use crate::error::{Error, Result};
use crate::method::{CHOOSE_BY, CV, HOLDOUT, ONE_SE, SE};
use crate::method::{Choice, Exception, For, Law, MethodInfo, Needs, Options, ParamKind, ParamSpec};
use crate::prune::counted::COUNT;
use crate::prune::{Counted, Job, Parameter, PruneKind, Pruner, Spacing, Tried};
use crate::tree::Tree;

use super::path::{fall, probability_fall, risk_fall};
use super::risk::{MOST, has_one_price};
use super::{Lambda, cut, probability_cut};

/// k-norm pruning.
pub(crate) static PRUNER: Pruner = Pruner {
    info: MethodInfo {
        id: "k-norm",
        one_line: "cuts where the k-norm of the error rate, not just its mean, is no larger",
        paper: "Zhong: An analysis of misclassification rates for decision trees, 2007",
        params: &[
            ParamSpec::new(
                "k",
                ParamKind::Number { min: 1.0, open: false, max: f64::MAX },
                "the norm; larger cuts more (1: the mean)",
            )
            .default("2"),
            CV,
            HOLDOUT,
            ONE_SE,
            SE,
            CHOOSE_BY,
            ParamSpec::new(
                "lambda",
                ParamKind::POSITIVE,
                "prior count of every class; by heuristic when not given",
            ),
            ParamSpec::new(
                "lambda0",
                ParamKind::POSITIVE,
                "the heuristic's factor: lambda = lambda0 L / (J² N)",
            )
            .default("100"),
            ParamSpec::new("eta", ParamKind::POSITIVE, "prior count of every branch").default("0.5"),
            ParamSpec::new(
                "of",
                ParamKind::Choice(&[Choice::any("error"), Choice::any("probability")]),
                "the norm of the error rate, or (k even) of the class probabilities' errors",
            )
            .default("error"),
            COUNT,
        ],
        needs: Needs::Counts,
        exceptions: &[Exception::new(
            Law::OneMemberWithCosts,
            "a split may pay again at a larger k: the members of the path are pruned one from the other",
        )],
    },
    only: For::Classes,
    kind: PruneKind::Nested {
        parameter: Parameter { name: "k", spacing: Spacing::Geometric },
        tried: Tried::All(|job| if of_probabilities(job) { 2.0 } else { 1.0 }),
        fall: |job| {
            let rule = rule(job.counted(), job.options());
            Ok(match job.tree.costs() {
                _ if of_probabilities(job) => probability_fall(job.counted(), &rule),
                None => fall(job.counted(), &rule),
                Some(costs) => risk_fall(job.counted(), &rule, costs.matrix()),
            })
        },
        cut: Some(cut_at),
    },
};

fn of_probabilities(job: &Job) -> bool {
    job.word("of") == "probability"
}

/// The tree at one `k`.
fn cut_at(job: &Job, k: f64) -> Result<Vec<bool>> {
    let rule = rule(job.counted(), job.options());
    if of_probabilities(job) {
        // A number that is not whole is refused like an odd one.
        return probability_cut(job.counted(), &rule, if k.fract() == 0.0 { k as u32 } else { 0 });
    }
    let costs = job.tree.costs().map(|costs| costs.matrix());
    let classes = job.tree.class_weights(0).len();
    if k > MOST && costs.is_some_and(|costs| !has_one_price(costs, classes)) {
        return Err(Error::parameter(format!(
            "k-norm: k={k} is above {MOST}, the most there is where mistakes for one class have several costs"
        )));
    }
    Ok(cut(job.counted(), &rule, k, costs))
}

/// The prior counts that a pruner prunes a tree with, where its options have them; in rows.
pub(crate) fn prior_counts(tree: &Tree, options: &Options) -> Option<super::KNorm> {
    let has_them = ["lambda", "lambda0", "eta"].iter().all(|name| options.has(name));
    (has_them && tree.is_classifier()).then(|| rule(&tree.in_rows(), options))
}

/// The prior counts that the options ask for.
fn rule(tree: &Tree, options: &Options) -> super::KNorm {
    let lambda = match options.optional("lambda") {
        Some(lambda) => Lambda::Fixed(lambda),
        None => Lambda::Heuristic(options.number("lambda0")),
    };
    super::KNorm::new(tree, lambda, options.number("eta"))
}

/// What the norm is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum NormOf {
    /// The error rate.
    #[default]
    Error,
    /// The errors of the class probabilities.
    Probability,
}

words!(NormOf { Error = "error", Probability = "probability" });

typed_options! {
    /// Pruning by the k-norm of the error rate.
    KNorm of PRUNER {
        k "k": f64 = "the norm; larger cuts more (1: the mean)",
        ..SELECTORS,
        lambda "lambda": f64 = "prior count of every class; by heuristic when not given",
        lambda0 "lambda0": f64 = "the heuristic's factor: lambda = lambda0 L / (J² N)",
        eta "eta": f64 = "prior count of every branch",
        of "of": NormOf = "the norm of the error rate, or (k even) of the class probabilities' errors",
        count "count": Counted = "what counts as one row: a row of average weight; or weight 1, where a weight of 3 stands for three rows",
    }
}
