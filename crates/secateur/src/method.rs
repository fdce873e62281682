//! How a method describes itself: its name, its paper, its options; and the one validator of options.
//!
//! Every learner and pruner has one [`MethodInfo`]. Scheme strings, `secateur schemes`, help texts
//! and the checks all come from it; nothing about an option is written down a second time.

use std::fmt;

use crate::error::{Error, Result, shown, suggestion};

/// The kind of target something is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum For {
    /// Classes and numbers.
    Both,
    /// Classification only.
    Classes,
    /// Regression only.
    Numbers,
}

impl For {
    /// Whether it fits a target.
    pub fn fits(self, regression: bool) -> bool {
        match self {
            Self::Both => true,
            Self::Classes => !regression,
            Self::Numbers => regression,
        }
    }
}

/// What a method reads beyond its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Needs {
    /// The counts kept in the tree, no rows.
    Counts,
    /// The training rows.
    TrainingRows,
    /// Rows held out from growing.
    HeldOutRows,
    /// Folds of the training rows.
    Folds,
}

impl fmt::Display for Needs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Counts => "counts of the tree",
            Self::TrainingRows => "training rows",
            Self::HeldOutRows => "held-out rows",
            Self::Folds => "folds",
        })
    }
}

/// One word an option can be set to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The word.
    pub name: &'static str,
    /// The targets it is made for.
    pub only: For,
}

impl Choice {
    /// A word for both kinds of target.
    pub const fn any(name: &'static str) -> Self {
        Self { name, only: For::Both }
    }

    /// A word for classification.
    pub const fn classes(name: &'static str) -> Self {
        Self { name, only: For::Classes }
    }

    /// A word for regression.
    pub const fn numbers(name: &'static str) -> Self {
        Self { name, only: For::Numbers }
    }
}

/// What an option can be set to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParamKind {
    /// A finite number.
    Number {
        /// The smallest number allowed, or with `open` the number all allowed ones are above.
        min: f64,
        /// Whether `min` itself is not allowed.
        open: bool,
        /// The largest number allowed.
        max: f64,
    },
    /// A whole number.
    Integer {
        /// The smallest allowed.
        min: u64,
        /// The largest allowed.
        max: u64,
    },
    /// One of a few words.
    Choice(&'static [Choice]),
    /// On or off; the bare name of the option means on.
    Flag,
}

impl ParamKind {
    /// A number of at least 0.
    pub const POSITIVE: Self = Self::Number { min: 0.0, open: false, max: f64::MAX };
    /// A number above 0 and at most 1.
    pub const SHARE: Self = Self::Number { min: 0.0, open: true, max: 1.0 };

    /// The words of a choice, or `on` and `off`; empty for numbers.
    pub fn words(&self) -> Vec<&'static str> {
        match self {
            Self::Choice(choices) => choices.iter().map(|c| c.name).collect(),
            Self::Flag => vec!["on", "off"],
            Self::Number { .. } | Self::Integer { .. } => Vec::new(),
        }
    }

    /// Reads a value; the error says what is allowed.
    fn parse(&self, text: &str) -> Result<Value, String> {
        let no = || format!("{} is not {self}", shown(text));
        match *self {
            Self::Number { min, open, max } => match text.parse::<f64>() {
                Ok(x) if x.is_finite() && (x > min || x == min && !open) && x <= max => {
                    Ok(Value::Number(x + 0.0)) // −0 becomes 0
                }
                _ => Err(no()),
            },
            Self::Integer { min, max } => match text.parse::<u64>() {
                Ok(x) if (min..=max).contains(&x) => Ok(Value::Integer(x)),
                _ => Err(no()),
            },
            Self::Choice(choices) => match choices.iter().find(|c| c.name == text) {
                Some(choice) => Ok(Value::Word(choice.name)),
                None => Err(no() + &suggestion(text, self.words())),
            },
            Self::Flag => match text {
                "on" => Ok(Value::Flag(true)),
                "off" => Ok(Value::Flag(false)),
                _ => Err(no()),
            },
        }
    }
}

impl fmt::Display for ParamKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Number { min, open, max } => {
                write!(f, "a number {} {min}", if open { "above" } else { "of at least" })?;
                if max < f64::MAX { write!(f, " and at most {max}") } else { Ok(()) }
            }
            Self::Integer { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Choice(_) | Self::Flag => f.write_str(&in_words(&self.words(), "or")),
        }
    }
}

