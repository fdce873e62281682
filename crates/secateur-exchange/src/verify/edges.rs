//! Rows made for the edges of a tree: for every test a row that reaches it with the values at, just below and just above its
//! threshold, with every value of its list, with none, with one that the tree has never seen, and with infinite numbers.

use std::ops::Range;

use secateur::data::MISSING;
use secateur::schema::Cell;
use secateur::tree::{Condition, NodeId, Tree};

use super::{Column, Rows};
use crate::export::Inputs;

/// The most rows that are made. In a larger tree some tests are left out, evenly.
const MOST_ROWS: usize = 20_000;
/// The most values of one list that are tried at one test.
const MOST_VALUES: usize = 64;
/// Rows with values missing here and there.
const GAPPY_ROWS: usize = 400;

/// Where an input may lie for a row to reach a node.
#[derive(Clone, PartialEq)]
enum Room {
    /// From the first number on, below the second.
    Numbers(f64, f64),
    /// One of these codes.
    Codes(Vec<u32>),
    /// Nowhere: the value is missing.
    Missing,
}

impl Room {
    /// A value inside.
    fn inside(&self) -> Value {
        match self {
            // Missing values alone come here.
            Self::Numbers(low, high) if low >= high => Value::Missing,
            Self::Numbers(low, _) if low.is_finite() => Value::Number(*low),
            Self::Numbers(_, high) if high.is_finite() => Value::Number(high.next_down()),
            Self::Numbers(..) => Value::Number(0.0),
            Self::Missing => Value::Missing,
            Self::Codes(codes) => codes.first().map_or(Value::Missing, |code| Value::Code(*code)),
        }
    }
}

/// One cell of a row.
#[derive(Clone, Copy, PartialEq)]
enum Value {
    Number(f64),
    Code(u32),
    Missing,
}

struct Maker<'a, 't> {
    tree: &'t Tree,
    inputs: &'a Inputs<'t>,
    rows: &'a mut Rows,
    /// For every list of values two that the tree does not know, by their places.
    unseen: Vec<Range<u32>>,
}

/// Adds the edge rows of a tree.
pub(super) fn add(tree: &Tree, inputs: &Inputs, rows: &mut Rows) {
    let unseen = rows.columns.iter_mut().map(add_unseen).collect();
    let mut maker = Maker { tree, inputs, rows, unseen };
    let splits: Vec<NodeId> = (0..tree.nodes().len()).filter(|&node| !tree.is_leaf(node)).collect();
    let per_split = splits.iter().map(|&node| maker.values(node).len()).sum::<usize>() / splits.len().max(1);
    let step = (splits.len() * per_split.max(1)).div_ceil(MOST_ROWS).max(1);
    for &node in splits.iter().step_by(step) {
        let base = maker.row_to(node);
        let place = maker.place(node);
        for value in maker.values(node) {
            let mut row = base.clone();
            row[place] = value;
            maker.push(&row);
        }
    }
    let all = |value: Value| vec![value; maker.inputs.len()];
    let whole =
        [Value::Missing, Value::Number(f64::INFINITY), Value::Number(f64::NEG_INFINITY), Value::Number(-0.0)];
    for row in whole.map(all) {
        maker.push(&row);
    }
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    for _ in 0..GAPPY_ROWS.min(splits.len() * 40) {
        let node = splits[next(&mut random) as usize % splits.len()];
        let mut row = maker.row_to(node);
        for cell in &mut row {
            if next(&mut random).is_multiple_of(3) {
                *cell = Value::Missing;
            }
        }
        maker.push(&row);
    }
}

/// A number that looks random (splitmix64).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ (z >> 31)) >> 8
}

fn add_unseen(column: &mut Column) -> Range<u32> {
    let Column::Texts(levels, _) = column else { return 0..0 };
    let begin = levels.len() as u32;
    let mut text = String::from("a value the tree hasn't seen");
    while levels.contains(&text) {
        text.push('!');
    }
    levels.push(text);
    if !levels.iter().any(String::is_empty) {
        levels.push(String::new());
    }
    begin..levels.len() as u32
}

