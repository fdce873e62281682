//! Splits by sets of values, as the conditions of a tree are.

use secateur::error::shown;
use secateur::tree::{Condition, Side, Subsets};

use super::{Draft, DraftKind, Drafted, Place, Split};

impl Draft {
    /// The sets of a split, with the one for all other values written out.
    fn sets(&self, attribute: usize, sets: &[Option<Vec<String>>]) -> Vec<Vec<String>> {
        let Some(DraftKind::Values { list, .. }) = &self.kinds[attribute] else { return Vec::new() };
        let taken = |value: &&String| sets.iter().flatten().any(|set| set.contains(value));
        let others: Vec<String> = list.iter().filter(|value| !taken(value)).cloned().collect();
        sets.iter().map(|set| set.clone().unwrap_or_else(|| others.clone())).collect()
    }

    /// Whether every value of the list has a child of its own, of at least three: missing values are then shared out, or have a child
    /// of their own too, whose set is empty.
    fn is_each_value(&self, attribute: usize, sets: &[Option<Vec<String>>], missing: Option<usize>) -> bool {
        let Some(DraftKind::Values { list, .. }) = &self.kinds[attribute] else { return false };
        let has = |count: usize| {
            sets.iter().filter(|set| set.as_ref().is_some_and(|set| set.len() == count)).count()
        };
        let is_last = missing.is_none_or(|child| sets.get(child).is_some_and(|set| set == &Some(Vec::new())));
        is_last
            && sets.len() > 2
            && has(1) == list.len()
            && has(1) + has(0) == sets.len()
            && has(0) == usize::from(missing.is_some())
    }

    /// Splits into several sets of values become splits into two, one after the other.
    pub(super) fn divide_in_two(&mut self) {
        let mut node = 0;
        while node < self.nodes.len() {
            if let Some(Split::Sets { attribute, sets, missing }) = self.nodes[node].split.clone()
                && sets.len() > 2
                && !self.is_each_value(attribute, &sets, missing)
            {
                // The set without a list goes last, because it takes what the others leave.
                let mut branches: Vec<(Option<Vec<String>>, Place, bool)> = (sets.into_iter().enumerate())
                    .zip(&self.nodes[node].children)
                    .map(|((place, set), &child)| (set, child, missing == Some(place)))
                    .collect();
                branches.sort_by_key(|(set, ..)| set.is_none());
                let (first, rest) = branches.split_at(1);
                let others = self.add();
                let rest_missing = rest.iter().position(|(.., is_missing)| *is_missing);
                let both =
                    |is_first: bool, other: Option<usize>| if is_first { Some(0) } else { other.map(|_| 1) };
                let all: Option<Vec<String>> = rest
                    .iter()
                    .map(|(set, ..)| set.clone())
                    .collect::<Option<Vec<_>>>()
                    .map(|sets| sets.concat());
                self.nodes[node].split = Some(Split::Sets {
                    attribute,
                    sets: vec![first[0].0.clone(), all],
                    missing: both(first[0].2, rest_missing),
                });
                self.nodes[node].children = vec![first[0].1, others];
                self.nodes[others].split = Some(Split::Sets {
                    attribute,
                    sets: rest.iter().map(|(set, ..)| set.clone()).collect(),
                    missing: rest_missing,
                });
                self.nodes[others].children = rest.iter().map(|(_, child, _)| *child).collect();
            }
            node += 1;
        }
    }

    /// An error for a set of all other values where these are not known.
    pub(super) fn complete_lists(&self) -> Drafted<()> {
        for node in &self.nodes {
            let Some(Split::Sets { attribute, sets, .. }) = &node.split else { continue };
            let is_open = sets.iter().any(Option::is_none);
            if let (true, Some(DraftKind::Values { is_complete: false, .. })) =
                (is_open, &self.kinds[*attribute])
            {
                return Err(format!(
                    "not all values of {} are in the file, and the tree sends the others to one branch; give the table it was grown from",
                    shown(&self.names[*attribute])
                ));
            }
        }
        Ok(())
    }

