//! A block: the rows of some part of a tree, laid out for fast splitting.
//!
//! The rows of a block have ids from 0. A numeric column with many values is a list of its rows sorted by code; the rows
//! of a node are one segment of every list, and a split partitions the segments stably, so they stay sorted. Where every
//! row has a value the list holds a word for each ([`packed_rows`]), otherwise longer entries (code, class, id). A column with
//! few values or a nominal one is never moved: it is counted by id.
//!
//! Splits that send rows in parts to several branches, and subtrees that are worth a compact copy, move to blocks of
//! their own.

mod column;
mod extract;
mod layout;
mod split;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::branches::Branches;
use super::node_histograms::{Plan, is_worth_counting};
use super::sparse::Sparse;
use super::training::Training;
use crate::data::codes::{each_width, pick};
use crate::data::{CodedColumn, CodedTable, CodedTarget, Scale};
use crate::error::Result;
use crate::memory;
use crate::simd::prefetch;
use crate::split::moments::{self, Frame};
use crate::split::packed_rows::{self, RowBits};
use crate::split::{How, Sizes};
use crate::split::{NodeCount, Tally, Targets};
use crate::sums::Steps;
use crate::threads;
pub(super) use column::BlockColumn;
use column::Layouts;
use layout::{Layout, sorted};

/// Whether a numeric column is kept as a sorted list: with many values, or with few rows for each.
fn keep_sorted(values: u32, rows: usize) -> bool {
    values > 256 || values as usize * 4 > rows
}

/// Whether a column can be a list in the order of its codes. One with a few cuts is counted: all of its cuts are looked at.
fn is_ordered(column: &CodedColumn) -> bool {
    matches!(column.scale, Scale::Values(_) | Scale::Bins(_) | Scale::Floats)
}

/// The bytes of a root block: every row in every list, and at least one list in the making.
fn needed(table: &CodedTable) -> usize {
    let list =
        |column: &CodedColumn| match is_ordered(column) && keep_sorted(column.cardinality(), table.rows()) {
            true if column.has_missing => size_of::<u64>(),
            true => size_of::<u32>(),
            false => 0,
        };
    let lists: usize = table.columns().iter().map(list).sum();
    table.rows().saturating_mul(lists + 3 * size_of::<u32>())
}

/// Work on this many cells is worth the threads.
pub(super) const PARALLEL_CELLS: usize = 1 << 16;

pub(super) enum BlockTarget<'a> {
    Classes(Cow<'a, [u32]>),
    Numbers(Cow<'a, [f64]>),
}

impl BlockTarget<'_> {
    #[inline(always)]
    pub(super) fn targets(&self) -> Targets<'_> {
        match self {
            Self::Classes(classes) => Targets::Classes(classes),
            Self::Numbers(numbers) => Targets::Numbers(numbers),
        }
    }

    /// The class of an id; 0 where there are none.
    fn class(&self, id: usize) -> u32 {
        match self {
            Self::Classes(classes) => classes[id],
            Self::Numbers(_) => 0,
        }
    }
}

/// See the module's description.
pub(super) struct Block<'a> {
    pub table: &'a CodedTable,
    pub layout: Layout,
    /// The layout of words, when ids and classes fit into them.
    pub words: Option<RowBits>,
    /// The row of the table of every id, when they are not the same.
    rows: Option<Vec<u32>>,
    pub target: BlockTarget<'a>,
    /// The weight of every id, when they are not all one.
    pub weights: Option<Vec<f64>>,
    /// What an id counts for the limits.
    pub sizes: Sizes,
    /// Where rows weigh differently: how much of its row every id is, when it is not always all of it.
    pub shares: Option<Vec<f64>>,
    /// What weights and shares of parts are rounded to, so that their sums are exact.
    steps: (Steps, Steps),
    pub columns: Vec<BlockColumn<'a>>,
    /// The counted columns in which exceptions are rare, when all weights are one and the target is a class.
    pub sparse: Option<Sparse>,
    /// How large nodes are counted, when that is worth it.
    pub histograms: Option<Arc<Plan>>,
    /// The ids, node by node.
    pub members: Vec<u32>,
    /// For every id the branch it goes to while a node is split (binary splits and small multiway ones).
    side: Branches,
    /// Working memory: lists in the making, and new ids.
    spare: Vec<u32>,
    new_id: Vec<u32>,
}

