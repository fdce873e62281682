//! From the histograms of a node to its best split and the counts of its branches.

use super::making::{Making, New, State, Waiting, branching};
use super::{At, Rounds, Shards, needs_values};
use crate::data::{CodedColumn, CodedTable, Scale};
use crate::error::{Error, Result};
use crate::grow::counting::best_from_histograms;
use crate::grow::engine::BestSplit;
use crate::shard::{Coding, Counts, NodeAnswer, Places, SketchSplit, Wanted};
use crate::spec::{Count, GrowSpec};
use crate::split::{Frame, Histogram, NodeCount, Rules, Sizes, Tally};
use crate::threads;
use crate::tree::share_out;

/// The histograms of a node: column by column, code by code, tally by tally.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Flat {
    pub tallies: Vec<f64>,
    pub sizes: Vec<f64>,
}

impl Flat {
    /// Those of one node among many.
    fn of(counts: &Counts, number: usize, places: &Places) -> Result<Self> {
        let (numbers, codes) = (places.numbers(), places.codes());
        let short = || Error::internal("histograms that were cut off");
        Ok(match counts {
            Counts::None => return Err(short()),
            Counts::Whole(list) => {
                let own = list.get(number * numbers..(number + 1) * numbers).ok_or_else(short)?;
                Self { tallies: own.iter().map(|n| *n as f64).collect(), sizes: Vec::new() }
            }
            Counts::Sums { tallies, sizes } => {
                let own = tallies.get(number * numbers..(number + 1) * numbers).ok_or_else(short)?;
                let sizes = sizes.get(number * codes..(number + 1) * codes).unwrap_or_default();
                Self { tallies: own.to_vec(), sizes: sizes.to_vec() }
            }
        })
    }

    fn subtract(&mut self, other: &Self) {
        self.tallies.iter_mut().zip(&other.tallies).for_each(|(a, b)| *a -= b);
        self.sizes.iter_mut().zip(&other.sizes).for_each(|(a, b)| *a -= b);
    }

    fn bytes(&self) -> usize {
        8 * (self.tallies.len() + self.sizes.len())
    }

    /// The histogram of one column.
    fn histogram(&self, column: usize, places: &Places) -> Histogram {
        let tally = places.tally;
        let range = places.starts[column]..places.starts[column + 1] - 1;
        let mut histogram = Histogram::new(tally);
        for code in range.clone() {
            let own = &self.tallies[code * tally..(code + 1) * tally];
            // Weights are never negative: for numbers the first one shows it, for classes any.
            let occurs = own[0] > 0.0 || own[1..].iter().any(|w| *w != 0.0);
            if occurs {
                histogram.codes.push((code - range.start) as u32);
                histogram.tallies.extend_from_slice(own);
                histogram.sizes.extend(self.sizes.get(code));
            }
        }
        histogram.missing.copy_from_slice(&self.tallies[range.end * tally..(range.end + 1) * tally]);
        histogram
    }
}

/// What is the same for all nodes.
pub(super) struct Searching<'a> {
    pub places: Places,
    coding: &'a Coding,
    spec: &'a GrowSpec,
    rules: Rules,
    sizes: Sizes,
}

impl<'a> Searching<'a> {
    pub(super) fn new(coding: &'a Coding, spec: &'a GrowSpec, table: &CodedTable) -> Self {
        let sizes = coding.sizes(spec.count);
        let rules = Rules::new(spec, table, sizes);
        Self { places: Places::new(coding), coding, spec, rules, sizes }
    }

    /// The count that an answer holds; the tally of numbers is left empty.
    pub(super) fn count(&self, answer: &NodeAnswer) -> NodeCount {
        let size = match self.sizes {
            Sizes::Weight(unit) => answer.weight / unit,
            Sizes::Shares => answer.size,
        };
        NodeCount {
            rows: answer.rows,
            weight: answer.weight,
            size,
            tally: Tally::Classes(answer.classes.clone()),
            sum: 0.0,
            median: None,
        }
    }

