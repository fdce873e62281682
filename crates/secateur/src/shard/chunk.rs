//! A coded chunk: some rows as small whole numbers, and as bytes to keep or to send.

use super::coding::{Coding, Tagging, width_of};
use crate::data::Codes;
use crate::data::codes::{Code, each_width};
use crate::error::{Error, Result};

/// Coded rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    /// The codes of every column.
    pub(crate) columns: Vec<Codes>,
    pub(crate) target: ChunkTarget,
    /// The weights, when they are not all one.
    pub(crate) weights: Option<Vec<f64>>,
    /// Which rows are held out when.
    pub(crate) tags: Option<Vec<u8>>,
}

/// The target of coded rows.
#[derive(Debug, Clone, PartialEq)]
pub enum ChunkTarget {
    /// Classes.
    Classes(Codes),
    /// Numbers, times the unit.
    Numbers(Vec<f64>),
}

impl ChunkTarget {
    fn len(&self) -> usize {
        match self {
            Self::Classes(codes) => codes.len(),
            Self::Numbers(numbers) => numbers.len(),
        }
    }
}

/// Where the parts of coded rows lie in their bytes: columns, target, weights, tags, one after the other.
pub(crate) struct Layout {
    /// The bytes of a row in every part.
    widths: Vec<usize>,
    columns: usize,
}

impl Layout {
    pub(crate) fn new(coding: &Coding) -> Self {
        let columns = coding.width();
        let mut widths: Vec<usize> = (0..columns).map(|c| width_of(coding.cardinality(c))).collect();
        widths.push(if coding.classes() == 0 { 8 } else { width_of(coding.classes() as u32) });
        widths.push(if coding.has_weights() { 8 } else { 0 });
        widths.push(usize::from(coding.tagging() != Tagging::None));
        Self { widths, columns }
    }

    pub(crate) fn target(&self) -> usize {
        self.columns
    }

    pub(crate) fn weights(&self) -> usize {
        self.columns + 1
    }

    pub(crate) fn tags(&self) -> usize {
        self.columns + 2
    }

    /// How many rows this many bytes are.
    fn rows(&self, bytes: usize) -> Result<usize> {
        let row: usize = self.widths.iter().sum();
        if row == 0 || !bytes.is_multiple_of(row) {
            return Err(Error::internal("coded rows that were cut off"));
        }
        Ok(bytes / row)
    }

    /// The bytes of a part of this many rows.
    pub(crate) fn range(&self, part: usize, rows: usize) -> std::ops::Range<usize> {
        let start = rows * self.widths[..part].iter().sum::<usize>();
        start..start + rows * self.widths[part]
    }
}