    /// The attribute of a split into two sets of which one is empty, that set, and where rows without a value go.
    fn empty_set(&self, node: Place) -> Option<(usize, usize, Option<usize>)> {
        let Some(Split::Sets { attribute, sets, missing }) = &self.nodes[node].split else { return None };
        match &self.sets(*attribute, sets)[..] {
            [left, right] if left.is_empty() && !right.is_empty() => Some((*attribute, 0, *missing)),
            [left, right] if right.is_empty() && !left.is_empty() => Some((*attribute, 1, *missing)),
            _ => None,
        }
    }

    /// A split into two sets of which one is empty divides rows with a value from those without, or nothing.
    pub(super) fn settle_empty_sets(&mut self) {
        let mut node = 0;
        while node < self.nodes.len() {
            let Some((attribute, empty, missing)) = self.empty_set(node) else {
                node += 1;
                continue;
            };
            let (with, without) = (self.nodes[node].children[1 - empty], self.nodes[node].children[empty]);
            if missing == Some(empty) {
                self.nodes[node].split = Some(Split::Known { attribute });
                self.nodes[node].children = vec![with, without];
            } else {
                // No row that is known goes to the other child: the node is the one.
                self.nodes[node] = self.nodes[with].clone();
            }
        }
    }

    /// Children of a split by every value stand in the order of the list, then that of missing values.
    pub(super) fn sort_children(&mut self) {
        for node in 0..self.nodes.len() {
            let Some(Split::Sets { attribute, sets, missing }) = self.nodes[node].split.clone() else {
                continue;
            };
            let Some(DraftKind::Values { list, .. }) = &self.kinds[attribute] else { continue };
            if !self.is_each_value(attribute, &sets, missing) {
                continue;
            }
            let place = |set: &Option<Vec<String>>| {
                let value = set.as_ref().and_then(|set| set.first());
                value.and_then(|own| list.iter().position(|value| value == own)).unwrap_or(list.len())
            };
            let mut both: Vec<_> = sets.into_iter().zip(self.nodes[node].children.clone()).collect();
            both.sort_by_key(|(set, _)| place(set));
            let missing = missing.map(|_| both.len() - 1);
            let (sets, children) = both.into_iter().unzip();
            self.nodes[node].split = Some(Split::Sets { attribute, sets, missing });
            self.nodes[node].children = children;
        }
    }

    pub(super) fn condition(&self, node: Place, split: &Split) -> Drafted<Condition> {
        let side =
            |missing: Option<usize>| missing.map(|child| if child == 0 { Side::Left } else { Side::Right });
        match split {
            Split::Below { attribute, below, missing } => Ok(Condition::Threshold {
                attribute: *attribute as u32,
                below: *below,
                missing: side(*missing),
            }),
            Split::Known { attribute } => Ok(Condition::Known { attribute: *attribute as u32 }),
            Split::Sets { attribute, sets, missing } => {
                let Some(DraftKind::Values { list, .. }) = &self.kinds[*attribute] else {
                    return Err(format!(
                        "node {node}: {} has no list of values",
                        shown(&self.names[*attribute])
                    ));
                };
                let own = self.sets(*attribute, sets);
                if self.is_each_value(*attribute, sets, *missing) {
                    return Ok(Condition::EachValue {
                        attribute: *attribute as u32,
                        values: list.len() as u32,
                        missing: missing.is_some(),
                    });
                }
                let code = |value: &String| {
                    let place = list.iter().position(|known| known == value);
                    place
                        .map(|place| place as u32)
                        .ok_or_else(|| format!("node {node}: no value {}", shown(value)))
                };
                let codes = |set: &[String]| set.iter().map(code).collect::<Drafted<Vec<u32>>>();
                let [left, right] = &own[..] else {
                    return Err(format!("node {node}: it has {} branches; expected 2", own.len()));
                };
                let subsets = Box::new(Subsets::new(codes(left)?, codes(right)?));
                Ok(Condition::Subset { attribute: *attribute as u32, subsets, missing: side(*missing) })
            }
        }
    }
}
