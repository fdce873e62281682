//! The nodes of a PMML tree on their way into a draft: a node and the predicates of its children become a split.

use secateur::error::shown;

use super::Missing;
use super::elements::{Elements, Place};
use super::extensions::Extensions;
use super::leaves::Leaves;
use super::predicates::{Asks, Predicates};
use crate::import::Problem;
use crate::import::draft::{Draft, DraftKind, Says, Split};

/// The nodes on their way into a draft.
pub(super) struct Walk<'a> {
    pub(super) elements: &'a Elements,
    pub(super) predicates: Predicates<'a>,
    pub(super) missing: Missing,
    pub(super) leaves: Leaves,
    pub(super) draft: &'a mut Draft,
    pub(super) extensions: &'a Extensions,
}

/// A child with what it asks for.
struct Branch {
    element: Place,
    asks: Asks,
}

impl Walk<'_> {
    /// All nodes, from the root on.
    pub(super) fn all(&mut self, root: Place) -> Result<(), Problem> {
        let mut waiting = vec![(root, 0)];
        while let Some((element, node)) = waiting.pop() {
            let number = self.elements.get(element, "id").and_then(|id| id.parse::<usize>().ok());
            if let Some(rows) = number.and_then(|number| self.extensions.rows.get(number)) {
                self.draft.rows(node, *rows);
            }
            if let Some((mean, mse)) = number.and_then(|number| self.extensions.numbers(number)) {
                self.draft.says(node, Says::Number(mean, Some(mse)));
            }
            let children: Vec<Place> = self.elements.all(element, "Node").collect();
            let mut branches = Vec::new();
            for element in children {
                branches.push(Branch { element, asks: self.predicates.of(element)? });
            }
            // A node whose only child takes every row is that child.
            if let [Branch { element, asks: Asks::Anything }] = &branches[..] {
                waiting.push((*element, node));
                continue;
            }
            if branches.is_empty() {
                self.leaves.add(self.elements, element, node)?;
                continue;
            }
            if self.draft.keeps_inner {
                self.leaves.inner(self.elements, element, node, self.draft)?;
            }
            waiting.extend(self.split(element, node, branches)?);
        }
        Ok(())
    }

    /// The split of a node; gives the children with their places in the draft.
    fn split(
        &mut self,
        element: Place,
        node: usize,
        mut branches: Vec<Branch>,
    ) -> Result<Vec<(Place, usize)>, Problem> {
        let wrong = |problem: String| self.elements.wrong(element, problem);
        let Some(field) = branches.iter().find_map(|branch| branch.asks.field().map(String::from)) else {
            return Err(wrong("several children take every row".into()));
        };
        if branches.iter().any(|branch| branch.asks.field().is_some_and(|other| other != field)) {
            return Err(wrong("its children ask for different fields".into()));
        }
        let attribute = self.draft.attribute(&field);
        let is_shared = self.extensions.is_shared(self.elements.get(element, "id"));
        let default = self
            .elements
            .get(element, "defaultChild")
            .filter(|_| self.missing == Missing::DefaultChild && !is_shared);
        let is_default =
            |branch: &Branch| default.is_some() && self.elements.get(branch.element, "id") == default;
        if default.is_some() && !branches.iter().any(is_default) {
            return Err(wrong(format!(
                "its default child {} is not one of its children",
                shown(default.unwrap_or_default())
            )));
        }
        let mut found = Vec::new();
        // Rows without a value have a branch of their own: a child that asks for it, or the node itself.
        let own = branches.iter().position(|branch| matches!(branch.asks, Asks::Missing { .. }));
        if let Some(own) = own
            && is_default(&branches[own])
            && self.is_each_value(attribute, &branches)
        {
            return self.values(element, node, attribute, branches, Some(own));
        }
        let own = own.map(|place| branches.remove(place));
        let mut at = node;
        if own.is_some() || self.missing == Missing::LastPrediction {
            let (with, without) = (self.draft.add(), self.draft.add());
            self.draft.split(at, Split::Known { attribute }, vec![with, without]);
            match own {
                Some(branch) => found.push((branch.element, without)),
                None => self.leaves.add(self.elements, element, without)?,
            }
            at = with;
            if let [only] = &branches[..]
                && matches!(only.asks, Asks::Known { .. } | Asks::Anything)
            {
                found.push((only.element, with));
                return Ok(found);
            }
        }
        let missing = branches.iter().position(is_default);
        if self.is_numeric(attribute) {
            found.extend(self.numbers(element, at, attribute, branches, missing)?);
        } else {
            found.extend(self.values(element, at, attribute, branches, missing)?);
        }
        Ok(found)
    }

    /// Whether every value of a list has a child of its own, and rows without one have one too.
    fn is_each_value(&self, attribute: usize, branches: &[Branch]) -> bool {
        let is_single =
            |branch: &&Branch| matches!(&branch.asks, Asks::Among { values, .. } if values.len() == 1);
        let singles = branches.iter().filter(is_single).count();
        let Some(DraftKind::Values { list, is_complete: true }) = self.draft.kind_of(attribute) else {
            return false;
        };
        singles + 1 == branches.len() && singles == list.len()
    }

    fn is_numeric(&self, attribute: usize) -> bool {
        self.draft.kind_of(attribute) == Some(&DraftKind::Numeric)
    }

    /// Children that divide the numbers: cuts one after the other, from the lowest.
    fn numbers(
        &mut self,
        element: Place,
        node: usize,
        attribute: usize,
        branches: Vec<Branch>,
        missing: Option<usize>,
    ) -> Result<Vec<(Place, usize)>, Problem> {
        let wrong = |problem: &str| self.elements.wrong(element, problem);
        let mut cuts: Vec<f64> = Vec::new();
        for branch in &branches {
            match branch.asks {
                Asks::Numbers { from, below, .. } => {
                    cuts.extend([from, below].iter().filter(|cut| cut.is_finite()))
                }
                Asks::Anything => {}
                _ => return Err(wrong("numbers are compared with values from a list")),
            }
        }
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        // Between two cuts all numbers go to the same child: the first that takes them.
        let takes = |x: f64| {
            branches.iter().position(|branch| match branch.asks {
                Asks::Numbers { from, below, .. } => x >= from && x < below,
                _ => true,
            })
        };
        let starts =
            std::iter::once(cuts.first().map_or(0.0, |cut| cut.next_down())).chain(cuts.iter().copied());
        let pieces: Vec<usize> = starts
            .map(|x| takes(x).ok_or_else(|| wrong("some numbers go to none of its children")))
            .collect::<Result<_, _>>()?;
        let distinct = pieces.iter().collect::<std::collections::HashSet<_>>().len();
        if pieces.len() != distinct || distinct != branches.len() {
            return Err(wrong("its children do not divide the numbers into as many ranges"));
        }
        let (mut at, mut found) = (node, Vec::new());
        for (place, cut) in cuts.iter().enumerate() {
            let (low, high) = (self.draft.add(), self.draft.add());
            let goes = missing.map(|missing| usize::from(pieces[place] != missing));
            // Once rows without a value have left, no later cut sees them.
            self.draft.split(at, Split::Below { attribute, below: *cut, missing: goes }, vec![low, high]);
            found.push((branches[pieces[place]].element, low));
            at = high;
        }
        if let Some(last) = pieces.last() {
            found.push((branches[*last].element, at));
        }
        Ok(found)
    }

    /// Children that divide the values of a list.
    fn values(
        &mut self,
        element: Place,
        node: usize,
        attribute: usize,
        branches: Vec<Branch>,
        missing: Option<usize>,
    ) -> Result<Vec<(Place, usize)>, Problem> {
        let wrong = |problem: String| self.elements.wrong(element, problem);
        let mut taken: Vec<String> = Vec::new();
        let mut sets = Vec::new();
        for branch in &branches {
            match &branch.asks {
                Asks::Among { values, .. } => {
                    for value in values {
                        self.draft.value(attribute, value).map_err(wrong)?;
                    }
                    let own: Vec<String> =
                        values.iter().filter(|value| !taken.contains(value)).cloned().collect();
                    taken.extend(own.iter().cloned());
                    sets.push(Some(own));
                }
                Asks::NoneOf { values, .. } => {
                    for value in values {
                        self.draft.value(attribute, value).map_err(wrong)?;
                    }
                    sets.push(None);
                }
                Asks::Anything | Asks::Known { .. } => sets.push(None),
                Asks::Missing { .. } => sets.push(Some(Vec::new())),
                Asks::Numbers { .. } => {
                    return Err(wrong("values from a list are compared with numbers".into()));
                }
            }
        }
        if sets.iter().filter(|set| set.is_none()).count() > 1 || sets.len() < 2 {
            return Err(wrong("its children do not divide the values".into()));
        }
        // A child that excludes values takes all others, but those it excludes need a child that takes them.
        for branch in &branches {
            if let Asks::NoneOf { values, .. } = &branch.asks
                && let Some(lost) = values.iter().find(|value| !taken.contains(value))
            {
                return Err(wrong(format!("the value {} goes to none of its children", shown(lost))));
            }
        }
        let places: Vec<usize> = branches.iter().map(|_| self.draft.add()).collect();
        self.draft.split(node, Split::Sets { attribute, sets, missing }, places.clone());
        Ok(branches.iter().map(|branch| branch.element).zip(places).collect())
    }
}