/// One option of a method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParamSpec {
    /// Its name in scheme strings.
    pub name: &'static str,
    /// What it can be set to.
    pub kind: ParamKind,
    /// The value it has when it is not given; `None` when it then has no effect.
    pub default: Option<&'static str>,
    /// The same for regression, where it can be another.
    pub default_regression: Option<&'static str>,
    /// The targets for which it changes anything.
    pub only: For,
    /// The option, and the values of it, with which this one changes anything.
    pub requires: Option<(&'static str, &'static [&'static str])>,
    /// What it does, in a line.
    pub help: &'static str,
}

impl ParamSpec {
    /// An option without a default, for every target.
    pub const fn new(name: &'static str, kind: ParamKind, help: &'static str) -> Self {
        Self { name, kind, default: None, default_regression: None, only: For::Both, requires: None, help }
    }

    /// The same option with a default.
    pub const fn default(self, text: &'static str) -> Self {
        self.defaults(text, text)
    }

    /// The same option with a default for classification and one for regression.
    pub const fn defaults(self, classes: &'static str, numbers: &'static str) -> Self {
        Self { default: Some(classes), default_regression: Some(numbers), ..self }
    }

    /// The same option for one kind of target only.
    pub const fn only(self, only: For) -> Self {
        Self { only, ..self }
    }

    /// The same option, allowed only when `option` is one of `values`.
    pub const fn requires(self, option: &'static str, values: &'static [&'static str]) -> Self {
        Self { requires: Some((option, values)), ..self }
    }

    /// The default for a kind of target.
    pub fn default_for(&self, regression: bool) -> Option<&'static str> {
        if regression { self.default_regression } else { self.default }
    }
}

/// What a method says of itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MethodInfo {
    /// Its name in scheme strings.
    pub id: &'static str,
    /// What it does, in a line.
    pub one_line: &'static str,
    /// The paper it comes from.
    pub paper: &'static str,
    /// Its options, in the order in which they are printed.
    pub params: &'static [ParamSpec],
    /// What it reads.
    pub needs: Needs,
}

impl MethodInfo {
    /// The option with this name.
    pub fn param(&self, name: &str) -> Option<&'static ParamSpec> {
        self.params.iter().find(|p| p.name == name)
    }
}

/// The value of an option.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A whole number.
    Integer(u64),
    /// One of the words of a choice.
    Word(&'static str),
    /// On or off.
    Flag(bool),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(x) => write!(f, "{x}"),
            Self::Integer(x) => write!(f, "{x}"),
            Self::Word(word) => f.write_str(word),
            Self::Flag(on) => f.write_str(if *on { "on" } else { "off" }),
        }
    }
}

/// A method with the options it was given: one half of a scheme.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    info: &'static MethodInfo,
    given: Vec<(&'static ParamSpec, Value)>,
}

impl Method {
    /// Reads `NAME[:option=value,...]` against a list of methods; `what` is "learner" or "pruner".
    pub fn parse(text: &str, what: &str, known: &[&'static MethodInfo]) -> Result<Self> {
        let (name, options) = match text.split_once(':') {
            Some((name, options)) => (name.trim(), Some(options)),
            None => (text.trim(), None),
        };
        let ids: Vec<&str> = known.iter().map(|m| m.id).collect();
        let Some(&info) = known.iter().find(|m| m.id == name) else {
            let list = if ids.is_empty() {
                format!("no {what} is available in this version")
            } else {
                format!("the {what}s are {}", in_words(&ids, "and"))
            };
            return Err(Error::parameter(if name.is_empty() {
                format!("a scheme needs the name of a {what}; {list}")
            } else {
                format!("unknown {what} {}{}; {list}", shown(name), suggestion(name, ids.iter().copied()))
            }));
        };
        let mut method = Self { info, given: Vec::new() };
        for option in options.into_iter().flat_map(|o| o.split(',')) {
            method.set(option, what)?;
        }
        let place = |spec: &ParamSpec| info.params.iter().position(|p| p.name == spec.name);
        method.given.sort_by_key(|(spec, _)| place(spec));
        Ok(method)
    }

    fn set(&mut self, option: &str, what: &str) -> Result<()> {
        let id = self.info.id;
        let (name, text) = match option.split_once('=') {
            Some((name, text)) => (name.trim(), Some(text.trim())),
            None => (option.trim(), None),
        };
        if name.is_empty() {
            return Err(Error::parameter(format!(
                "{what} {id}: an option is empty; write {id}:option=value,option=value"
            )));
        }
        let Some(spec) = self.info.param(name) else {
            let names: Vec<&str> = self.info.params.iter().map(|p| p.name).collect();
            let list = match names.is_empty() {
                true => "it has no options".into(),
                false => format!("its options are {}", in_words(&names, "and")),
            };
            return Err(Error::parameter(format!(
                "{what} {id} has no option {}{}; {list}",
                shown(name),
                suggestion(name, names.iter().copied())
            )));
        };
        if self.given.iter().any(|(known, _)| known.name == name) {
            return Err(Error::parameter(format!("{what} {id}: option {name} is given twice")));
        }
        let value = match text {
            None if spec.kind == ParamKind::Flag => Value::Flag(true),
            None | Some("") => {
                return Err(Error::parameter(format!(
                    "{what} {id}: option {name} needs a value: {name}=…, {}",
                    spec.kind
                )));
            }
            Some(text) => spec
                .kind
                .parse(text)
                .map_err(|problem| Error::parameter(format!("{what} {id}: option {name}: {problem}")))?,
        };
        self.given.push((spec, value));
        Ok(())
    }

    /// What the method says of itself.
    pub fn info(&self) -> &'static MethodInfo {
        self.info
    }

