//! Reading options: every refusal says what is allowed and, for a misspelt name, what was perhaps meant.

use super::show::in_words;
use super::{Method, MethodInfo, MethodKind, ParamKind, ParamSpec, Value};
use crate::error::{Error, Name, Result, shown, suggestion};

impl ParamKind {
    /// Reads a value; the error says what is allowed.
    pub(super) fn parse(&self, text: &str) -> Result<Value, String> {
        let value = match *self {
            Self::Number { .. } => text.parse().ok().map(Value::Number),
            Self::Integer { .. } => text.parse().ok().map(Value::Integer),
            Self::Choice(_) | Self::OpenChoice(..) => {
                self.choices().iter().find(|c| c.name == text).map(|c| Value::Word(c.name))
            }
            Self::Flag if text == "on" => Some(Value::Flag(true)),
            Self::Flag => (text == "off").then_some(Value::Flag(false)),
        };
        value.and_then(|value| self.checked(value)).ok_or_else(|| {
            let is_choice = matches!(self, Self::Choice(_) | Self::OpenChoice(..));
            let meant = if is_choice { suggestion(text, self.words()) } else { String::new() };
            format!("{} is not {self}{meant}", shown(text))
        })
    }

    /// The value, if it is one of those allowed.
    fn checked(&self, value: Value) -> Option<Value> {
        match (*self, value) {
            (Self::Number { min, open, max }, Value::Number(x)) => {
                let is_allowed = x.is_finite() && (x > min || x == min && !open) && x <= max;
                is_allowed.then_some(Value::Number(x + 0.0)) // −0 becomes 0
            }
            (Self::Integer { min, max }, Value::Integer(x)) => (min..=max).contains(&x).then_some(value),
            (Self::Choice(_) | Self::OpenChoice(..), Value::Word(word)) => {
                self.choices().iter().any(|c| c.name == word).then_some(value)
            }
            (Self::Flag, Value::Flag(_)) => Some(value),
            _ => None,
        }
    }
}

impl Method {
    /// Reads `NAME[:option=value,...]` against a list of methods of a kind.
    pub fn parse(text: &str, kind: MethodKind, known: &[&'static MethodInfo]) -> Result<Self> {
        let (name, options) = match text.split_once(':') {
            Some((name, options)) => (name.trim(), Some(options)),
            None => (text.trim(), None),
        };
        let ids: Vec<&str> = known.iter().map(|m| m.id).collect();
        let Some(&info) = known.iter().find(|m| m.id == name) else {
            let list = if ids.is_empty() {
                format!("no {kind} is available in this version")
            } else {
                format!("the {kind}s are {}", in_words(&ids, "and"))
            };
            if name.is_empty() {
                return Err(Error::parameter(format!("a scheme needs the name of a {kind}; {list}")));
            }
            let meant = suggestion(name, ids.iter().copied());
            let problem = format!("unknown {kind} {}{meant}; {list}", shown(name));
            let taken_for = match kind {
                MethodKind::Learner => Name::Learner,
                MethodKind::Pruner => Name::Pruner,
            };
            return Err(Error::unknown(taken_for, name, problem));
        };
        let mut method = Self { info, given: Vec::new() };
        for option in options.into_iter().flat_map(|o| o.split(',')) {
            method.set(option, kind)?;
        }
        method.sort();
        Ok(method)
    }

    /// A method with values of its options, which are checked as if they were written down.
    pub fn with(info: &'static MethodInfo, kind: MethodKind, options: &[(&str, Value)]) -> Result<Self> {
        let mut method = Self { info, given: Vec::new() };
        for (name, value) in options {
            let spec = method.spec(name, kind)?;
            let checked = spec.kind.checked(*value).ok_or_else(|| format!("'{value}' is not {}", spec.kind));
            let value = checked.map_err(|problem| wrong(info, name, kind, &problem))?;
            method.given.push((spec, value));
        }
        method.sort();
        Ok(method)
    }

    /// Puts the options into the order of the table.
    fn sort(&mut self) {
        let params = self.info.params;
        self.given.sort_by_key(|(spec, _)| params.iter().position(|p| p.name == spec.name));
    }

    /// The option of this name, which was not given yet.
    fn spec(&self, name: &str, kind: MethodKind) -> Result<&'static ParamSpec> {
        let id = self.info.id;
        let Some(spec) = self.info.param(name) else {
            let names: Vec<&str> = self.info.params.iter().map(|p| p.name).collect();
            let list = match names.is_empty() {
                true => "it has no options".into(),
                false => format!("its options are {}", in_words(&names, "and")),
            };
            let meant = suggestion(name, names.iter().copied());
            let problem = format!("{kind} {id} has no option {}{meant}; {list}", shown(name));
            return Err(Error::unknown(Name::Option, name, problem));
        };
        if self.given.iter().any(|(known, _)| known.name == name) {
            return Err(Error::parameter(format!("{kind} {id}: option {name} is given twice")));
        }
        Ok(spec)
    }

    fn set(&mut self, option: &str, kind: MethodKind) -> Result<()> {
        let id = self.info.id;
        let (name, text) = match option.split_once('=') {
            Some((name, text)) => (name.trim(), Some(text.trim())),
            None => (option.trim(), None),
        };
        if name.is_empty() {
            return Err(Error::parameter(format!(
                "{kind} {id}: an option is empty; write {id}:option=value,option=value"
            )));
        }
        let spec = self.spec(name, kind)?;
        let value = match text {
            None if spec.kind == ParamKind::Flag => Value::Flag(true),
            None | Some("") => {
                return Err(Error::parameter(format!(
                    "{kind} {id}: option {name} needs a value: {name}=…, {}",
                    spec.kind
                )));
            }
            Some(text) => spec.kind.parse(text).map_err(|problem| wrong(self.info, name, kind, &problem))?,
        };
        self.given.push((spec, value));
        Ok(())
    }
}

/// The error about a value that an option cannot have.
fn wrong(info: &MethodInfo, option: &str, kind: MethodKind, problem: &str) -> Error {
    Error::parameter(format!("{kind} {}: option {option}: {problem}", info.id))
}