    /// The best split of a node and what is known of its branches.
    fn best(&self, table: &CodedTable, count: &NodeCount, flat: &Flat) -> Option<(BestSplit, Waiting)> {
        let columns = table.columns().len();
        let histograms: Vec<Histogram> = (0..columns).map(|c| flat.histogram(c, &self.places)).collect();
        let (best, histogram) = best_from_histograms(&self.rules, table, self.spec, count, histograms)?;
        let column = &table.columns()[best.condition.attribute()];
        let branches = best.condition.branches();
        let size = self.places.tally;
        let (mut tallies, mut sizes) = (vec![0.0; branches * size], vec![0.0; branches]);
        let mut known = vec![0.0; branches];
        for (i, &code) in histogram.codes.iter().enumerate() {
            if let Some(branch) = best.condition.route(column.cell(code)) {
                known[branch] += self.rules.measure.weight(histogram.tally(i));
                let own = &mut tallies[branch * size..(branch + 1) * size];
                own.iter_mut().zip(histogram.tally(i)).for_each(|(sum, w)| *sum += w);
                sizes[branch] += histogram.sizes.get(i).copied().unwrap_or(0.0);
            }
        }
        let mut unknown = self.rules.measure.weight(&histogram.missing);
        let mut is_sized = true;
        if let Some(branch) = best.condition.missing().filter(|_| unknown > 0.0) {
            known[branch] += std::mem::take(&mut unknown);
            let own = &mut tallies[branch * size..(branch + 1) * size];
            own.iter_mut().zip(&histogram.missing).for_each(|(sum, w)| *sum += w);
            // How many rows these are is not known.
            is_sized = self.sizes != Sizes::Shares;
        }
        let shares: Vec<f64> = share_out(known.iter().copied()).collect();
        let is_whole = unknown == 0.0;
        // Rows that are all there in whole are counted by the histogram.
        let all_whole = is_whole && is_sized && count.rows as f64 == count.size && self.coding.classes() > 0;
        let per_row = count.rows as f64 / count.weight.max(f64::MIN_POSITIVE);
        let branch = |b: usize| {
            let weight = known[b];
            let about = (weight + if shares[b] > 0.0 { unknown } else { 0.0 }) * per_row;
            let counted = all_whole.then(|| {
                let size = match self.sizes {
                    Sizes::Weight(unit) => weight / unit,
                    Sizes::Shares => sizes[b],
                };
                NodeCount::of_classes(
                    size.round() as usize,
                    weight,
                    size,
                    tallies[b * self.places.tally..(b + 1) * self.places.tally].to_vec(),
                )
            });
            (counted, about)
        };
        let branch_counts = (0..branches).map(branch).collect();
        let split = SketchSplit {
            column: best.condition.attribute() as u32,
            branching: branching(&best.condition, table),
            first_child: 0,
            shares,
        };
        Some((best, Waiting { split, branches: branch_counts, flat: None, is_whole }))
    }
}

/// What the codes stand for in a tree that is grown without some rows: a value that none of its rows has is the one before, so that
/// no threshold knows it. `occurring` gives the codes of a column, ascending.
pub(super) fn scales(table: &CodedTable, occurring: impl Fn(usize) -> Vec<u32>) -> Vec<Scale> {
    let column = |(c, column): (usize, &CodedColumn)| {
        let codes = occurring(c);
        let known = |values: &mut Vec<f64>| {
            let mut codes = codes.iter().copied().peekable();
            let mut last = codes.peek().map_or(0.0, |code| values[*code as usize]);
            for (code, value) in (0..).zip(values.iter_mut()) {
                if codes.next_if_eq(&code).is_some() {
                    last = *value;
                } else {
                    *value = last;
                }
            }
        };
        let mut scale = column.scale.clone();
        match &mut scale {
            Scale::Values(values) => known(values),
            Scale::Bins(bins) => {
                known(&mut bins.first);
                known(&mut bins.last);
            }
            Scale::Cuts(_) | Scale::Levels(_) | Scale::Ordered(_) | Scale::Floats => {}
        }
        scale
    };
    table.columns().iter().enumerate().map(column).collect()
}

