//! What the leaves of a PMML tree say: counts, probabilities, or a class or number alone.

use secateur::error::shown;

use super::elements::{Elements, Place};
use crate::import::Problem;
use crate::import::draft::{Draft, Says, agree};

/// The leaves that were met.
pub(super) struct Leaves {
    is_classes: bool,
    classes: Vec<String>,
    /// Whether the classes are those of the data dictionary.
    is_complete: bool,
    list: Vec<Leaf>,
}

struct Leaf {
    node: usize,
    line: usize,
    weight: Option<f64>,
    score: Option<String>,
    /// Class, count and probability.
    distribution: Vec<Share>,
}

type Share = (usize, Option<f64>, Option<f64>);

impl Leaves {
    pub(super) fn new(is_classes: bool, classes: Vec<String>) -> Self {
        Self { is_classes, is_complete: !classes.is_empty(), classes, list: Vec::new() }
    }

    fn class(&mut self, name: &str) -> Option<usize> {
        let known = self.classes.iter().position(|class| class == name);
        if known.is_none() && !self.is_complete {
            self.classes.push(name.to_string());
            return Some(self.classes.len() - 1);
        }
        known
    }

    /// What an inner node says, in a file of this program: its weight and its counts.
    pub(super) fn inner(
        &mut self,
        elements: &Elements,
        element: Place,
        node: usize,
        draft: &mut Draft,
    ) -> Result<(), Problem> {
        let mut counts = vec![0.0; self.classes.len()];
        for place in elements.all(element, "ScoreDistribution") {
            let class = self.class(elements.need(place, "value")?);
            if let (Some(class), Some(count)) = (class, elements.number(place, "recordCount")?)
                && let Some(own) = counts.get_mut(class)
            {
                *own = count;
            }
        }
        if let Some(weight) = elements.number(element, "recordCount")? {
            draft.weight(node, weight);
        }
        if self.is_classes {
            draft.says(node, Says::Counts(counts));
        }
        Ok(())
    }

    /// What a node says, for a leaf of the draft.
    pub(super) fn add(&mut self, elements: &Elements, element: Place, node: usize) -> Result<(), Problem> {
        let mut distribution = Vec::new();
        let unknown = |place: Place, name: &str| {
            elements.wrong(place, format!("{} is not a class of the target", shown(name)))
        };
        for place in elements.all(element, "ScoreDistribution") {
            let name = elements.need(place, "value")?;
            let class = self.class(name).ok_or_else(|| unknown(place, name))?;
            distribution.push((
                class,
                elements.number(place, "recordCount")?,
                elements.number(place, "probability")?,
            ));
        }
        let score = elements.get(element, "score").map(String::from);
        if let (true, Some(score)) = (self.is_classes, &score) {
            self.class(score).ok_or_else(|| unknown(element, score))?;
        }
        let weight = elements.number(element, "recordCount")?;
        self.list.push(Leaf { node, line: elements.line(element), weight, score, distribution });
        Ok(())
    }

    /// Puts what the leaves say into the draft; gives the classes and notes. Where labels are chosen by costs, they need not be
    /// those of the largest counts. Where the draft has the means and errors of all nodes, the scores of the leaves follow from them.
    pub(super) fn finish(
        self,
        draft: &mut Draft,
        has_costs: bool,
        has_numbers: bool,
    ) -> Result<(Vec<String>, Vec<String>), Problem> {
        let mut notes = Vec::new();
        if !self.is_classes {
            draft.has_counts = has_numbers;
            for leaf in self.list {
                if let Some(weight) = leaf.weight {
                    draft.weight(leaf.node, weight);
                }
                if has_numbers {
                    continue;
                }
                let value = leaf
                    .score
                    .as_ref()
                    .and_then(|score| score.trim().parse::<f64>().ok())
                    .filter(|x| x.is_finite());
                let value =
                    value.ok_or_else(|| Problem::at(leaf.line, "the leaf's score is not a number"))?;
                draft.says(leaf.node, Says::Number(value, None));
            }
            return Ok((Vec::new(), notes));
        }
        let alone = self.list.iter().filter(|leaf| leaf.distribution.is_empty()).count();
        if alone > 0 {
            notes
                .push(format!("{alone} leaves have a class and no distribution: its probability is 1 there"));
        }
        for leaf in &self.list {
            self.one(draft, leaf, has_costs)?;
        }
        Ok((self.classes, notes))
    }

    fn one(&self, draft: &mut Draft, leaf: &Leaf, has_costs: bool) -> Result<(), Problem> {
        let width = self.classes.len();
        let label =
            leaf.score.as_ref().and_then(|score| self.classes.iter().position(|class| class == score));
        if let Some(weight) = leaf.weight {
            draft.weight(leaf.node, weight);
        }
        let list = |of: fn(&Share) -> Option<f64>| -> Option<Vec<f64>> {
            let mut all = vec![0.0; width];
            for entry in &leaf.distribution {
                all[entry.0] += of(entry).filter(|x| *x >= 0.0)?;
            }
            (all.iter().sum::<f64>() > 0.0).then_some(all)
        };
        let (counts, probabilities) = (list(|entry| entry.1), list(|entry| entry.2));
        let mut shares = match (&counts, &probabilities) {
            (Some(counts), Some(said)) if is_alike(counts, said) || has_costs => counts.clone(),
            (_, Some(said)) => {
                // What is said is not what was counted.
                draft.has_counts &= counts.is_none() && leaf.weight == Some(0.0);
                said.clone()
            }
            (Some(counts), None) => counts.clone(),
            (None, None) => {
                draft.has_counts &= leaf.weight == Some(0.0);
                let label = label.ok_or_else(|| Problem::at(leaf.line, "the leaf has no class"))?;
                (0..width).map(|class| f64::from(class == label)).collect()
            }
        };
        if let Some(label) = label.filter(|_| !has_costs)
            && !agree(&mut shares, label)
        {
            let class = shown(&self.classes[label]);
            return Err(Problem::at(
                leaf.line,
                format!(
                    "the node says {class}, though another class has more rows; labels chosen by costs cannot be taken over"
                ),
            ));
        }
        let is_counted = counts.as_ref() == Some(&shares)
            && leaf.weight.is_none_or(|weight| weight == shares.iter().sum::<f64>());
        draft.says(leaf.node, if is_counted { Says::Counts(shares) } else { Says::Shares(shares) });
        Ok(())
    }
}

/// Whether probabilities are the shares of counts.
fn is_alike(counts: &[f64], said: &[f64]) -> bool {
    let all: f64 = counts.iter().sum();
    counts.iter().zip(said).all(|(count, said)| (count / all - said).abs() <= 1e-9)
}
