//! The options of the learners, with the defaults of each, and what they set in a [`GrowSpec`].

use crate::criterion::Criterion;
use crate::error::{Error, Result};
use crate::method::{Choice, Exception, For, Law, Method, MethodInfo, Needs, ParamKind, ParamSpec, Value};
use crate::schema::Task;
use crate::spec::{
    Count, Discretise, GrowSpec, LeafValue, MinLeafRule, MissingGain, NominalSplits, Order, ThresholdRule,
    Ties,
};
use crate::tree::LeafValues;

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

/// The defaults in which the learners differ; a pair is for classes and for numbers.
struct Preset {
    criterion: (&'static str, &'static str),
    guards: &'static str,
    nominal: &'static str,
    order: &'static str,
    min_leaf: &'static str,
    threshold: &'static str,
    discretise: (&'static str, &'static str),
}

static CART_OPTIONS: [ParamSpec; 29] = options(&Preset {
    criterion: ("gini", "mse"),
    guards: "off",
    nominal: "subset",
    order: "depth-first",
    min_leaf: "1",
    threshold: "midpoint",
    discretise: ("off", "off"),
});

static BEST_FIRST_OPTIONS: [ParamSpec; 29] = options(&Preset {
    criterion: ("gini", "mse"),
    guards: "off",
    nominal: "subset",
    order: "best-first",
    min_leaf: "2",
    threshold: "midpoint",
    discretise: ("off", "off"),
});

static C45_OPTIONS: [ParamSpec; 29] = options(&Preset {
    criterion: ("gain-ratio", "mse"),
    guards: "on",
    nominal: "multiway",
    order: "depth-first",
    min_leaf: "2",
    threshold: "data-value",
    discretise: ("off", "off"),
});

static ID3_OPTIONS: [ParamSpec; 29] = options(&Preset {
    criterion: ("gain-ratio", "mse"),
    guards: "off",
    nominal: "multiway",
    order: "depth-first",
    min_leaf: "1",
    threshold: "midpoint",
    discretise: ("class-medians", "median"),
});

const LIMITS_COUNT_ROWS: Exception = Exception::new(
    Law::RepeatedRows,
    "min-leaf, min-split, guards and chi2 count rows, whatever these weigh",
);
const LIMITS_COUNT_WEIGHT: Exception =
    Exception::new(Law::UnitOfWeights, "min-leaf and min-split are weights").at("weight");
const LEAVES_COUNT_ROWS: Exception =
    Exception::new(Law::UnitOfWeights, "a row, m and λ are weights: a heavier row is more evidence");
const LAST_BIT: &str = "thresholds of one attribute are compared to the last bit of their gains";
const ROUNDED_GAINS_TIE: Exception =
    Exception::new(Law::OrderOfAttributes, "rounded gains are often equal: the first attribute is taken");
const CLEAN_SPLITS_TIE: Exception = Exception::new(
    Law::OrderOfAttributes,
    "the gain ratio is 1 wherever branches divide the classes cleanly: the first such attribute is taken",
)
.at("gain-ratio");
const FIRST_BRANCH: Exception = Exception::new(
    Law::OrderOfClasses,
    "depth-first growth begins with the first branch; which of two subsets comes first follows the classes",
);
const EQUAL_VALUES: Exception = Exception::new(
    Law::OrderOfClasses,
    "values with equal shares of the classes keep their order; where only min-leaf makes a cut between them the \
     best, it falls on the side of the first class",
);

