//! Every setting of every method, from what the registry says of its options.

use std::collections::HashSet;

use secateur::method::{MethodInfo, ParamKind, ParamSpec};
use secateur::prune::Pruner;
use secateur::schema::Task;
use secateur::scheme::{LEARNERS, Scheme};

/// Values of an option: its ends where they are of use, and some between them.
fn values(kind: &ParamKind) -> Vec<String> {
    let mut values: Vec<String> = match *kind {
        ParamKind::Number { min, open, max } => {
            let inside = |x: &f64| (*x > min || *x == min && !open) && *x <= max;
            let least = if open { min + 0.01 * (max - min).min(1.0) } else { min };
            let most = if max <= 100.0 { max } else { least };
            [least, 0.05, 0.3, 4.0, most].iter().filter(|x| inside(x)).map(f64::to_string).collect()
        }
        ParamKind::Integer { min, max } => {
            [min, 3, 7].iter().filter(|x| (min..=max).contains(x)).map(u64::to_string).collect()
        }
        ParamKind::Choice(_) | ParamKind::OpenChoice(..) | ParamKind::Flag => {
            kind.words().into_iter().map(String::from).collect()
        }
    };
    values.dedup();
    values
}

/// Options with values that none of these schemes has. (Defaults are tried wherever the option is left out.)
pub fn never_given<'a>(
    methods: impl Iterator<Item = &'static MethodInfo>,
    schemes: impl Iterator<Item = &'a Scheme>,
) -> Vec<String> {
    let text = |id: &str, option: &str, value: &str| format!("{id}:{option}={value}");
    let all_of = |info: &'static MethodInfo| {
        let values = |p: &'static ParamSpec| {
            let other = |v: &String| ![p.default, p.default_regression].contains(&Some(v));
            values(&p.kind).into_iter().filter(other).map(|v| text(info.id, p.name, &v))
        };
        info.params.iter().flat_map(values).collect::<Vec<_>>()
    };
    let given: HashSet<String> = schemes
        .flat_map(|scheme| std::iter::once(&scheme.learner).chain(&scheme.pruner))
        .flat_map(|m| m.given().iter().map(|(p, v)| text(m.info().id, p.name, &v.to_string())))
        .collect();
    methods.flat_map(all_of).filter(|option| !given.contains(option)).collect()
}

/// Every option of a method with every value, as `option=value`, after the option it needs; with the option's name.
fn options(info: &MethodInfo, task: Task) -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    for param in info.params {
        let needs = param.requires.map_or(String::new(), |(other, values)| {
            let default = info.param(other).and_then(|p| p.default_for(task));
            let is_so = values.iter().any(|v| Some(*v) == default);
            if is_so { String::new() } else { format!("{other}={},", values[0]) }
        });
        let choices = param.kind.choices();
        let beside = |value: &str| choices.iter().find(|c| c.name == value).and_then(|c| c.beside);
        all.extend(values(&param.kind).iter().map(|value| {
            let beside = beside(value).map_or(String::new(), |other| format!("{other},"));
            (param.name, format!("{needs}{beside}{}={value}", param.name))
        }));
    }
    all
}

/// A method alone and with every value of every option.
pub fn settings(info: &MethodInfo, task: Task) -> Vec<String> {
    let with = options(info, task).into_iter().map(|(_, option)| format!("{}:{option}", info.id));
    std::iter::once(info.id.to_string()).chain(with).collect()
}

/// The same for a pruner; where it is a path, every other option also with folds and with held-out rows to choose by (there
/// numbers with one value).
pub fn pruner_settings(pruner: &Pruner, task: Task) -> Vec<String> {
    let id = pruner.info.id;
    let mut texts = settings(&pruner.info, task);
    let Some(own) = pruner.parameter() else { return texts };
    for selector in ["cv=3", "holdout=0.3"] {
        texts.push(format!("{id}:{selector}"));
        let others = options(&pruner.info, task).into_iter();
        let others = others.filter(|(name, _)| ![own.name, "cv", "holdout"].contains(name));
        let one = |(name, option): &(&str, String)| {
            let is_number = pruner.info.param(name).unwrap().kind.words().is_empty();
            !is_number || selector == "cv=3" || option.ends_with("=0.3") || option.ends_with("=3")
        };
        texts.extend(others.filter(one).map(|(_, option)| format!("{id}:{selector},{option}")));
    }
    texts
}

/// The schemes among these texts that fit the target, each once.
fn legal(texts: impl Iterator<Item = String>, task: Task) -> Vec<Scheme> {
    let mut known = HashSet::new();
    let schemes = texts.filter_map(|text| text.parse::<Scheme>().ok());
    let schemes = schemes.filter(|scheme| scheme.check(task).is_ok());
    schemes.filter(|scheme| known.insert(scheme.to_string())).collect()
}

/// A learner's text with more options, except for those it has already.
fn also(text: &str, options: &[&str]) -> String {
    let mut text = text.to_string();
    for option in options {
        let name = option.split('=').next().unwrap();
        if !text.contains(&format!("{name}=")) {
            text += &format!("{}{option}", if text.contains(':') { ',' } else { ':' });
        }
    }
    text
}

/// Every setting of every pruner for this kind of target, each with one learner: `turn` says which comes first. The learner
/// gets these options.
pub fn all_pruners(task: Task, turn: usize, options: &[&str]) -> Vec<Scheme> {
    let made_for = super::outside::pruners().into_iter().filter(|p| p.only.fits(task));
    let settings = made_for.flat_map(|p| pruner_settings(p, task)).enumerate();
    let text = |(i, pruner): (usize, String)| {
        format!("{}/{pruner}", also(LEARNERS[(i + turn) % LEARNERS.len()].id, options))
    };
    legal(settings.map(text), task)
}

/// Every setting of every learner for this kind of target, with these options.
pub fn all_learners(task: Task, options: &[&str]) -> Vec<Scheme> {
    let settings = LEARNERS.iter().flat_map(|info| settings(info, task));
    legal(settings.map(|text| also(&text, options)), task)
}
