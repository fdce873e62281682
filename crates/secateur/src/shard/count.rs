//! Counting the rows of a chunk for every node that is asked about.

use serde::{Deserialize, Serialize};

use super::Add;
use super::ask::{Answer, Ask, NodeAnswer, Wanted};
use super::chunk::{Chunk, ChunkTarget};
use super::coding::Coding;
use super::walk::{AtNode, rows_of, shared_rows, walk};
use crate::data::codes::{Code, each_width};
use crate::error::{Error, Result};
use crate::spec::Count;
use crate::split::Sizes;
use crate::split::moments::Span;
use crate::sums::ExactSum;

/// Histograms one after the other: node by node, column by column, code by code (the missing value behind the last), and for each
/// the tally of the target: class weights, or weight and sum.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub enum Counts {
    /// None.
    #[default]
    None,
    /// Whole rows.
    Whole(Vec<u64>),
    /// Weights or sums; where rows weigh differently, also how many rows have each code.
    Sums {
        /// The tallies.
        tallies: Vec<f64>,
        /// The rows, or nothing.
        sizes: Vec<f64>,
    },
}

impl Counts {
    /// Parts of at most this many numbers.
    pub(super) fn chunks(self, most: usize) -> Vec<Self> {
        match self {
            Self::None => Vec::new(),
            Self::Whole(list) => list.chunks(most).map(|part| Self::Whole(part.to_vec())).collect(),
            Self::Sums { tallies, sizes } => {
                let tallies = tallies.chunks(most).map(|part| (part.to_vec(), Vec::new()));
                let sizes = sizes.chunks(most).map(|part| (Vec::new(), part.to_vec()));
                tallies.chain(sizes).map(|(tallies, sizes)| Self::Sums { tallies, sizes }).collect()
            }
        }
    }

    /// The next part behind this.
    pub(super) fn append(&mut self, next: Self) -> Result<()> {
        match (&mut *self, next) {
            (Self::Whole(mine), Self::Whole(more)) => mine.extend(more),
            (Self::Sums { tallies, sizes }, Self::Sums { tallies: more, sizes: more_sizes }) => {
                tallies.extend(more);
                sizes.extend(more_sizes);
            }
            (Self::None, next) => *self = next,
            _ => return Err(Error::internal("parts of different answers")),
        }
        Ok(())
    }
}

impl Add for Counts {
    fn add(&mut self, other: Self) -> Result<()> {
        match (self, other) {
            (Self::None, Self::None) => Ok(()),
            (Self::Whole(mine), Self::Whole(more)) if mine.len() == more.len() => {
                mine.iter_mut().zip(more).for_each(|(a, b)| *a += b);
                Ok(())
            }
            (Self::Sums { tallies, sizes }, Self::Sums { tallies: more, sizes: more_sizes })
                if tallies.len() == more.len() && sizes.len() == more_sizes.len() =>
            {
                tallies.iter_mut().zip(more).for_each(|(a, b)| *a += b);
                sizes.iter_mut().zip(more_sizes).for_each(|(a, b)| *a += b);
                Ok(())
            }
            _ => Err(Error::internal("counts of different questions")),
        }
    }
}

/// Where the codes of a column begin in the histograms of a node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Places {
    /// For every column the codes of all columns before, and at the end that of all.
    pub starts: Vec<usize>,
    /// The numbers of a tally.
    pub tally: usize,
}

impl Places {
    pub(crate) fn new(coding: &Coding) -> Self {
        let mut starts = vec![0];
        for column in 0..coding.width() {
            starts.push(starts[column] + coding.cardinality(column) as usize + 1);
        }
        Self { starts, tally: coding.tally() }
    }

    /// The codes of all columns.
    pub(crate) fn codes(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// The numbers of the tallies of a node.
    pub(crate) fn numbers(&self) -> usize {
        self.codes() * self.tally
    }
}

/// Counts chunk after chunk.
pub struct Counter<'a> {
    coding: &'a Coding,
    question: &'a Ask,
    places: Places,
    answer: Answer,
    /// Rows are counted in half the memory while they are few.
    small: Vec<u32>,
    rows: u64,
    whole: bool,
    sized: bool,
    scratch: Scratch,
}

/// Working memory.
#[derive(Default)]
struct Scratch {
    classes: Vec<u32>,
    numbers: Vec<f64>,
    weights: Vec<f64>,
    terms: Vec<f64>,
}

impl<'a> Counter<'a> {
    /// Nothing counted yet.
    pub fn new(coding: &'a Coding, question: &'a Ask) -> Self {
        let places = Places::new(coding);
        let whole = coding.classes() > 0 && !coding.has_weights() && !question.has_parts(coding);
        let sized = coding.sizes(Count::Shares) == Sizes::Shares;
        let node = |wanted: &Wanted| NodeAnswer {
            classes: vec![0.0; if wanted.classes { coding.classes() } else { 0 }],
            span: wanted.span.then(|| Span::new(&[], Some(&[]))),
            sum: wanted.sum.map(|_| ExactSum::default()),
            ..NodeAnswer::default()
        };
        let histograms = question.histograms();
        let (numbers, codes) = (histograms * places.numbers(), histograms * places.codes());
        let counts = match (histograms, whole) {
            (0, _) => Counts::None,
            (_, true) => Counts::Whole(Vec::new()),
            (_, false) => {
                Counts::Sums { tallies: vec![0.0; numbers], sizes: vec![0.0; if sized { codes } else { 0 }] }
            }
        };
        let small = vec![0; if whole { numbers } else { 0 }];
        let answer = Answer { nodes: question.wanted().map(node).collect(), counts };
        Self { coding, question, places, answer, small, rows: 0, whole, sized, scratch: Scratch::default() }
    }