/// The options of every learner: one table, as long as there are options.
const fn options(preset: &Preset) -> [ParamSpec; 29] {
    const COUNT: ParamKind = ParamKind::Integer { min: 0, max: u32::MAX as u64 };
    [
        ParamSpec::new(
            "criterion",
            ParamKind::OpenChoice(
                const {
                    &[
                        Choice::classes("gini"),
                        Choice::classes("entropy"),
                        Choice::classes("gain-ratio"),
                        Choice::numbers("mse"),
                        Choice::numbers("mae"),
                    ]
                },
                &crate::criterion::NAMES,
            ),
            "the impurity a split lowers",
        )
        .defaults(preset.criterion.0, preset.criterion.1)
        .except(const { &[CLEAN_SPLITS_TIE] }),
        ParamSpec::new("guards", ParamKind::Flag, "C4.5's corrections of the gain ratio")
            .default(preset.guards)
            .only(For::Classes)
            .requires("criterion", &["gain-ratio"]),
        ParamSpec::new(
            "nominal",
            ParamKind::Choice(const { &[Choice::any("multiway"), Choice::any("subset")] }),
            "nominal splits: a branch per value, or two subsets of the values",
        )
        .default(preset.nominal),
        ParamSpec::new(
            "value-guard",
            ParamKind::Flag,
            "nominal attributes compete with what they gain beyond chance, which grows with the number of their values",
        )
        .default("off"),
        ParamSpec::new(
            "exhaustive",
            ParamKind::Integer { min: 0, max: 20 },
            "with three or more classes: try all subsets of up to this many values",
        )
        .default("4")
        .only(For::Classes)
        .requires("nominal", &["subset"]),
        ParamSpec::new(
            "order",
            ParamKind::Choice(
                const {
                    &[
                        Choice::any("depth-first"),
                        Choice::any("breadth-first"),
                        Choice::any("best-first"),
                        Choice::any("best-first-weighted"),
                    ]
                },
            ),
            "which node is split next",
        )
        .default(preset.order),
        ParamSpec::new(
            "ties",
            ParamKind::Choice(const { &[Choice::any("oldest"), Choice::any("newest")] }),
            "of waiting nodes that gain the same, the one made first is split first, or the one made last",
        )
        .default("oldest")
        .requires("order", &["best-first", "best-first-weighted"]),
        ParamSpec::new("min-leaf", ParamKind::POSITIVE, "the rows a branch must have, whatever they weigh")
            .default(preset.min_leaf)
            .except(const { &[EQUAL_VALUES] }),
        ParamSpec::new(
            "min-leaf-rule",
            ParamKind::Choice(const { &[Choice::any("point"), Choice::any("node")] }),
            "too small a branch: take the next best split, or make the node a leaf",
        )
        .default("point"),
        ParamSpec::new(
            "count",
            ParamKind::Choice(
                const {
                    &[
                        Choice::any("shares"),
                        Choice::any("weight"),
                        Choice::any("rows"),
                        Choice::any("leaf-rows"),
                    ]
                },
            ),
            "what min-leaf and min-split count: rows, parts of them by their shares; weight; or every part as a row \
             (in leaves only), with min-leaf-rule=node",
        )
        .default("shares")
        .except(
            const { &[LIMITS_COUNT_ROWS.at("shares"), LIMITS_COUNT_ROWS.at("rows"), LIMITS_COUNT_ROWS.at("leaf-rows"), LIMITS_COUNT_WEIGHT] },
        ),
        ParamSpec::new("min-split", ParamKind::POSITIVE, "the rows a node must have to be split, whatever they weigh")
            .default("2"),
        ParamSpec::new("min-gain", ParamKind::POSITIVE, "a split must gain more than this").default("0"),
        ParamSpec::new(
            "gain-decimals",
            ParamKind::Integer { min: 1, max: 11 },
            "round gains to so many decimals before attributes are compared; within one, the last bit decides",
        )
        .except(const { &[Exception::new(Law::UnitOfWeights, LAST_BIT), Exception::new(Law::RepeatedRows, LAST_BIT), ROUNDED_GAINS_TIE] }),
        ParamSpec::new(
            "missing",
            ParamKind::Choice(
                const { &[Choice::any("known"), Choice::classes("spread"), Choice::any("branch")] },
            ),
            "rows without a value go down every branch, and the gain is that of the known rows times their share, or that of \
             branches over which the others are spread; or they go to a branch, which is chosen with the split",
        )
        .default("known"),
        ParamSpec::new("max-depth", COUNT, "splits on a path, at most"),
        ParamSpec::new(
            "max-leaves",
            ParamKind::Integer { min: 1, max: u32::MAX as u64 },
            "leaves of the tree, at most",
        )
        .except(const { &[FIRST_BRANCH] }),
        ParamSpec::new("max-splits", COUNT, "splits of the tree, at most").except(const { &[FIRST_BRANCH] }),
        ParamSpec::new("chi2", ParamKind::SHARE, "a split must be significant at this level")
            .only(For::Classes),
        ParamSpec::new("stop-mse", ParamKind::POSITIVE, "split only nodes with a larger squared error")
            .only(For::Numbers),
        ParamSpec::new(
            "threshold",
            ParamKind::Choice(const { &[Choice::any("midpoint"), Choice::any("data-value")] }),
            "a test is x < the middle of two values, or x ≤ the largest training value up to the middle (C4.5)",
        )
        .default(preset.threshold)
        .requires("discretise", &["off"]),
        ParamSpec::new(
            "threshold-decimals",
            ParamKind::Integer { min: 0, max: 15 },
            "round thresholds to so many decimals; rows follow the rounded threshold",
        )
        .requires("threshold", &["midpoint"]),
        ParamSpec::new(
            "leaf",
            ParamKind::Choice(const { &[Choice::any("mean"), Choice::any("median")] }),
            "what a leaf predicts",
        )
        .default("mean")
        .only(For::Numbers),
        ParamSpec::new(
            "bins",
            ParamKind::Integer { min: 2, max: 65_534 },
            "cut numeric columns with more values into so many bins of equal size: faster on very large tables",
        )
        .requires("discretise", &["off"]),
        ParamSpec::new(
            "discretise",
            ParamKind::Choice(
                const { &[Choice::any("off"), Choice::any("median"), Choice::classes("class-medians")] },
            ),
            "cut numeric columns into a few intervals before growing",
        )
        .defaults(preset.discretise.0, preset.discretise.1),
        ParamSpec::new(
            "cuts",
            ParamKind::Integer { min: 1, max: u32::MAX as u64 },
            "cuts per column, at most, after merging neighbours",
        )
        .only(For::Classes)
        .requires("discretise", &["class-medians"]),
        ParamSpec::new(
            "leaf-values",
            ParamKind::Choice(
                const {
                    &[
                        Choice::any("raw"),
                        Choice::classes("laplace"),
                        Choice::any("m"),
                        Choice::any("shrink"),
                    ]
                },
            ),
            "what a leaf says: what was counted; a row more of every class; leaf-m rows more as at the root; or each \
             step from the root shrunk by leaf-lambda",
        )
        .default("raw")
        .except(const { &[LEAVES_COUNT_ROWS.at("laplace"), LEAVES_COUNT_ROWS.at("m"), LEAVES_COUNT_ROWS.at("shrink")] }),
        ParamSpec::new(
            "leaf-m",
            ParamKind::Number { min: 0.0, open: true, max: LeafValues::LARGEST },
            "the rows that the root adds to every leaf",
        )
        .default("2")
        .requires("leaf-values", &["m"]),
        ParamSpec::new(
            "leaf-lambda",
            ParamKind::Number { min: 0.0, open: false, max: LeafValues::LARGEST },
            "a step from a node of weight n is divided by 1 + leaf-lambda / n; not given: the best for the rows that choose the \
             pruning, else 10",
        )
        .requires("leaf-values", &["shrink"]),
        ParamSpec::new(
            "leaf-cv",
            ParamKind::Integer { min: 2, max: u32::MAX as u64 },
            "choose leaf-lambda by so many folds where the pruner chooses by none",
        )
        .requires("leaf-values", &["shrink"]),
    ]
}