/// How the histograms of some siblings are come by.
struct Family {
    tree: usize,
    parent: Option<u32>,
    /// Those that are counted.
    counted: Vec<u32>,
    /// The one that has what they leave.
    rest: Option<u32>,
    /// Those that are searched.
    searched: Vec<u32>,
}

impl Rounds<'_> {
    /// Finds the best splits of some nodes.
    pub(super) fn search(&mut self, shards: &mut dyn Shards, nodes: &[At]) -> Result<()> {
        let bytes = self.searching.places.numbers() * size_of::<f64>();
        let most = (self.budget.histograms / 2 / bytes.max(1)).max(1);
        let mut batch: Vec<Family> = Vec::new();
        let mut counted = 0;
        for family in self.families(nodes) {
            if counted > 0 && counted + family.counted.len() > most {
                self.search_batch(shards, std::mem::take(&mut batch))?;
                counted = 0;
            }
            counted += family.counted.len();
            batch.push(family);
        }
        self.search_batch(shards, batch)
    }

    /// The nodes with their siblings, and which of them have to be counted.
    fn families(&self, nodes: &[At]) -> Vec<Family> {
        let mut families: Vec<Family> = Vec::new();
        for &(tree, node) in nodes {
            let parent = match &self.trees[tree].nodes[node as usize] {
                State::New(New { parent, .. }) => *parent,
                _ => None,
            };
            match families.last_mut() {
                Some(last) if last.tree == tree && last.parent == parent && parent.is_some() => {
                    last.searched.push(node);
                }
                _ => families.push(Family {
                    tree,
                    parent,
                    counted: Vec::new(),
                    rest: None,
                    searched: vec![node],
                }),
            }
        }
        families.iter_mut().for_each(|family| self.divide(family));
        families
    }

    fn divide(&self, family: &mut Family) {
        let tree = &self.trees[family.tree];
        let rows = |node: u32| match &tree.nodes[node as usize] {
            State::New(new) => new.rows,
            _ => tree.partial.as_ref().map_or(0.0, |s| s.nodes[node as usize].rows as f64),
        };
        family.counted.clone_from(&family.searched);
        // Sums of numbers are taken in a frame of the node's own.
        let Some(parent) = family.parent.filter(|_| self.coding.classes() > 0) else { return };
        let State::Waiting(waiting) = &tree.nodes[parent as usize] else { return };
        if !waiting.is_whole || waiting.flat.is_none() {
            return;
        }
        // The counts of parts of rows come with their histograms.
        let is_counted =
            |node: &u32| matches!(&tree.nodes[*node as usize], State::New(new) if new.count.is_some());
        if !family.searched.iter().all(is_counted) {
            return;
        }
        let first = waiting.split.first_child;
        let siblings: Vec<u32> = (0..waiting.split.shares.len() as u32).map(|b| first + b).collect();
        let Some(&rest) = family.searched.iter().max_by(|a, b| rows(**a).total_cmp(&rows(**b))) else {
            return;
        };
        let others: Vec<u32> =
            siblings.into_iter().filter(|node| *node != rest && rows(*node) > 0.0).collect();
        let cost = |nodes: &[u32]| nodes.iter().map(|node| rows(*node)).sum::<f64>();
        if cost(&others) < cost(&family.searched) {
            family.counted = others;
            family.rest = Some(rest);
        }
    }

    fn search_batch(&mut self, shards: &mut dyn Shards, families: Vec<Family>) -> Result<()> {
        let numbers = self.coding.classes() == 0;
        let wanted = |tree: &Making, node: u32| {
            let known = match &tree.nodes[node as usize] {
                State::New(new) => new.count.as_ref(),
                _ => None,
            };
            let frame = match known {
                Some(count) if numbers => count.frame(),
                _ => Frame::default(),
            };
            let histograms = (!self.is_deep(tree, node)).then_some(frame);
            Wanted { histograms, classes: !numbers && known.is_none(), ..Wanted::default() }
        };
        let asked: Vec<(At, Wanted)> = families
            .iter()
            .flat_map(|family| {
                family
                    .counted
                    .iter()
                    .map(|&node| ((family.tree, node), wanted(&self.trees[family.tree], node)))
            })
            .collect();
        let (question, order) = self.question(&asked);
        let answer = shards.ask(&question)?;
        if answer.nodes.len() != order.len() {
            return Err(Error::internal("an answer to another question"));
        }
        let mut flats: std::collections::HashMap<At, Flat> = std::collections::HashMap::new();
        let mut number = 0;
        for (at, node) in order.iter().zip(&answer.nodes) {
            if !self.is_deep(&self.trees[at.0], at.1) {
                flats.insert(*at, Flat::of(&answer.counts, number, &self.searching.places)?);
                number += 1;
            }
            let is_unknown =
                matches!(&self.trees[at.0].nodes[at.1 as usize], State::New(new) if new.count.is_none());
            if is_unknown && !numbers {
                let count = self.searching.count(node);
                self.trees[at.0].counted(at.1, count);
            }
        }
        drop(answer);
        for family in &families {
            let tree = &mut self.trees[family.tree];
            if let Some(parent) = family.parent {
                let kept = match &mut tree.nodes[parent as usize] {
                    State::Waiting(waiting) => waiting.flat.take(),
                    _ => None,
                };
                if let (Some(rest), Some(mut flat)) = (family.rest, kept) {
                    let others = family.counted.iter().filter_map(|node| flats.get(&(family.tree, *node)));
                    others.for_each(|other| flat.subtract(other));
                    flats.insert((family.tree, rest), flat);
                }
                tree.forget(parent);
            }
        }
        self.choose(&families, flats)
    }

    /// Chooses the splits of nodes whose histograms are there.
    fn choose(&mut self, families: &[Family], mut flats: std::collections::HashMap<At, Flat>) -> Result<()> {
        let nodes: Vec<At> =
            families.iter().flat_map(|f| f.searched.iter().map(|node| (f.tree, *node))).collect();
        // The root shows which values a tree's rows have.
        for &(t, node) in nodes.iter().filter(|(_, node)| *node == 0 && needs_values(self.spec)) {
            if let Some(flat) = flats.get(&(t, node)).filter(|_| self.trees[t].without.is_some()) {
                let codes = |column: usize| flat.histogram(column, &self.searching.places).codes;
                self.trees[t].scales = Some(scales(&self.table, codes));
            }
        }
        let tables: Vec<Option<CodedTable>> = self.trees.iter().map(|tree| self.own_table(tree)).collect();
        let found = threads::map(nodes.len(), |i| {
            let (t, node) = nodes[i];
            let State::New(New { count: Some(count), .. }) = &self.trees[t].nodes[node as usize] else {
                return None;
            };
            let table = tables[t].as_ref().unwrap_or(&self.table);
            if !crate::grow::grower::may_split(self.spec, table.unit(), count) {
                return None;
            }
            self.searching.best(table, count, flats.get(&(t, node))?)
        });
        // As many histograms as there is room for are kept for the next round.
        let kept: usize = self.trees.iter().flat_map(|tree| &tree.nodes).map(kept_bytes).sum();
        let mut room = (self.budget.histograms / 2).saturating_sub(kept);
        for ((t, node), found) in nodes.into_iter().zip(found) {
            let flat = flats.remove(&(t, node));
            let found = found.map(|(best, mut waiting)| {
                waiting.flat = flat.filter(|flat| flat.bytes() <= room && self.spec.count != Count::Rows);
                room -= waiting.flat.as_ref().map_or(0, Flat::bytes);
                (best, waiting)
            });
            self.trees[t].found(node, found);
        }
        Ok(())
    }

    /// The table of a tree whose codes stand for other values.
    pub(super) fn own_table(&self, tree: &Making) -> Option<CodedTable> {
        let scales = tree.scales.as_ref()?;
        let columns = self.table.columns().iter().zip(scales);
        let columns = columns.map(|(column, scale)| CodedColumn { scale: scale.clone(), ..column.clone() });
        Some(self.table.with_columns(columns.collect()))
    }
}

fn kept_bytes(state: &State) -> usize {
    match state {
        State::Waiting(waiting) => waiting.flat.as_ref().map_or(0, Flat::bytes),
        _ => 0,
    }
}