impl Chunk {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.target.len()
    }

    /// Which rows are held out when, where any are.
    pub fn tags(&self) -> Option<&[u8]> {
        self.tags.as_deref()
    }

    /// The rows as bytes: column by column, the lowest byte of a code first, then target, weights and tags.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.columns.iter().for_each(|codes| write_codes(&mut bytes, codes));
        match &self.target {
            ChunkTarget::Classes(codes) => write_codes(&mut bytes, codes),
            ChunkTarget::Numbers(numbers) => write_numbers(&mut bytes, numbers),
        }
        self.weights.iter().for_each(|weights| write_numbers(&mut bytes, weights));
        bytes.extend(self.tags.iter().flatten());
        bytes
    }

    /// The rows that [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    /// When the bytes are not those of whole rows.
    pub fn from_bytes(coding: &Coding, bytes: &[u8]) -> Result<Self> {
        let places = Layout::new(coding);
        let rows = places.rows(bytes.len())?;
        Self::from_parts(coding, rows, |part| Ok(Some(bytes[places.range(part, rows)].to_vec())))
    }

    /// Columns and target alone, as bytes.
    pub(crate) fn bare_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.columns.iter().for_each(|codes| write_codes(&mut bytes, codes));
        match &self.target {
            ChunkTarget::Classes(codes) => write_codes(&mut bytes, codes),
            ChunkTarget::Numbers(numbers) => write_numbers(&mut bytes, numbers),
        }
        bytes
    }

    /// The rows that [`bare_bytes`](Self::bare_bytes) wrote, with weights.
    pub(crate) fn from_bare(coding: &Coding, bytes: &[u8], weights: Option<Vec<f64>>) -> Result<Self> {
        let mut places = Layout::new(coding);
        places.widths.truncate(coding.width() + 1);
        let rows = places.rows(bytes.len())?;
        let is_bare = |part: usize| part < places.widths.len();
        let read = |part: usize| Ok(is_bare(part).then(|| bytes[places.range(part, rows)].to_vec()));
        Ok(Self { weights, ..Self::from_parts(coding, rows, read)? })
    }

    /// The rows from the bytes of their parts; one that is not there is left empty.
    pub(crate) fn from_parts(
        coding: &Coding,
        rows: usize,
        read: impl Fn(usize) -> Result<Option<Vec<u8>>>,
    ) -> Result<Self> {
        let places = Layout::new(coding);
        let wrong = || Error::internal("coded rows that belong to another coding");
        let codes = |part: usize, largest: u32| -> Result<Codes> {
            let codes = read_codes(places.widths[part], read(part)?.unwrap_or_default());
            let fits = is_at_most(&codes, largest) && (codes.is_empty() || codes.len() == rows);
            if fits { Ok(codes) } else { Err(wrong()) }
        };
        let columns = (0..coding.width()).map(|c| codes(c, coding.cardinality(c))).collect::<Result<_>>()?;
        let target = match coding.classes() {
            0 => ChunkTarget::Numbers(read_numbers(&read(places.target())?.unwrap_or_default())),
            classes => ChunkTarget::Classes(codes(places.target(), classes as u32 - 1)?),
        };
        let present = |part: usize| places.widths[part] > 0;
        let weights = if present(places.weights()) { read(places.weights())? } else { None };
        let tags = if present(places.tags()) { read(places.tags())? } else { None };
        let weights = weights.map(|bytes| read_numbers(&bytes));
        if target.len() != rows {
            return Err(wrong());
        }
        Ok(Self { columns, target, weights, tags })
    }

    /// Several chunks of the same coding as one, without tags. Each is given up as it is copied.
    pub(crate) fn joined(mut chunks: Vec<Self>) -> Option<Self> {
        let width = chunks.first()?.columns.len();
        let nothing = ChunkTarget::Numbers(Vec::new());
        let mut whole =
            Self { columns: Vec::with_capacity(width), target: nothing, weights: None, tags: None };
        let rows = chunks.iter().map(Self::rows).sum();
        for column in 0..width {
            let parts = chunks
                .iter_mut()
                .map(|chunk| std::mem::replace(&mut chunk.columns[column], Codes::U8(Vec::new())));
            whole.columns.push(joined_codes(parts, rows));
        }
        let numbers = |parts: &mut dyn Iterator<Item = Vec<f64>>| {
            let mut all = Vec::with_capacity(rows);
            parts.for_each(|part| all.extend(part));
            all
        };
        whole.target = match chunks[0].target {
            ChunkTarget::Classes(_) => {
                let parts = chunks.iter_mut().filter_map(|chunk| match &mut chunk.target {
                    ChunkTarget::Classes(codes) => Some(std::mem::replace(codes, Codes::U8(Vec::new()))),
                    ChunkTarget::Numbers(_) => None,
                });
                ChunkTarget::Classes(joined_codes(parts, rows))
            }
            ChunkTarget::Numbers(_) => {
                let mut parts = chunks.iter_mut().filter_map(|chunk| match &mut chunk.target {
                    ChunkTarget::Numbers(list) => Some(std::mem::take(list)),
                    ChunkTarget::Classes(_) => None,
                });
                ChunkTarget::Numbers(numbers(&mut parts))
            }
        };
        if chunks.iter().all(|chunk| chunk.weights.is_some()) {
            let mut parts = chunks.iter_mut().filter_map(|chunk| chunk.weights.take());
            whole.weights = Some(numbers(&mut parts));
        }
        Some(whole)
    }

    /// Adds the rows of another chunk of the same coding.
    pub fn append(&mut self, other: Self) {
        self.columns.iter_mut().zip(other.columns).for_each(|(mine, more)| join(mine, more));
        match (&mut self.target, other.target) {
            (ChunkTarget::Classes(mine), ChunkTarget::Classes(more)) => join(mine, more),
            (ChunkTarget::Numbers(mine), ChunkTarget::Numbers(more)) => mine.extend(more),
            _ => {}
        }
        if let (Some(mine), Some(more)) = (&mut self.weights, other.weights) {
            mine.extend(more);
        }
        if let (Some(mine), Some(more)) = (&mut self.tags, other.tags) {
            mine.extend(more);
        }
    }

    /// What tells a row apart from others by its values.
    pub(crate) fn key(&self, row: usize) -> (Vec<u32>, u64, u64) {
        let codes = self.columns.iter().map(|codes| codes.get(row)).collect();
        let target = match &self.target {
            ChunkTarget::Classes(codes) => u64::from(codes.get(row)),
            ChunkTarget::Numbers(numbers) => numbers[row].to_bits(),
        };
        (codes, target, self.weights.as_ref().map_or(0, |weights| weights[row].to_bits()))
    }

    /// Some of the rows.
    pub(crate) fn gather(&self, rows: &[u32]) -> Self {
        let pick = |list: &Vec<f64>| rows.iter().map(|&row| list[row as usize]).collect();
        Self {
            columns: self.columns.iter().map(|codes| codes.gather(rows)).collect(),
            target: match &self.target {
                ChunkTarget::Classes(codes) => ChunkTarget::Classes(codes.gather(rows)),
                ChunkTarget::Numbers(numbers) => ChunkTarget::Numbers(pick(numbers)),
            },
            weights: self.weights.as_ref().map(pick),
            tags: self.tags.as_ref().map(|tags| rows.iter().map(|&row| tags[row as usize]).collect()),
        }
    }
}