impl Maker<'_, '_> {
    fn condition(&self, node: NodeId) -> Option<&Condition> {
        self.tree.node(node).condition.as_ref()
    }

    /// The input that a node tests.
    fn place(&self, node: NodeId) -> usize {
        self.condition(node).map_or(0, |condition| self.inputs.place(condition.attribute()))
    }

    /// What a test is tried with.
    fn values(&self, node: NodeId) -> Vec<Value> {
        let place = self.place(node);
        let mut values = match self.condition(node) {
            Some(&Condition::Threshold { below, .. }) => {
                let single = f64::from(below as f32);
                [below, below.next_down(), below.next_up(), single, f64::INFINITY, f64::NEG_INFINITY]
                    .map(Value::Number)
                    .to_vec()
            }
            _ if matches!(self.rows.columns[place], Column::Numbers(_)) => {
                [0.0, f64::INFINITY, f64::NEG_INFINITY].map(Value::Number).to_vec()
            }
            _ => {
                let known = self.unseen[place].start as usize;
                let step = known.div_ceil(MOST_VALUES).max(1);
                let codes = (0..known as u32).step_by(step).chain(self.unseen[place].clone());
                codes.map(Value::Code).collect()
            }
        };
        values.push(Value::Missing);
        values
    }

    /// A row that reaches a node in one piece, where one does.
    fn row_to(&self, node: NodeId) -> Vec<Value> {
        let free = |(place, input): (usize, crate::export::Input)| match input.is_numeric() {
            true => Room::Numbers(f64::NEG_INFINITY, f64::INFINITY),
            false => Room::Codes((0..self.unseen[place].start).collect()),
        };
        let mut rooms: Vec<Option<Room>> = vec![None; self.inputs.len()];
        let way = self.tree.get(node).map(|node| node.way()).unwrap_or_default();
        for pair in way.windows(2) {
            let (Some(condition), Some(branch)) = (pair[0].condition(), pair[1].branch()) else { continue };
            let place = self.inputs.place(condition.attribute());
            let (Some(room), Some(input)) = (rooms.get_mut(place), self.inputs.iter().nth(place)) else {
                continue;
            };
            let room = room.get_or_insert_with(|| free((place, input)));
            match (room, condition) {
                (room, Condition::Known { .. }) if branch == 1 => *room = Room::Missing,
                (Room::Numbers(low, high), Condition::Threshold { below, .. }) => match branch {
                    0 => *high = high.min(*below),
                    _ => *low = low.max(*below),
                },
                (Room::Codes(codes), condition) => {
                    codes.retain(|&code| condition.route(Cell::Code(code)) == Some(branch));
                }
                _ => {}
            }
        }
        let cell = |(room, input): (Option<Room>, (usize, crate::export::Input))| match room {
            Some(room) => room.inside(),
            None if input.1.is_numeric() => Value::Number(0.0),
            None => Value::Code(0),
        };
        rooms.into_iter().zip(self.inputs.iter().enumerate()).map(cell).collect()
    }

    fn push(&mut self, row: &[Value]) {
        for ((column, value), unseen) in self.rows.columns.iter_mut().zip(row).zip(&self.unseen) {
            match (column, value) {
                (Column::Numbers(numbers), Value::Number(x)) => numbers.push(*x),
                (Column::Numbers(numbers), _) => numbers.push(f64::NAN),
                (Column::Texts(_, codes), Value::Code(code)) => codes.push(*code),
                // Infinite numbers have no text that a list would hold.
                (Column::Texts(_, codes), Value::Number(_)) => codes.push(unseen.start),
                (Column::Texts(_, codes), Value::Missing) => codes.push(MISSING),
            }
        }
        self.rows.count += 1;
    }
}
