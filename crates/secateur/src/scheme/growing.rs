//! What the options of a learner set in a [`GrowSpec`].

use super::leaf_options::OF_LEAVES;
use super::learners;
use crate::criterion::Criterion;
use crate::error::{Error, Result};
use crate::method::{Method, MethodInfo, Value};
use crate::schema::Task;
use crate::spec::{
    Count, Discretise, GrowSpec, LeafValue, MinLeafRule, MissingGain, NominalSplits, Order, ThresholdRule,
    Ties,
};

/// Learners with the defaults of their tables.
impl GrowSpec {
    /// CART: binary splits by Gini or squared error, grown to the end.
    pub fn cart(task: Task) -> Self {
        by_default(&learners::CART, task)
    }

    /// Best-first trees (Shi): as CART, but the node that gains most is split first; two rows in a leaf.
    pub fn best_first(task: Task) -> Self {
        by_default(&learners::BEST_FIRST, task)
    }

    /// C4.5: guarded gain ratio, one branch per nominal value, thresholds from the data.
    pub fn c45(task: Task) -> Self {
        by_default(&learners::C45, task)
    }

    /// ID3 as El-Khouri has it: plain gain ratio, one branch per value, numeric columns cut first.
    pub fn id3(task: Task) -> Self {
        by_default(&learners::ID3, task)
    }
}

fn by_default(learner: &'static MethodInfo, task: Task) -> GrowSpec {
    let mut spec = GrowSpec::unlimited(task);
    for param in learner.params {
        if let Some(value) = param.default_value(task) {
            set(&mut spec, param.name, value);
        }
    }
    spec
}

/// What a learner means for the grower: every option of its table, as given or by default. That they fit the task was checked
/// before.
pub(super) fn grow_spec(learner: &Method, task: Task) -> Result<GrowSpec> {
    let id = learner.info().id;
    let mut spec = GrowSpec::unlimited(task);
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
    use super::super::leaf_options::leaf_options;
    use super::*;
    use crate::method::{MethodKind, ParamKind, ParamSpec};
    use crate::scheme::LEARNERS;
    use crate::tree::LeafValues;

    fn method(text: &str) -> Method {
        Method::parse(text, MethodKind::Learner, LEARNERS).unwrap()
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
                    assert_eq!(grow_spec(&method, task).unwrap(), by_default(learner, task), "{options}");
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
    fn the_presets_are_the_learners_of_shi_quinlan_and_el_khouri() {
        let cart = GrowSpec::cart(Task::Classification);
        assert_eq!((cart.exhaustive, cart.min_leaf, cart.min_split, cart.min_gain), (4, 1.0, 2.0, 0.0));
        let best_first = GrowSpec { order: Order::BestFirst, min_leaf: 2.0, ..cart.clone() };
        assert_eq!(GrowSpec::best_first(Task::Classification), best_first);
        let c45 = GrowSpec {
            criterion: Criterion::GainRatio,
            guards: true,
            nominal: NominalSplits::Multiway,
            min_leaf: 2.0,
            threshold: ThresholdRule::DataValue,
            ..cart.clone()
        };
        assert_eq!(GrowSpec::c45(Task::Classification), c45);
        let (criterion, discretise) = (Criterion::GainRatio, Discretise::ClassMedians);
        let id3 = GrowSpec { criterion, nominal: NominalSplits::Multiway, discretise, ..cart };
        assert_eq!(GrowSpec::id3(Task::Classification), id3);
        let discretise = Discretise::Median;
        let id3 =
            GrowSpec { nominal: NominalSplits::Multiway, discretise, ..GrowSpec::cart(Task::Regression) };
        assert_eq!(GrowSpec::id3(Task::Regression), id3);
    }

    #[test]
    fn a_default_that_is_given_changes_nothing() {
        for learner in LEARNERS {
            for task in Task::ALL {
                let spec = by_default(learner, task);
                assert_eq!(grow_spec(&method(learner.id), task).unwrap(), spec);
                for param in of_growing(learner) {
                    let Some(value) = param.default_value(task) else { continue };
                    let mut given = spec.clone();
                    set(&mut given, param.name, value).unwrap();
                    assert_eq!(given, spec, "{} {} {task:?}", learner.id, param.name);
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
                // An option whose default follows from others counts beside one of them.
                let (base, default) = match param.default_with {
                    Some((others, text)) => {
                        let beside = method(&format!("{}:{}=4", learner.id, others[0]));
                        (grow_spec(&beside, Task::Classification).unwrap(), Some(text))
                    }
                    None => {
                        (by_default(learner, Task::Classification), param.default_for(Task::Classification))
                    }
                };
                let mut specs = vec![];
                for text in &texts {
                    let value = method(&format!("{}:{}={text}", learner.id, param.name)).given()[0].1;
                    let mut spec = base.clone();
                    set(&mut spec, param.name, value).unwrap();
                    assert_eq!(
                        spec == base,
                        default == Some(text.as_str()),
                        "{} {}={text}",
                        learner.id,
                        param.name
                    );
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