/// The options that say nothing of growing: trees with and without them are the same up to what leaves say.
pub(super) const OF_LEAVES: [&str; 4] = ["leaf-values", "leaf-m", "leaf-lambda", "leaf-cv"];

/// What the options of a learner say of leaf values; whether rows choose is not known here.
pub(super) struct LeafOptions {
    /// The values, with the usual λ where none is given.
    pub values: LeafValues,
    /// Whether λ is left to rows to choose.
    pub is_open: bool,
    /// The folds to choose it by.
    pub folds: Option<usize>,
}

/// The leaf options of a learner: as given or by default.
pub(super) fn leaf_options(learner: &Method, task: Task) -> Result<LeafOptions> {
    let options = learner.options(task);
    let (lambda, folds) = (options.optional("leaf-lambda"), options.optional("leaf-cv"));
    if lambda.is_some() && folds.is_some() {
        return Err(Error::parameter(format!(
            "{}: leaf-lambda and leaf-cv contradict each other; give one",
            learner.info().id
        )));
    }
    let values = match options.word("leaf-values") {
        "laplace" => LeafValues::Laplace,
        "m" => LeafValues::M(options.number("leaf-m")),
        "shrink" => LeafValues::Shrink(lambda.unwrap_or(LeafValues::USUAL_LAMBDA)),
        _ => LeafValues::Raw,
    };
    let is_open = values.name() == "shrink" && lambda.is_none();
    Ok(LeafOptions { values, is_open, folds: folds.map(|folds| folds as usize) })
}

