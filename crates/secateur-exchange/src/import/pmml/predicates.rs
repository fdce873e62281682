//! The predicates of a node's children as one split.
//!
//! Children are asked in order and the first that is true takes the row. So a set of children is one split where all ask for the same
//! field: numbers are divided at thresholds, values by sets; `True` takes what is left.

use secateur::error::shown;

use super::elements::{Elements, Place};
use crate::import::Problem;

/// What a child asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Asks {
    /// Numbers from one on, below another.
    Numbers { field: String, from: f64, below: f64 },
    /// One of these values.
    Among { field: String, values: Vec<String> },
    /// None of these values.
    NoneOf { field: String, values: Vec<String> },
    /// No value.
    Missing { field: String },
    /// Some value.
    Known { field: String },
    /// Nothing: it takes every row.
    Anything,
}

impl Asks {
    /// The field that is asked for.
    pub(super) fn field(&self) -> Option<&str> {
        match self {
            Self::Numbers { field, .. }
            | Self::Among { field, .. }
            | Self::NoneOf { field, .. }
            | Self::Missing { field }
            | Self::Known { field } => Some(field),
            Self::Anything => None,
        }
    }
}

/// Reads the predicates of nodes; knows which fields are numbers.
pub(super) struct Predicates<'a> {
    pub(super) elements: &'a Elements,
    pub(super) is_numeric: &'a dyn Fn(&str) -> Option<bool>,
    /// Whether a predicate with surrogates was met, of which the first is taken.
    pub(super) has_surrogates: bool,
}

impl Predicates<'_> {
    /// What a node asks for.
    pub(super) fn of(&mut self, node: Place) -> Result<Asks, Problem> {
        let names = ["SimplePredicate", "SimpleSetPredicate", "CompoundPredicate", "True", "False"];
        let own = self
            .elements
            .children(node)
            .iter()
            .copied()
            .find(|&child| names.contains(&self.elements.name(child)));
        let own = own.ok_or_else(|| self.elements.wrong(node, "the node has no predicate"))?;
        self.predicate(own)
    }

    fn predicate(&mut self, place: Place) -> Result<Asks, Problem> {
        let elements = self.elements;
        match elements.name(place) {
            "True" => Ok(Asks::Anything),
            "SimplePredicate" => self.simple(place),
            "SimpleSetPredicate" => self.set(place),
            "CompoundPredicate" => self.compound(place, true),
            other => Err(elements.wrong(place, format!("<{other}> cannot be taken over"))),
        }
    }

    fn is_numeric(&self, place: Place, field: &str) -> Result<bool, Problem> {
        (self.is_numeric)(field).ok_or_else(|| {
            self.elements.wrong(
                place,
                format!(
                    "the field {} is not in the data dictionary; derived fields cannot be taken over",
                    shown(field)
                ),
            )
        })
    }

    fn simple(&self, place: Place) -> Result<Asks, Problem> {
        let elements = self.elements;
        let field = elements.need(place, "field")?.to_string();
        let operator = elements.need(place, "operator")?;
        match operator {
            "isMissing" => return Ok(Asks::Missing { field }),
            "isNotMissing" => return Ok(Asks::Known { field }),
            _ => {}
        }
        if !self.is_numeric(place, &field)? {
            let values = vec![elements.need(place, "value")?.to_string()];
            return match operator {
                "equal" => Ok(Asks::Among { field, values }),
                "notEqual" => Ok(Asks::NoneOf { field, values }),
                other => Err(elements.wrong(
                    place,
                    format!("{} holds values from a list; they cannot be {other}", shown(&field)),
                )),
            };
        }
        let value = elements
            .number(place, "value")?
            .ok_or_else(|| elements.wrong(place, "the predicate has no value"))?;
        let (from, below) = match operator {
            "lessThan" => (f64::NEG_INFINITY, value),
            "lessOrEqual" => (f64::NEG_INFINITY, value.next_up()),
            "greaterThan" => (value.next_up(), f64::INFINITY),
            "greaterOrEqual" => (value, f64::INFINITY),
            "equal" => (value, value.next_up()),
            other => {
                return Err(elements.wrong(place, format!("numbers that are {other} cannot be taken over")));
            }
        };
        Ok(Asks::Numbers { field, from, below })
    }

    fn set(&self, place: Place) -> Result<Asks, Problem> {
        let elements = self.elements;
        let field = elements.need(place, "field")?.to_string();
        let array =
            elements.first(place, "Array").ok_or_else(|| elements.wrong(place, "the set has no <Array>"))?;
        let values = array_values(elements.text(array));
        if self.is_numeric(place, &field)? {
            return Err(
                elements.wrong(place, format!("sets of numbers ({}) cannot be taken over", shown(&field)))
            );
        }
        match elements.need(place, "booleanOperator")? {
            "isIn" => Ok(Asks::Among { field, values }),
            "isNotIn" => Ok(Asks::NoneOf { field, values }),
            other => {
                Err(elements.wrong(place, format!("the set is {}; expected isIn or isNotIn", shown(other))))
            }
        }
    }

    fn compound(&mut self, place: Place, may_have_surrogates: bool) -> Result<Asks, Problem> {
        let elements = self.elements;
        let operator = elements.need(place, "booleanOperator")?;
        let children: Vec<Place> = elements
            .children(place)
            .iter()
            .copied()
            .filter(|&child| elements.name(child) != "Extension")
            .collect();
        let Some((&first, rest)) = children.split_first() else {
            return Err(elements.wrong(place, "the compound predicate is empty"));
        };
        if operator == "surrogate" && may_have_surrogates {
            self.has_surrogates = true;
            return match elements.name(first) {
                "CompoundPredicate" => self.compound(first, false),
                _ => self.predicate(first),
            };
        }
        let simple = |own: &Self, child: Place| match elements.name(child) {
            "CompoundPredicate" => {
                Err(elements.wrong(child, "compound predicates inside each other cannot be taken over"))
            }
            "SimplePredicate" => own.simple(child),
            "SimpleSetPredicate" => own.set(child),
            "True" => Ok(Asks::Anything),
            other => Err(elements.wrong(child, format!("<{other}> cannot be taken over"))),
        };
        let mut joined = simple(self, first)?;
        for &child in rest {
            let next = simple(self, child)?;
            joined = join(joined, next, operator).ok_or_else(|| {
                elements.wrong(
                    place,
                    format!(
                        "this {} of predicates cannot be taken over: it is not a test of one field",
                        shown(operator)
                    ),
                )
            })?;
        }
        Ok(joined)
    }
}