/// What a split leaves behind.
pub(super) enum AfterSplit<'a> {
    /// Segments of the same block.
    Segments(Vec<Range<usize>>),
    /// Branches that are not.
    Detached(Vec<Detached<'a>>),
}

/// A branch that is not a segment of its parent's block.
pub(super) enum Detached<'a> {
    /// A block of its own.
    Block(Box<Block<'a>>),
    /// Its counts: it will not be split.
    Leaf(NodeCount),
}

/// The mark of a row without a value.
const UNKNOWN: u8 = u8::MAX;

impl<'a> Block<'a> {
    /// All rows that a tree is grown from.
    pub(super) fn root(training: &'a Training) -> Result<Self> {
        let table = &*training.table;
        let size = table.rows();
        memory::ask(needed(table), "the lists of rows to grow a tree from")?;
        let weights = training.weights().map(<[f64]>::to_vec);
        let target = match table.target() {
            CodedTarget::Classes { codes, .. } => BlockTarget::Classes(codes.into()),
            CodedTarget::Numbers { values, .. } => BlockTarget::Numbers(values.into()),
        };
        let most = table.columns().iter().map(|c| c.cardinality()).max().unwrap_or(0);
        let layout = Layout::new(size, table.classes(), most, table.name())?;
        let words = RowBits::new(size, table.classes());
        // On whole counts a list and a histogram give the same answer, to the last bit.
        let exact = weights.is_none() && table.classes() > 0;
        let sorted_anyway = |c: &CodedColumn| is_ordered(c) && keep_sorted(c.cardinality(), size);
        let counted = |c: usize| Some(&table.columns()[c]).filter(|c| !sorted_anyway(c)).map(|c| &c.codes);
        let sparse = if exact { Sparse::new(table, counted, size) } else { None };
        let columns = threads::map(table.columns().len(), |c| {
            let column = &table.columns()[c];
            if sparse.as_ref().is_some_and(|sparse| sparse.has(c)) {
                return BlockColumn::Rare;
            }
            let list = is_ordered(column) && exact && !column.has_missing && words.is_some();
            let codes = &column.codes;
            let is_counted = counted(c).is_some() && !list;
            if is_counted || list && is_worth_counting(column.cardinality(), table.classes(), size) {
                return BlockColumn::Counted(Cow::Borrowed(codes));
            }
            match words.filter(|_| !column.has_missing) {
                Some(layout) => {
                    let class = |id: usize| target.class(id);
                    BlockColumn::Ordered(packed_rows::in_order(codes, column.cardinality(), layout, class))
                }
                None => BlockColumn::Sorted(sorted(codes, column.cardinality(), layout, &target)),
            }
        });
        let worth = |c: usize| {
            matches!(columns[c], BlockColumn::Counted(_))
                && is_worth_counting(table.columns()[c].cardinality(), table.classes(), size)
        };
        let histograms = if exact { Plan::new(table, worth).map(Arc::new) } else { None };
        Ok(Self {
            histograms,
            table,
            layout,
            words,
            rows: None,
            target,
            weights,
            sizes: training.sizes,
            shares: training.shares.clone(),
            steps: training.steps,
            sparse,
            columns,
            members: (0..size as u32).collect(),
            side: Branches::new(size),
            spare: Vec::new(),
            new_id: Vec::new(),
        })
    }

    /// The number of columns that are kept by id or in order.
    pub(super) fn lists(&self) -> usize {
        self.columns.iter().filter(|c| !matches!(c, BlockColumn::Rare)).count()
    }

    /// The code of an id in a column, wherever it is kept.
    pub(super) fn code(&self, column: usize, id: usize) -> u32 {
        let row = self.rows.as_ref().map_or(id, |rows| rows[id] as usize);
        self.table.columns()[column].codes.get(row)
    }

    /// The id of a word.
    pub(super) fn word_id(&self, word: u32) -> usize {
        self.words.map_or(0, |layout| layout.id(word))
    }

