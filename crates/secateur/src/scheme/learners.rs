//! The learners, with the defaults in which they differ.

use super::learner_options::{Preset, options};
use crate::method::{MethodInfo, Needs, ParamSpec};

/// CART.
pub(super) static CART: MethodInfo = MethodInfo {
    id: "cart",
    one_line: "binary splits by Gini or squared error, grown to the end",
    paper: "Breiman, Friedman, Olshen and Stone: Classification and Regression Trees, 1984",
    params: &CART_OPTIONS,
    needs: Needs::TrainingRows,
    exceptions: &[],
};

/// Best-first trees.
pub(super) static BEST_FIRST: MethodInfo = MethodInfo {
    id: "best-first",
    one_line: "binary splits, the node that gains most is split first",
    paper: "Shi: Best-first Decision Tree Learning, 2007",
    params: &BEST_FIRST_OPTIONS,
    needs: Needs::TrainingRows,
    exceptions: &[],
};

/// C4.5.
pub(super) static C45: MethodInfo = MethodInfo {
    id: "c45",
    one_line: "guarded gain ratio, one branch per nominal value",
    paper: "Quinlan: C4.5: Programs for Machine Learning, 1993, with the changes of release 8, 1996",
    params: &C45_OPTIONS,
    needs: Needs::TrainingRows,
    exceptions: &[],
};

/// ID3.
pub(super) static ID3: MethodInfo = MethodInfo {
    id: "id3",
    one_line: "plain gain ratio, one branch per value, numeric columns cut first",
    paper: "Quinlan: Induction of Decision Trees, 1986; cuts and gain ratio after El-Khouri",
    params: &ID3_OPTIONS,
    needs: Needs::TrainingRows,
    exceptions: &[],
};
static CART_OPTIONS: [ParamSpec; 29] = options(&Preset {
    criterion: ("gini", "mse"),
    guards: "off",
    nominal: "subset",
    order: None,
    min_leaf: "1",
    threshold: "midpoint",
    discretise: ("off", "off"),
});

static BEST_FIRST_OPTIONS: [ParamSpec; 29] = options(&Preset {
    criterion: ("gini", "mse"),
    guards: "off",
    nominal: "subset",
    order: Some("best-first"),
    min_leaf: "2",
    threshold: "midpoint",
    discretise: ("off", "off"),
});

static C45_OPTIONS: [ParamSpec; 29] = options(&Preset {
    criterion: ("gain-ratio", "mse"),
    guards: "on",
    nominal: "multiway",
    order: None,
    min_leaf: "2",
    threshold: "data-value",
    discretise: ("off", "off"),
});

static ID3_OPTIONS: [ParamSpec; 29] = options(&Preset {
    criterion: ("gain-ratio", "mse"),
    guards: "off",
    nominal: "multiway",
    order: None,
    min_leaf: "1",
    threshold: "midpoint",
    discretise: ("class-medians", "median"),
});