/// Two predicates as one, where that is a test of one field.
fn join(a: Asks, b: Asks, operator: &str) -> Option<Asks> {
    match (operator, a, b) {
        ("and", Asks::Anything, other) | ("and", other, Asks::Anything) => Some(other),
        ("and", Asks::Known { field: a }, other) | ("and", other, Asks::Known { field: a })
            if other.field() == Some(&a) =>
        {
            Some(other)
        }
        ("and", Asks::Numbers { field, from, below }, Asks::Numbers { field: other, from: f, below: b })
            if field == other =>
        {
            Some(Asks::Numbers { field, from: from.max(f), below: below.min(b) })
        }
        ("or", Asks::Among { field, mut values }, Asks::Among { field: other, values: more })
            if field == other =>
        {
            values.extend(more);
            Some(Asks::Among { field, values })
        }
        ("and", Asks::NoneOf { field, mut values }, Asks::NoneOf { field: other, values: more })
            if field == other =>
        {
            values.extend(more);
            Some(Asks::NoneOf { field, values })
        }
        _ => None,
    }
}

/// The values of an array: words, or texts in quotes with backslashes before quotes in them.
pub(super) fn array_values(text: &str) -> Vec<String> {
    let mut values = Vec::new();
    let mut chars = text.trim().chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_whitespace() {
            continue;
        }
        let mut value = String::new();
        if c == '"' {
            while let Some(c) = chars.next() {
                match c {
                    '\\' if chars.peek() == Some(&'"') => value.extend(chars.next()),
                    '"' => break,
                    c => value.push(c),
                }
            }
        } else {
            value.push(c);
            while let Some(c) = chars.next_if(|c| !c.is_whitespace()) {
                value.push(c);
            }
        }
        values.push(value);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_words_and_quoted_texts() {
        assert_eq!(array_values(r#" a  "b c" "d\"e" "" "#), ["a", "b c", "d\"e", ""]);
    }
}