    /// Asks for the memory that [`Self::between_codes`] will read if this cut wins: it is far away, and there is work meanwhile.
    pub(super) fn foresee(&self, how: &How, column: usize, start: usize) {
        if let (How::Cut { lower, upper, .. }, Some(list)) = (how, self.columns[column].ordered()) {
            for place in [*lower, *upper] {
                let id = self.word_id(list[start + place as usize]);
                let row = self.rows.as_ref().map_or(id, |rows| rows[id] as usize);
                each_width!(&self.table.columns()[column].codes, list => prefetch(&list[row]));
            }
        }
    }

    /// Turns a cut between places of a column's sorted list (of the node that begins at `start`) into one between codes;
    /// says the place.
    pub(super) fn between_codes(&self, how: &mut How, column: usize, start: usize) -> Option<usize> {
        let How::Cut { lower, upper, .. } = how else { return None };
        let place = *upper as usize;
        let list = &self.columns[column];
        let code = |place: u32| list.code_at(self, column, start, place);
        (*lower, *upper) = (code(*lower), code(*upper));
        list.ordered().map(|_| place)
    }

    fn layouts(&self) -> Layouts {
        Layouts { entries: self.layout, words: self.words }
    }

    #[inline(always)]
    pub(super) fn weight(&self, id: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |w| w[id])
    }

    /// What an id counts for the limits.
    #[inline(always)]
    pub(super) fn size(&self, id: usize) -> f64 {
        match self.sizes {
            Sizes::Weight(unit) => self.weight(id) / unit,
            Sizes::Shares => self.shares.as_ref().map_or(1.0, |shares| shares[id]),
        }
    }

    /// What ids of this weight together count for the limits.
    fn size_of(&self, ids: &[u32], weight: f64) -> f64 {
        match (self.sizes, &self.shares) {
            (Sizes::Weight(unit), _) => weight / unit,
            (Sizes::Shares, None) => ids.len() as f64,
            (Sizes::Shares, Some(shares)) => ids.iter().map(|&id| shares[id as usize]).sum(),
        }
    }

    /// Counts the rows of a segment.
    pub(super) fn count(&self, segment: Range<usize>, median: bool) -> NodeCount {
        if let (Some(layout), None, BlockTarget::Classes(_)) = (self.words, &self.weights, &self.target)
            && let Some(list) = self.columns.iter().find_map(BlockColumn::ordered)
        {
            let (rows, weight) = (segment.len(), segment.len() as f64);
            let weights = packed_rows::tally(&list[segment], layout, self.table.classes());
            return NodeCount::of_classes(rows, weight, weight, weights);
        }
        let members = &self.members[segment];
        if let BlockTarget::Numbers(numbers) = &self.target {
            return self.count_numbers(members, numbers, median);
        }
        let mut weights = vec![0.0; self.table.classes()];
        let rows = members.iter().map(|&id| (id as usize, self.weight(id as usize)));
        self.target.targets().add_classes(&mut weights, rows);
        let weight = weights.iter().sum();
        NodeCount::of_classes(members.len(), weight, self.size_of(members, weight), weights)
    }

    fn count_numbers(&self, members: &[u32], numbers: &[f64], median: bool) -> NodeCount {
        // Looked up once: they are gone through several times.
        let mut few = [0.0; 64];
        let mut many = Vec::new();
        let own = match few.get_mut(..members.len()) {
            Some(few) => {
                for (i, &id) in members.iter().enumerate() {
                    few[i] = numbers[id as usize];
                }
                &*few
            }
            None => {
                many.extend(members.iter().map(|&id| numbers[id as usize]));
                &many[..]
            }
        };
        let weights = self.weights.as_ref().map(|w| pick(w, members));
        let tally = moments::tally(own, weights.as_deref());
        let mut sum = 0.0;
        if tally.error > 0.0 {
            let frame = Frame::new(tally);
            sum = match &weights {
                None => frame.sum(own),
                Some(weights) => own.iter().zip(weights).map(|(y, w)| frame.term(*y, *w)).sum(),
            };
        }
        let median = (median && !members.is_empty()).then(|| {
            let row = |&id: &u32| (numbers[id as usize], self.weight(id as usize));
            crate::split::median(&mut members.iter().map(row).collect::<Vec<_>>())
        });
        NodeCount {
            rows: members.len() as u64,
            weight: tally.weight,
            size: self.size_of(members, tally.weight),
            tally: Tally::Numbers(tally),
            sum,
            median,
        }
    }
}
