//! The options of a method for one task: every one as given, or by its default.
//!
//! A method asks for its options by name and by type. An option that is not in its table, or a value that it may lack (no
//! default) asked for as if it were always there, is a mistake in the method and not in its use: it ends the program, and the
//! tests that go over the registry find it.

use super::{Method, MethodInfo, ParamSpec, Value};
use crate::schema::Task;

/// See the module's description.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    info: &'static MethodInfo,
    task: Task,
    /// For every option of the table its value, and whether it was given.
    values: Vec<(Option<Value>, bool)>,
}

impl Method {
    /// The options for a task.
    ///
    /// ```
    /// use secateur::schema::Task;
    /// use secateur::scheme::Scheme;
    ///
    /// let scheme: Scheme = "cart/k-norm:eta=1".parse()?;
    /// let options = scheme.pruner.unwrap().options(Task::Classification);
    /// assert_eq!((options.number("eta"), options.number("k")), (1.0, 2.0));
    /// assert_eq!(options.optional("lambda"), None);
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn options(&self, task: Task) -> Options {
        let value = |spec: &ParamSpec| {
            let given = self.given.iter().any(|(known, _)| known.name == spec.name);
            (self.value(spec.name, task), given)
        };
        Options { info: self.info, task, values: self.info.params.iter().map(value).collect() }
    }
}

impl Options {
    /// What the method says of itself.
    pub fn info(&self) -> &'static MethodInfo {
        self.info
    }

    /// The task.
    pub fn task(&self) -> Task {
        self.task
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.info.params.iter().position(|spec| spec.name == name)
    }

    /// Whether the method has this option.
    pub fn has(&self, name: &str) -> bool {
        self.place(name).is_some()
    }

    /// Whether the method has this option and it was given.
    pub fn given(&self, name: &str) -> bool {
        self.place(name).is_some_and(|place| self.values[place].1)
    }

    fn value(&self, name: &str) -> Option<Value> {
        match self.place(name) {
            Some(place) => self.values[place].0,
            None => panic!("{} asks for an option {name} that its table does not have", self.info.id),
        }
    }

    /// A number that need not be given and has no default.
    pub fn optional(&self, name: &str) -> Option<f64> {
        self.value(name).map(|value| match value {
            Value::Number(x) => x,
            Value::Integer(n) => n as f64,
            Value::Word(_) | Value::Flag(_) => panic!("option {name} of {} is not a number", self.info.id),
        })
    }

    /// A number: as given, or the default.
    pub fn number(&self, name: &str) -> f64 {
        let number = self.optional(name);
        number.unwrap_or_else(|| panic!("option {name} of {} has no default", self.info.id))
    }

    /// Whether a flag is on.
    pub fn flag(&self, name: &str) -> bool {
        match self.value(name) {
            Some(Value::Flag(on)) => on,
            _ => panic!("option {name} of {} is not a flag with a default", self.info.id),
        }
    }

    /// The word that is chosen.
    pub fn word(&self, name: &str) -> &'static str {
        match self.value(name) {
            Some(Value::Word(word)) => word,
            _ => panic!("option {name} of {} is not a choice with a default", self.info.id),
        }
    }
}