    /// About how many bytes an answer has.
    pub fn bytes(coding: &Coding, question: &Ask) -> usize {
        let places = Places::new(coding);
        let nodes: usize =
            question.wanted().map(|w| if w.classes { 64 + 8 * coding.classes() } else { 64 }).sum();
        nodes + 8 * question.histograms() * (places.numbers() + places.codes())
    }

    /// Counts the rows of a chunk.
    pub fn add(&mut self, chunk: &Chunk) {
        let question = self.question;
        let (mut first_node, mut first_histogram) = (0, 0);
        self.rows += chunk.rows() as u64;
        if self.whole && self.rows > u64::from(u32::MAX) {
            self.widen();
            self.rows = chunk.rows() as u64;
        }
        for tree in &question.trees {
            // The numbers of the nodes that are asked about, and of their histograms.
            let mut numbers = Vec::with_capacity(tree.nodes.len());
            for node in &tree.nodes {
                numbers.push((first_node, first_histogram));
                first_node += usize::from(node.wanted.is_some());
                first_histogram += usize::from(node.wanted.is_some_and(|w| w.histograms.is_some()));
            }
            if self.coding.has_weights() || tree.has_parts(self.coding) {
                walk(self.coding, chunk, tree, shared_rows(chunk, tree), |id, rows| {
                    self.at(chunk, tree.nodes[id].wanted, numbers[id], rows);
                });
            } else {
                walk(self.coding, chunk, tree, rows_of(chunk, tree), |id, rows| {
                    self.at(chunk, tree.nodes[id].wanted, numbers[id], rows);
                });
            }
        }
    }

    /// Counts the rows of a node.
    fn at<R: AtNode>(
        &mut self,
        chunk: &Chunk,
        wanted: Option<Wanted>,
        (node, histogram): (usize, usize),
        rows: &[R],
    ) {
        let Some(wanted) = wanted else { return };
        let Scratch { classes, numbers, weights, terms } = &mut self.scratch;
        weights.clear();
        weights.extend(rows.iter().map(|row| row.weight()));
        let answer = &mut self.answer.nodes[node];
        answer.rows += rows.len() as u64;
        answer.weight += weights.iter().sum::<f64>();
        answer.size += rows.iter().map(|row| row.share()).sum::<f64>();
        match &chunk.target {
            ChunkTarget::Classes(codes) => {
                classes.clear();
                each_width!(codes, list => classes.extend(rows.iter().map(|row| list[row.row()].wide())));
                if wanted.classes {
                    let add = |(class, weight): (&u32, &f64)| answer.classes[*class as usize] += weight;
                    classes.iter().zip(&*weights).for_each(add);
                }
            }
            ChunkTarget::Numbers(list) => {
                numbers.clear();
                numbers.extend(rows.iter().map(|row| list[row.row()]));
                let weights = Some(&weights[..]).filter(|weights| weights.iter().any(|w| *w != 1.0));
                if let Some(span) = &mut answer.span {
                    span.join(&Span::new(numbers, weights));
                }
                if let (Some(sum), Some(of)) = (&mut answer.sum, &wanted.sum) {
                    sum.join(&of.sum(numbers, weights));
                }
                if let Some(frame) = &wanted.histograms {
                    let term = |(row, y): (&R, &f64)| frame.term(*y, row.weight());
                    terms.clear();
                    terms.extend(rows.iter().zip(&*numbers).map(term));
                }
            }
        }
        if wanted.histograms.is_some() {
            self.histograms(chunk, histogram, rows);
        }
    }

    /// Adds rows to the histograms of a node.
    fn histograms<R: AtNode>(&mut self, chunk: &Chunk, histogram: usize, rows: &[R]) {
        let Self { places, answer, small, scratch, sized, .. } = self;
        let (tally, codes) = (places.tally, places.codes());
        for (column, list) in chunk.columns.iter().enumerate() {
            let first = histogram * codes + places.starts[column];
            let last = histogram * codes + places.starts[column + 1];
            if self.whole {
                let counts = &mut small[first * tally..last * tally];
                each_width!(list, list => for (row, class) in rows.iter().zip(&scratch.classes) {
                    counts[list[row.row()].wide() as usize * tally + *class as usize] += 1;
                });
                continue;
            }
            let Counts::Sums { tallies, sizes } = &mut answer.counts else { continue };
            let tallies = &mut tallies[first * tally..last * tally];
            match &chunk.target {
                ChunkTarget::Classes(_) => each_width!(list, list => {
                    for (row, class) in rows.iter().zip(&scratch.classes) {
                        tallies[list[row.row()].wide() as usize * tally + *class as usize] += row.weight();
                    }
                }),
                ChunkTarget::Numbers(_) => each_width!(list, list => {
                    for (row, term) in rows.iter().zip(&scratch.terms) {
                        let place = list[row.row()].wide() as usize * 2;
                        tallies[place] += row.weight();
                        tallies[place + 1] += term;
                    }
                }),
            }
            if *sized {
                let sizes = &mut sizes[first..last];
                each_width!(list, list => for row in rows {
                    sizes[list[row.row()].wide() as usize] += row.share();
                });
            }
        }
    }

    /// Moves what was counted in half the memory to where there is room for more.
    fn widen(&mut self) {
        if let Counts::Whole(counts) = &mut self.answer.counts {
            counts.resize(self.small.len(), 0);
            counts.iter_mut().zip(&mut self.small).for_each(|(sum, n)| *sum += u64::from(std::mem::take(n)));
        }
    }

    /// What was counted.
    pub fn finish(mut self) -> Answer {
        self.widen();
        self.answer
    }
}
