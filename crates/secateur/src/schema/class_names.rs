//! Numbers that belong to classes meet a table or a tree by the names of its classes, never by their order.

use std::collections::HashMap;

use crate::error::{Error, Name, Result, shown, suggestion};

/// For every class its place among the names. `what` stands for the numbers in errors.
pub(super) fn places(what: &str, names: &[String], classes: &[String]) -> Result<Vec<usize>> {
    let known: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
    if let Some(other) = names.iter().find(|name| !classes.contains(name)) {
        return Err(no_class(what, other, classes));
    }
    let place = |class: &String| {
        known.get(class.as_str()).copied().ok_or_else(|| {
            Error::parameter(format!(
                "{what}: the class {} is missing; they are for {}",
                shown(class),
                listed(names)
            ))
        })
    };
    classes.iter().map(place).collect()
}

/// Refuses names that appear twice, and empty lists.
pub(super) fn check(what: &str, names: &[String]) -> Result<()> {
    if names.is_empty() {
        return Err(Error::parameter(format!("{what}: there are no classes")));
    }
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Error::parameter(format!("{what}: the class {} appears twice", shown(pair[0])))),
        None => Ok(()),
    }
}

/// The error about a name that is not a class.
pub(crate) fn no_class(what: &str, name: &str, classes: &[String]) -> Error {
    let meant = suggestion(name, classes.iter().map(String::as_str).take(1000));
    let problem =
        format!("{what}: there is no class {}{meant}; the classes are {}", shown(name), listed(classes));
    Error::unknown(Name::Class, name, problem)
}

fn listed(names: &[String]) -> String {
    let list: Vec<String> = names.iter().take(20).map(|name| shown(name)).collect();
    list.join(", ") + if names.len() > 20 { ", …" } else { "" }
}
