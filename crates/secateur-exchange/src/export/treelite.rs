//! Treelite: a checkpoint of version 4, which `treelite.Model.deserialize` reads, with thresholds and leaves in double precision.
//!
//! The layout is that of "Treelite Serialization Format v4" in Treelite's documentation: numbers with the lowest byte first, lists
//! with their length before them. Values from a list are given as their places in it, missing ones as NaN, values that are not in it as the number of values. A split with
//! many branches becomes tests by halves, whose nodes stand after those of the tree.

use secateur::Result;
use secateur::schema::Schema;
use secateur::tree::{NodeId, Tree};

use super::said::{self, default_branch, heaviest_branch};
use super::ways::{Known, Ways};
use super::{Carried, Carries, Format, Job, Written, ways};
use crate::verify::TREELITE;

/// Treelite.
pub(super) static FORMAT: Format = Format {
    id: "treelite",
    one_line: "a checkpoint for Treelite and what is built on it (FIL, TL2cgen)",
    extension: "tl",
    options: &[],
    carries: Carries {
        missing_shared: Carried::Partly("heaviest branch"),
        costs: Carried::Partly("no labels"),
        note: "values from a list are given as their places in it, missing ones as NaN, unseen ones as the number of values; the result is probabilities or numbers",
        ..Carries::ALL
    },
    write,
    consumers: |_| vec![&TREELITE],
};

const LEAF: i8 = 0;
const NUMERIC: i8 = 1;
const CATEGORICAL: i8 = 2;
const LESS: i8 = 2;

/// A node of the checkpoint.
#[derive(Clone)]
struct Record {
    kind: i8,
    children: [i32; 2],
    feature: i32,
    default_left: bool,
    threshold: f64,
    categories: Vec<u32>,
    /// The node of the tree it stands for.
    node: NodeId,
}

/// Bytes while they are written.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn put(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.extend_from_slice(bytes.as_ref());
    }

    fn list<T, B: AsRef<[u8]>>(&mut self, list: &[T], bytes: impl Fn(&T) -> B) {
        self.put((list.len() as u64).to_le_bytes());
        list.iter().for_each(|x| self.put(bytes(x)));
    }

    fn text(&mut self, text: &str) {
        self.list(text.as_bytes(), |byte| [*byte]);
    }
}

fn write(job: &Job) -> Result<Written> {
    let tree = job.tree();
    let records = records(tree);
    let mut bytes = Bytes::default();
    header(&mut bytes, tree.schema());
    nodes(&mut bytes, tree, &records);
    let mut written = Written::from(bytes.0);
    written.empty_is_missing = true;
    written.to_heaviest = ways::spreads(tree);
    written.notes.extend(ways::unshared("treelite", tree));
    Ok(written)
}

/// The nodes of the tree under their own numbers, then those of splits with many branches.
fn records(tree: &Tree) -> Vec<Record> {
    let leaf = |node| Record {
        kind: LEAF,
        children: [-1, -1],
        feature: -1,
        default_left: false,
        threshold: 0.0,
        categories: Vec::new(),
        node,
    };
    let mut records: Vec<Record> = (0..tree.nodes().len()).map(leaf).collect();
    for node in 0..tree.nodes().len() {
        let Some(ways) = Ways::of(tree, node) else { continue };
        let children = tree.children(node);
        let missing = default_branch(tree, node, &ways);
        let binary = Record {
            children: [children.start as i32, children.start as i32 + 1],
            feature: ways.attribute as i32,
            default_left: missing == 0,
            ..leaf(node)
        };
        match &ways.known {
            Known::Below(threshold) => {
                records[node] = Record { kind: NUMERIC, threshold: *threshold, ..binary }
            }
            // All values are in no list: they go to the right, and the children change places.
            _ if ways.is_known_from_missing() => {
                let [with, without] = binary.children;
                let (children, default_left) = ([without, with], missing == 1);
                records[node] = Record { kind: CATEGORICAL, children, default_left, ..binary };
            }
            Known::AnyNumber => {}
            Known::Values(branches) => {
                // The place behind the list is that of values which are not in it.
                let all = branches.iter().chain([&ways.unseen]);
                let heaviest = heaviest_branch(tree, node);
                let branches: Vec<usize> = all.map(|branch| branch.unwrap_or(heaviest)).collect();
                halves(&mut records, &binary, &branches, missing, children.len());
            }
        }
    }
    records
}

/// Tests by halves of the branches.
fn halves(records: &mut Vec<Record>, split: &Record, branches: &[usize], missing: usize, count: usize) {
    let mut waiting = vec![(split.node, 0..count)];
    while let Some((place, range)) = waiting.pop() {
        let middle = range.start + range.len() / 2;
        let codes = (0u32..).zip(branches);
        let categories =
            codes.filter(|(_, b)| (range.start..middle).contains(b)).map(|(code, _)| code).collect();
        let mut children = [0; 2];
        for (child, half) in children.iter_mut().zip([range.start..middle, middle..range.end]) {
            *child = match half.len() {
                1 => split.children[0] + half.start as i32,
                _ => {
                    records.push(split.clone());
                    waiting.push((records.len() - 1, half));
                    records.len() as i32 - 1
                }
            };
        }
        let default_left = missing < middle;
        records[place] = Record { kind: CATEGORICAL, categories, children, default_left, ..split.clone() };
    }
}

