//! The line that says whose results follow in a result file, and whether they are those of an experiment.

use serde_json::{Value, json};

use super::data_set::of_folds;
use super::journal::Section;
use super::measures::SetsAsked;
use super::{Experiment, Named, Protocol, Record};
use crate::error::shown;

/// The version of the format.
const VERSION: u64 = 2;

impl Experiment {
    /// What the file says of the experiment with some of its schemes; results of another one are not mixed in.
    pub(super) fn header(&self, schemes: &[&Named]) -> Value {
        let schemes: Vec<_> = schemes.iter().map(|named| described(named)).collect();
        let datasets: Vec<_> = self
            .datasets
            .iter()
            .map(|d| match d.fingerprint {
                Some(print) => json!({"name": d.name, "fingerprint": format!("{print:016x}")}),
                None => json!(d.name),
            })
            .collect();
        let protocol = match &self.protocol {
            Protocol::Given(folds) => {
                json!({"name": "given", "folds": folds.len(), "fingerprint": format!("{:016x}", of_folds(folds))})
            }
            other => serde_json::to_value(other).unwrap_or_default(),
        };
        let mut header = json!({"secateur": "results", "version": VERSION, "seed": self.seed, "protocol": protocol,
               "shares": self.shares, "all_parts": self.all_parts, "datasets": datasets, "schemes": schemes});
        // Only where they are asked for: files without them stay what they were.
        if let (Some(SetsAsked { level, aside }), Some(header)) = (self.details.sets, header.as_object_mut())
        {
            header.insert("sets".into(), json!({"level": level, "aside": aside}));
        }
        header
    }

    /// The places of a section's schemes among those of this experiment, or why it does not belong to it. `known` are the places of
    /// the sections before.
    pub(super) fn resumes(&self, there: &Value, known: Vec<usize>) -> Result<Vec<usize>, String> {
        let mut found = Vec::new();
        let here = self.header(&[]);
        for key in ["version", "seed", "protocol", "shares", "all_parts", "sets"] {
            differences(key, &there[key], &here[key], &mut found);
        }
        data_sets(&there["datasets"], &here["datasets"], &mut found);
        let mut places = Vec::new();
        for scheme in there["schemes"].as_array().map_or(&[][..], Vec::as_slice) {
            let name = scheme["name"].as_str().unwrap_or_default();
            match self.schemes.iter().position(|own| own.name == name) {
                None => found.push(format!(
                    "the file has results of the scheme {} too, which is not asked for here",
                    shown(name)
                )),
                Some(place) if known.contains(&place) || places.contains(&place) => {
                    found.push(format!("the scheme {} appears twice", shown(name)));
                }
                Some(place) => {
                    let what = format!("the scheme {}", shown(name));
                    differences(&what, scheme, &described(&self.schemes[place]), &mut found);
                    places.push(place);
                }
            }
        }
        if places.is_empty() && found.is_empty() {
            found.push("there is no scheme".into());
        }
        if found.is_empty() {
            return Ok(places);
        }
        Err(format!("the file holds the results of another experiment: {}", found.join("; ")))
    }

    /// Whether a record is the next one of a section.
    pub(super) fn comes_next(&self, section: &Section, record: &Record) -> bool {
        let (per_set, schemes) = (self.protocol.count(), section.schemes.len());
        let size = self.shares.len() * schemes;
        let (unit, within) = (section.records.len() / size, section.records.len() % size);
        self.datasets.get(unit / per_set).is_some_and(|set| set.name == record.dataset)
            && self.schemes[section.schemes[within % schemes]].name == record.scheme
            && self.shares[within / schemes] == record.share
            && self.protocol.place(unit % per_set) == (record.repeat, record.fold)
    }
}

/// A scheme in a header.
fn described(named: &Named) -> Value {
    json!({"name": named.name, "scheme": named.scheme.to_string(), "sees_test_rows": named.sees_test_rows})
}

/// Says where two values differ.
fn differences(what: &str, there: &Value, here: &Value, found: &mut Vec<String>) {
    if let (Value::Object(a), Value::Object(b)) = (there, here) {
        let new = b.keys().filter(|key| !a.contains_key(*key));
        for key in a.keys().chain(new) {
            differences(&format!("{key} of {what}"), &there[key], &here[key], found);
        }
    } else if there != here {
        found.push(format!("{what} is {} in the file and {} here", in_words(there), in_words(here)));
    }
}

/// Says which data sets differ, and whether by name or by their rows.
fn data_sets(there: &Value, here: &Value, found: &mut Vec<String>) {
    let list = |sets: &Value| sets.as_array().cloned().unwrap_or_default();
    let name = |set: &Value| set.get("name").unwrap_or(set).as_str().unwrap_or_default().to_string();
    let (there, here) = (list(there), list(here));
    let names = |sets: &[Value]| sets.iter().map(|set| shown(&name(set))).collect::<Vec<_>>().join(", ");
    if names(&there) != names(&here) {
        found.push(format!("the data sets are {} in the file and {} here", names(&there), names(&here)));
        return;
    }
    for (a, _) in there.iter().zip(&here).filter(|(a, b)| a != b) {
        found.push(format!("{} has other rows, columns, weights or costs here", shown(&name(a))));
    }
}

fn in_words(value: &Value) -> String {
    match value {
        Value::Null => "not there".into(),
        Value::String(text) => shown(text),
        other => other.to_string(),
    }
}