fn join(mine: &mut Codes, more: Codes) {
    match (mine, more) {
        (Codes::U8(mine), Codes::U8(more)) => mine.extend(more),
        (Codes::U16(mine), Codes::U16(more)) => mine.extend(more),
        (Codes::U32(mine), Codes::U32(more)) => mine.extend(more),
        _ => {}
    }
}

fn is_at_most(codes: &Codes, largest: u32) -> bool {
    each_width!(codes, list => list.iter().copied().max().is_none_or(|most| most.wide() <= largest))
}

fn write_codes(bytes: &mut Vec<u8>, codes: &Codes) {
    match codes {
        Codes::U8(list) => bytes.extend_from_slice(list),
        Codes::U16(list) => list.iter().for_each(|code| bytes.extend_from_slice(&code.to_le_bytes())),
        Codes::U32(list) => list.iter().for_each(|code| bytes.extend_from_slice(&code.to_le_bytes())),
    }
}

fn write_numbers(bytes: &mut Vec<u8>, numbers: &[f64]) {
    numbers.iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
}

fn joined_codes(parts: impl Iterator<Item = Codes>, rows: usize) -> Codes {
    let mut all: Option<Codes> = None;
    for part in parts {
        let all = all.get_or_insert_with(|| match &part {
            Codes::U8(_) => Codes::U8(Vec::with_capacity(rows)),
            Codes::U16(_) => Codes::U16(Vec::with_capacity(rows)),
            Codes::U32(_) => Codes::U32(Vec::with_capacity(rows)),
        });
        join(all, part);
    }
    all.unwrap_or(Codes::U8(Vec::new()))
}

fn read_codes(width: usize, bytes: Vec<u8>) -> Codes {
    match width {
        1 => Codes::U8(bytes),
        2 => Codes::U16(bytes.as_chunks().0.iter().map(|b| u16::from_le_bytes(*b)).collect()),
        _ => Codes::U32(bytes.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b)).collect()),
    }
}

fn read_numbers(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect()
}
