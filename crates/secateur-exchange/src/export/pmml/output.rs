//! The fields that are read off a PMML model: the leaf, label and probabilities, or the value.
//!
//! Probabilities come from a table by the leaf, because one evaluator divides those of a node by their sum once more, which changes last
//! bits.

use super::xml::{Attribute, Xml};
use super::{Names, exact, number};
use crate::export::Job;
use crate::export::said::said;

/// The most nodes for which there are tables.
const MOST_ENDS: usize = 20_000;
const CLASS: [Attribute; 2] = [("optype", "categorical"), ("dataType", "string")];
const NUMBER: [Attribute; 2] = [("optype", "continuous"), ("dataType", "double")];

/// How far probabilities may be from those of the tree.
pub(super) fn tolerance(ends: usize) -> f64 {
    if ends > MOST_ENDS { 1e-15 } else { 0.0 }
}

/// What the fields are made from.
pub(super) struct Output<'a> {
    pub(super) job: &'a Job<'a>,
    pub(super) names: &'a Names,
    /// The nodes at which rows end.
    pub(super) ends: &'a [usize],
    /// Whether rows in parts are answered by derived fields.
    pub(super) exact: bool,
}

impl Output<'_> {
    pub(super) fn write(&self, xml: &mut Xml) {
        let names = self.names;
        xml.begin("Output", &[]);
        xml.empty("OutputField", &[("name", &names.leaf), CLASS[0], CLASS[1], ("feature", "entityId")]);
        match self.job.tree().is_classifier() {
            true => {
                self.predicted(xml, &names.label, CLASS, |xml, own| {
                    exact::label(xml, names, self.job.classes(), own);
                });
                for place in 0..names.probabilities.len() {
                    self.probability(xml, place);
                }
            }
            false => self.predicted(xml, &names.value, NUMBER, |xml, own| {
                exact::sum(xml, names, 0, |xml| xml.empty("FieldRef", &[("field", own)]));
            }),
        }
        xml.end();
    }

    /// What the tree itself says, and for rows in parts something else.
    fn predicted(&self, xml: &mut Xml, name: &str, kind: [Attribute; 2], write: impl Fn(&mut Xml, &str)) {
        let own = self.names.of_tree(name);
        let feature = ("feature", "predictedValue");
        if !self.exact {
            return xml.empty("OutputField", &[("name", name), kind[0], kind[1], feature]);
        }
        xml.empty("OutputField", &[("name", &own), kind[0], kind[1], feature, ("isFinalResult", "false")]);
        xml.begin("OutputField", &[("name", name), kind[0], kind[1], ("feature", "transformedValue")]);
        write(xml, &own);
        xml.end();
    }

    fn probability(&self, xml: &mut Xml, place: usize) {
        let name = &self.names.probabilities[place];
        if self.ends.len() > MOST_ENDS {
            let class = &self.job.classes()[place];
            let feature = [("feature", "probability"), ("value", class)];
            return xml.empty("OutputField", &[("name", name), NUMBER[0], NUMBER[1], feature[0], feature[1]]);
        }
        xml.begin("OutputField", &[("name", name), NUMBER[0], NUMBER[1], ("feature", "transformedValue")]);
        match self.exact {
            true => exact::sum(xml, self.names, place, |xml| self.table(xml, place)),
            false => self.table(xml, place),
        }
        xml.end();
    }

    /// The probability of a class by the leaf.
    fn table(&self, xml: &mut Xml, place: usize) {
        xml.begin("MapValues", &[("outputColumn", "p"), ("dataType", "double")]);
        xml.empty("FieldColumnPair", &[("field", &self.names.leaf), ("column", "leaf")]);
        xml.begin("InlineTable", &[]);
        for &end in self.ends {
            xml.begin("row", &[]);
            xml.text("leaf", &[], &end.to_string());
            xml.text("p", &[], &number(said(self.job.tree(), end).numbers[place]));
            xml.end();
        }
        xml.end();
        xml.end();
    }
}
