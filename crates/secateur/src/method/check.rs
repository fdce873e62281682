//! The check that every option given changes something for the target at hand.

use super::show::in_words;
use super::{Method, MethodInfo, Value, is_name};
use crate::error::{Error, Result};
use crate::schema::Task;

impl MethodInfo {
    /// Checks what a method says of itself: names that schemes can hold, each once, and defaults that are allowed.
    pub(crate) fn check_table(&self) -> Result<(), String> {
        if !is_name(self.id) {
            return Err("a name has letters, digits and hyphens only".into());
        }
        for (place, spec) in self.params.iter().enumerate() {
            let name = spec.name;
            if !is_name(name) {
                return Err(format!(
                    "the name of option '{name}' has other characters than letters, digits and hyphens"
                ));
            }
            if self.params[..place].iter().any(|before| before.name == name) {
                return Err(format!("its table has option '{name}' twice"));
            }
            for default in [spec.default, spec.default_regression].into_iter().flatten() {
                spec.kind
                    .parse(default)
                    .map_err(|problem| format!("the default of option '{name}': {problem}"))?;
            }
        }
        Ok(())
    }
}

impl Method {
    /// The first option given that is made for the other kind of target, and what to do about it.
    fn misfit(&self, task: Task) -> Option<(String, String)> {
        self.given.iter().find_map(|(spec, value)| {
            if !spec.only.fits(task) {
                return Some((format!("option {}", spec.name), "leave it out".into()));
            }
            let Value::Word(word) = value else { return None };
            let choices = spec.kind.choices();
            choices.iter().find(|c| c.name == *word && !c.only.fits(task))?;
            let fitting = choices.iter().filter(|c| c.only.fits(task));
            let words: Vec<&str> = fitting.map(|c| c.name).collect();
            Some((format!("{}={word}", spec.name), format!("choose {}", in_words(&words, "or"))))
        })
    }

    /// Checks that every option given changes something for this kind of target.
    pub fn check(&self, task: Task) -> Result<()> {
        let id = self.info.id;
        if let Some((what, instead)) = self.misfit(task) {
            return Err(Error::parameter(format!(
                "{id}: {what} is for {}, and the target here has {}; {instead}",
                task.other().name(),
                task.target()
            )));
        }
        for (spec, _) in &self.given {
            let Some((other, values)) = spec.requires else { continue };
            let actual = self.value(other, task);
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
        match (self.misfit(Task::Classification), self.misfit(Task::Regression)) {
            (Some((numbers, _)), Some((classes, _))) => Err(Error::parameter(format!(
                "{}: {numbers} is for regression and {classes} for classification; leave one out",
                self.info.id
            ))),
            (Some(_), None) => self.check(Task::Regression),
            (None, Some(_)) => self.check(Task::Classification),
            (None, None) => {
                let classes = self.check(Task::Classification);
                classes.or_else(|error| self.check(Task::Regression).map_err(|_| error))
            }
        }
    }
}
