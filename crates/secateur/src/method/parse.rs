//! Reading options: every refusal says what is allowed and, for a misspelt name, what was perhaps meant.

use super::show::in_words;
use super::{Method, MethodInfo, ParamKind, ParamSpec, Value};
use crate::error::{Error, Result, shown, suggestion};

impl ParamKind {
    /// Reads a value; the error says what is allowed.
    pub(super) fn parse(&self, text: &str) -> Result<Value, String> {
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
            Self::Choice(_) | Self::OpenChoice(..) => match self.choices().iter().find(|c| c.name == text) {
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
}