    /// The options that were given, in the order of the method's table.
    pub fn given(&self) -> &[(&'static ParamSpec, Value)] {
        &self.given
    }

    /// The value of an option for a kind of target: as given, or the default; `None` when it has neither.
    pub fn value(&self, name: &str, regression: bool) -> Option<Value> {
        if let Some((_, value)) = self.given.iter().find(|(spec, _)| spec.name == name) {
            return Some(*value);
        }
        let spec = self.info.param(name)?;
        spec.kind.parse(spec.default_for(regression)?).ok()
    }

    /// The first option given that is made for the other kind of target, and what to do about it.
    fn misfit(&self, regression: bool) -> Option<(String, String)> {
        self.given.iter().find_map(|(spec, value)| {
            if !spec.only.fits(regression) {
                return Some((format!("option {}", spec.name), "leave it out".into()));
            }
            let (ParamKind::Choice(choices), Value::Word(word)) = (spec.kind, value) else { return None };
            choices.iter().find(|c| c.name == *word && !c.only.fits(regression))?;
            let fitting = choices.iter().filter(|c| c.only.fits(regression));
            let words: Vec<&str> = fitting.map(|c| c.name).collect();
            Some((format!("{}={word}", spec.name), format!("choose {}", in_words(&words, "or"))))
        })
    }

    /// Checks that every option given changes something for this kind of target.
    pub fn check(&self, regression: bool) -> Result<()> {
        let id = self.info.id;
        if let Some((what, instead)) = self.misfit(regression) {
            let (made_for, here) = match regression {
                true => ("classification", "numbers"),
                false => ("regression", "classes"),
            };
            return Err(Error::parameter(format!(
                "{id}: {what} is for {made_for}, and the target here has {here}; {instead}"
            )));
        }
        for (spec, _) in &self.given {
            let Some((other, values)) = spec.requires else { continue };
            let actual = self.value(other, regression);
            if !values.iter().any(|v| actual.is_some_and(|a| a.to_string() == *v)) {
                let is = actual.map_or("not given".into(), |a| a.to_string());
                return Err(Error::parameter(format!(
                    "{id}: option {} changes something only with {other}={}, and {other} is {is} here",
                    spec.name,
                    in_words(values, "or")
                )));
            }
        }
        Ok(())
    }

    /// Checks what can be checked before the target is known: that some kind of target fits.
    pub fn check_any(&self) -> Result<()> {
        match (self.misfit(false), self.misfit(true)) {
            (Some((numbers, _)), Some((classes, _))) => Err(Error::parameter(format!(
                "{}: {numbers} is for regression and {classes} for classification; leave one out",
                self.info.id
            ))),
            (Some(_), None) => self.check(true),
            (None, Some(_)) => self.check(false),
            (None, None) => self.check(false).or_else(|error| self.check(true).map_err(|_| error)),
        }
    }
}

/// The canonical form: options in the order of the table, without those that have their default anyway.
impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info.id)?;
        let mut separator = ':';
        for (spec, value) in &self.given {
            // A default that depends on the target says something when it is given: it stays.
            let plain = spec.default == spec.default_regression;
            let default = spec.default.and_then(|text| spec.kind.parse(text).ok());
            if plain && default == Some(*value) {
                continue;
            }
            match value {
                Value::Flag(true) => write!(f, "{separator}{}", spec.name)?,
                _ => write!(f, "{separator}{}={value}", spec.name)?,
            }
            separator = ',';
        }
        Ok(())
    }
}