/// What a learner means for the grower: every option of its table, as given or by default. That they fit the task was checked
/// before.
pub(super) fn grow_spec(learner: &Method, task: Task) -> Result<GrowSpec> {
    let id = learner.info().id;
    let mut spec = GrowSpec::cart(task);
    for param in learner.info().params.iter().filter(|param| !OF_LEAVES.contains(&param.name)) {
        let Some(value) = learner.value(param.name, task) else { continue };
        set(&mut spec, param.name, value)
            .ok_or_else(|| Error::parameter(format!("learner {id}: option {} has no effect", param.name)))?;
    }
    if let (Criterion::Own(own), Some(_)) = (spec.criterion, spec.gain_decimals) {
        let name = own.name();
        return Err(Error::parameter(format!(
            "{id}: gain-decimals is for the criteria of the library, and criterion is {name} here"
        )));
    }
    Ok(spec)
}

/// Sets one option; `None` when the table above offers something this function does not know.
fn set(spec: &mut GrowSpec, name: &str, value: Value) -> Option<()> {
    match (name, value) {
        ("criterion", Value::Word(word)) => {
            spec.criterion = Criterion::of(word)?;
        }
        ("guards", Value::Flag(on)) => spec.guards = on,
        ("nominal", Value::Word("multiway")) => spec.nominal = NominalSplits::Multiway,
        ("nominal", Value::Word("subset")) => spec.nominal = NominalSplits::Subset,
        ("value-guard", Value::Flag(on)) => spec.value_guard = on,
        ("exhaustive", Value::Integer(n)) => spec.exhaustive = usize::try_from(n).ok()?,
        ("order", Value::Word("depth-first")) => spec.order = Order::DepthFirst,
        ("order", Value::Word("breadth-first")) => spec.order = Order::BreadthFirst,
        ("order", Value::Word("best-first")) => spec.order = Order::BestFirst,
        ("order", Value::Word("best-first-weighted")) => spec.order = Order::BestFirstWeighted,
        ("ties", Value::Word("oldest")) => spec.ties = Ties::Oldest,
        ("ties", Value::Word("newest")) => spec.ties = Ties::Newest,
        ("min-leaf", Value::Number(x)) => spec.min_leaf = x,
        ("min-leaf-rule", Value::Word("point")) => spec.min_leaf_rule = MinLeafRule::Point,
        ("min-leaf-rule", Value::Word("node")) => spec.min_leaf_rule = MinLeafRule::Node,
        ("count", Value::Word("shares")) => spec.count = Count::Shares,
        ("count", Value::Word("weight")) => spec.count = Count::Weight,
        ("count", Value::Word("rows")) => spec.count = Count::Rows,
        ("count", Value::Word("leaf-rows")) => spec.count = Count::LeafRows,
        ("missing", Value::Word("known")) => spec.missing = MissingGain::Known,
        ("missing", Value::Word("spread")) => spec.missing = MissingGain::Spread,
        ("missing", Value::Word("branch")) => spec.missing = MissingGain::Branch,
        ("min-split", Value::Number(x)) => spec.min_split = x,
        ("min-gain", Value::Number(x)) => spec.min_gain = x,
        ("gain-decimals", Value::Integer(n)) => spec.gain_decimals = Some(u32::try_from(n).ok()?),
        ("threshold-decimals", Value::Integer(n)) => spec.threshold_decimals = Some(u32::try_from(n).ok()?),
        ("max-depth", Value::Integer(n)) => spec.max_depth = Some(usize::try_from(n).ok()?),
        ("max-leaves", Value::Integer(n)) => spec.max_leaves = Some(usize::try_from(n).ok()?),
        ("max-splits", Value::Integer(n)) => spec.max_splits = Some(usize::try_from(n).ok()?),
        ("chi2", Value::Number(x)) => spec.chi2 = Some(x),
        ("stop-mse", Value::Number(x)) => spec.stop_mse = Some(x),
        ("threshold", Value::Word("midpoint")) => spec.threshold = ThresholdRule::Midpoint,
        ("threshold", Value::Word("data-value")) => spec.threshold = ThresholdRule::DataValue,
        ("leaf", Value::Word("mean")) => spec.leaf = LeafValue::Mean,
        ("leaf", Value::Word("median")) => spec.leaf = LeafValue::Median,
        ("discretise", Value::Word("off")) => spec.discretise = Discretise::Off,
        ("discretise", Value::Word("median")) => spec.discretise = Discretise::Median,
        ("discretise", Value::Word("class-medians")) => spec.discretise = Discretise::ClassMedians,
        ("bins", Value::Integer(n)) => spec.bins = Some(usize::try_from(n).ok()?),
        ("cuts", Value::Integer(n)) => spec.cuts = Some(usize::try_from(n).ok()?),
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheme::LEARNERS;

    fn preset(id: &str, task: Task) -> GrowSpec {
        match id {
            "cart" => GrowSpec::cart(task),
            "best-first" => GrowSpec::best_first(task),
            "c45" => GrowSpec::c45(task),
            _ => GrowSpec::id3(task),
        }
    }

    fn method(text: &str) -> Method {
        Method::parse(text, "learner", LEARNERS).unwrap()
    }

    fn of_growing(learner: &MethodInfo) -> impl Iterator<Item = &'static ParamSpec> {
        learner.params.iter().filter(|param| !OF_LEAVES.contains(&param.name))
    }

    #[test]
    fn options_of_leaves_change_what_leaves_say_and_not_how_trees_grow() {
        for learner in LEARNERS {
            for task in Task::ALL {
                let of = |options: &str| {
                    let method = method(&format!("{}{options}", learner.id));
                    assert_eq!(grow_spec(&method, task).unwrap(), preset(learner.id, task), "{options}");
                    leaf_options(&method, task).map(|found| (found.values, found.is_open, found.folds))
                };
                let m = LeafValues::M;
                let shrink = LeafValues::Shrink;
                for (options, found) in [
                    ("", (LeafValues::Raw, false, None)),
                    (":leaf-values=m", (m(LeafValues::USUAL_M), false, None)),
                    (":leaf-values=m,leaf-m=0.5", (m(0.5), false, None)),
                    (":leaf-values=shrink", (shrink(LeafValues::USUAL_LAMBDA), true, None)),
                    (":leaf-values=shrink,leaf-lambda=0", (shrink(0.0), false, None)),
                    (":leaf-values=shrink,leaf-cv=5", (shrink(LeafValues::USUAL_LAMBDA), true, Some(5))),
                ] {
                    assert_eq!(of(options).unwrap(), found, "{options}");
                }
                assert!(of(":leaf-values=shrink,leaf-lambda=1,leaf-cv=5").is_err());
            }
        }
    }

    #[test]
    fn the_defaults_of_the_table_are_those_of_the_presets() {
        for learner in LEARNERS {
            for task in Task::ALL {
                let preset = preset(learner.id, task);
                assert_eq!(grow_spec(&method(learner.id), task).unwrap(), preset);
                for param in of_growing(learner) {
                    let Some(default) = param.default_for(task) else { continue };
                    let given = method(&format!("{}:{}={default}", learner.id, param.name));
                    let mut spec = preset.clone();
                    // Guards say nothing of regression, whatever the preset has there.
                    if param.only.fits(task) {
                        set(&mut spec, param.name, given.given()[0].1).unwrap();
                    }
                    assert_eq!(spec, preset, "{} {} {task:?}", learner.id, param.name);
                }
            }
        }
    }

    #[test]
    fn every_value_of_every_option_changes_the_growing() {
        for learner in LEARNERS {
            for param in of_growing(learner) {
                let texts: Vec<String> = match param.kind {
                    ParamKind::Number { .. } => vec!["0.5".into()],
                    ParamKind::Integer { .. } => vec!["7".into()],
                    ParamKind::Choice(_) | ParamKind::OpenChoice(..) | ParamKind::Flag => {
                        param.kind.words().into_iter().map(String::from).collect()
                    }
                };
                let mut specs = vec![];
                for text in &texts {
                    let value = method(&format!("{}:{}={text}", learner.id, param.name)).given()[0].1;
                    let mut spec = preset(learner.id, Task::Classification);
                    set(&mut spec, param.name, value).unwrap();
                    if param.default_for(Task::Classification) != Some(text) {
                        assert_ne!(
                            spec,
                            preset(learner.id, Task::Classification),
                            "{} {}={text}",
                            learner.id,
                            param.name
                        );
                    }
                    assert!(!specs.contains(&spec), "{} {}={text}", learner.id, param.name);
                    specs.push(spec);
                }
            }
        }
    }

    #[test]
    fn an_option_names_only_options_of_its_own_table() {
        for learner in LEARNERS {
            for param in learner.params {
                let Some((other, values)) = param.requires else { continue };
                let words = learner.param(other).unwrap().kind.words();
                assert!(values.iter().all(|v| words.contains(v)), "{} {}", learner.id, param.name);
            }
        }
    }
}