fn header(bytes: &mut Bytes, schema: &Schema) {
    const DOUBLE: u8 = 3;
    let classes = schema.target.classes().len();
    let width = classes.max(1) as u32;
    for version in [4i32, 0, 0] {
        bytes.put(version.to_le_bytes());
    }
    bytes.put([DOUBLE, DOUBLE]);
    bytes.put(1u64.to_le_bytes());
    bytes.put((schema.attributes.len() as i32).to_le_bytes());
    let (regressor, classifier) = (1u8, 2u8);
    bytes.put([if classes == 0 { regressor } else { classifier }, 0]);
    bytes.put(1i32.to_le_bytes());
    bytes.list(&[width], |x| x.to_le_bytes());
    bytes.list(&[1, width], |x| x.to_le_bytes());
    // The one tree answers for the one target, and for all classes.
    bytes.list(&[0i32], |x| x.to_le_bytes());
    bytes.list(&[if classes == 0 { 0i32 } else { -1 }], |x| x.to_le_bytes());
    bytes.text(if classes == 0 { "identity" } else { "identity_multiclass" });
    bytes.put(1f32.to_le_bytes());
    bytes.put(1f32.to_le_bytes());
    bytes.list(&vec![0f64; width as usize], |x| x.to_le_bytes());
    let names: Vec<&str> = schema.attributes.iter().map(|attribute| attribute.name.as_str()).collect();
    let about = serde_json::json!({
        "made_by": concat!("secateur ", env!("CARGO_PKG_VERSION")),
        "target": schema.target.name(),
        "classes": schema.target.classes(),
        "features": names,
    });
    bytes.text(&about.to_string());
    bytes.put(0i32.to_le_bytes());
}

fn nodes(bytes: &mut Bytes, tree: &Tree, records: &[Record]) {
    let is_leaf = |record: &Record| record.kind == LEAF;
    bytes.put((records.len() as i32).to_le_bytes());
    bytes.put([u8::from(records.iter().any(|record| record.kind == CATEGORICAL))]);
    bytes.list(records, |record| record.kind.to_le_bytes());
    bytes.list(records, |record| record.children[0].to_le_bytes());
    bytes.list(records, |record| record.children[1].to_le_bytes());
    bytes.list(records, |record| record.feature.to_le_bytes());
    bytes.list(records, |record| [u8::from(record.default_left)]);
    let value = |record: &Record| match !tree.is_classifier() && is_leaf(record) {
        true => said::said(tree, record.node).numbers[0],
        false => 0.0,
    };
    bytes.list(records, |record| value(record).to_le_bytes());
    bytes.list(records, |record| record.threshold.to_le_bytes());
    bytes.list(records, |record| if record.kind == NUMERIC { LESS } else { 0 }.to_le_bytes());
    bytes.list(records, |_| [0]);

    let vector = |record: &Record| match tree.is_classifier() && is_leaf(record) {
        true => said::said(tree, record.node).numbers,
        false => Vec::new(),
    };
    let vectors: Vec<Vec<f64>> = records.iter().map(vector).collect();
    segments(bytes, &vectors, |x| x.to_le_bytes());
    let categories: Vec<&[u32]> = records.iter().map(|record| &record.categories[..]).collect();
    segments(bytes, &categories, |x| x.to_le_bytes());

    bytes.list(records, |record| tree.node(record.node).rows.to_le_bytes());
    bytes.list(records, |_| [1]);
    bytes.list(records, |record| tree.node(record.node).weight.to_le_bytes());
    bytes.list(records, |_| [1]);
    bytes.list(records, |record| tree.node(record.node).gain.to_le_bytes());
    bytes.list(records, |record| [u8::from(!is_leaf(record))]);
    bytes.put(0i32.to_le_bytes());
    bytes.put(0i32.to_le_bytes());
}

/// Lists of all nodes in one, where each begins and where it ends.
fn segments<T: Copy, B: AsRef<[u8]>>(bytes: &mut Bytes, lists: &[impl AsRef<[T]>], of: impl Fn(&T) -> B) {
    let all: Vec<T> = lists.iter().flat_map(|list| list.as_ref().iter().copied()).collect();
    let mut ends = Vec::with_capacity(lists.len());
    let mut end = 0u64;
    for list in lists {
        end += list.as_ref().len() as u64;
        ends.push(end);
    }
    let begins: Vec<u64> =
        ends.iter().zip(lists).map(|(end, list)| end - list.as_ref().len() as u64).collect();
    bytes.list(&all, of);
    bytes.list(&begins, |x| x.to_le_bytes());
    bytes.list(&ends, |x| x.to_le_bytes());
}