/// `a, b and c`.
pub(crate) fn in_words(words: &[&str], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).into(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static TOY: MethodInfo = MethodInfo {
        id: "toy",
        one_line: "",
        paper: "",
        params: &[
            ParamSpec::new("cv", ParamKind::Integer { min: 2, max: 100 }, ""),
            ParamSpec::new("1se", ParamKind::Flag, "").default("off"),
            ParamSpec::new("cf", ParamKind::SHARE, "").default("0.25"),
            ParamSpec::new("kind", ParamKind::Choice(&[Choice::any("exact"), Choice::numbers("rough")]), "")
                .defaults("exact", "rough"),
            ParamSpec::new("fine", ParamKind::Flag, "").requires("kind", &["exact"]),
        ],
        needs: Needs::Counts,
    };

    fn toy(text: &str) -> Result<Method> {
        Method::parse(text, "pruner", &[&TOY])
    }

    fn problem(text: &str) -> String {
        toy(text).unwrap_err().to_string()
    }

    #[test]
    fn a_flag_may_stand_bare_and_is_printed_bare() {
        assert_eq!(toy("toy:1se").unwrap().value("1se", false), Some(Value::Flag(true)));
        assert_eq!(toy("toy:1se=on,cv=10").unwrap().to_string(), "toy:cv=10,1se");
        assert_eq!(toy("toy:1se=off").unwrap().to_string(), "toy");
        assert_eq!(
            problem("toy:cv"),
            "pruner toy: option cv needs a value: cv=…, a whole number from 2 to 100"
        );
    }

    #[test]
    fn a_default_is_not_printed_unless_it_depends_on_the_target() {
        assert_eq!(toy("toy:cf=0.250").unwrap().to_string(), "toy");
        assert_eq!(toy("toy:kind=exact,cf=.5").unwrap().to_string(), "toy:cf=0.5,kind=exact");
    }

    #[test]
    fn a_value_outside_its_range_is_answered_with_the_range() {
        for bad in ["0", "-0", "1.01", "NaN", "inf", "-inf", "1e999", "x", "0.2 0.3", "1;2"] {
            assert_eq!(
                problem(&format!("toy:cf={bad}")),
                format!("pruner toy: option cf: '{bad}' is not a number above 0 and at most 1")
            );
        }
        for bad in ["1", "101", "-3", "2.5", "99999999999999999999999"] {
            assert!(
                problem(&format!("toy:cv={bad}")).ends_with("is not a whole number from 2 to 100"),
                "{bad}"
            );
        }
        assert_eq!(
            problem("toy:kind=exat"),
            "pruner toy: option kind: 'exat' is not exact or rough (did you mean 'exact'?)"
        );
    }

    #[test]
    fn options_that_would_change_nothing_are_refused() {
        assert!(toy("toy:fine").unwrap().check(false).is_ok());
        assert_eq!(
            toy("toy:fine").unwrap().check(true).unwrap_err().to_string(),
            "toy: option fine changes something only with kind=exact, and kind is rough here"
        );
        assert_eq!(
            toy("toy:kind=rough").unwrap().check(false).unwrap_err().to_string(),
            "toy: kind=rough is for regression, and the target here has classes; choose exact"
        );
    }

    #[test]
    fn names_are_checked_with_a_suggestion_and_the_list() {
        assert_eq!(problem("tou"), "unknown pruner 'tou' (did you mean 'toy'?); the pruners are toy");
        assert!(
            problem("toy:vc=3")
                .starts_with("pruner toy has no option 'vc' (did you mean 'cv'?); its options are")
        );
        assert_eq!(problem("toy:cv=3,cv=4"), "pruner toy: option cv is given twice");
        assert!(problem("toy:").contains("an option is empty"));
        assert!(problem("toy:cv=3,").contains("an option is empty"));
        assert!(problem("toy:=3").contains("an option is empty"));
        assert!(problem(":cv=3").contains("needs the name of a pruner"));
        assert_eq!(
            Method::parse("x", "pruner", &[]).unwrap_err().to_string(),
            "unknown pruner 'x'; no pruner is available in this version"
        );
    }
}
