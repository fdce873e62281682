//! Trees as source text: one file without dependencies for every language, all with the same tables and the same walk.

mod flat;
mod nested;
mod template;
mod text;

pub(super) mod c;
pub(super) mod javascript;
pub(super) mod python;
pub(super) mod rust;

pub(crate) use self::text::words;
use secateur::tree::Tree;

use self::flat::Flat;
use super::Job;
use super::format::refused;
use super::said::ends_at_leaves;

/// The most parts of a row that may wait at a time: programs without memory of their own keep them on the stack.
const MOST_PARTS: usize = 1 << 16;

/// What all templates ask for.
struct Source<'t> {
    flat: Flat<'t>,
    flags: Vec<(&'static str, bool)>,
    words: Vec<(&'static str, String)>,
}

/// Looks at a tree.
fn source<'a>(format: &str, job: &Job<'a>) -> secateur::Result<Source<'a>> {
    let tree: &Tree = job.tree();
    let flat = Flat::of(tree);
    if flat.most_parts > MOST_PARTS {
        let reason = format!(
            "a row could go down in {} parts at a time; at most {MOST_PARTS} can wait",
            flat.most_parts
        );
        return Err(refused(format, reason));
    }
    if !ends_at_leaves(tree) {
        return Err(refused(format, "it is so deep that the shares of a row in parts round to 0; prune it"));
    }
    let classes = job.classes().len();
    let flags = vec![
        ("classes", classes > 0),
        ("costs", tree.costs().is_some()),
        ("lists", flat.has_lists()),
        ("numbers", flat.has_numbers()),
        ("tests", flat.has_tests()),
        ("sent", flat.sends_missing()),
        ("known", flat.asks_known()),
        ("nested", nested::is_small(&flat)),
    ];
    let words = vec![
        ("version", env!("CARGO_PKG_VERSION").to_string()),
        ("class count", classes.to_string()),
        ("input count", flat.inputs.len().to_string()),
        ("node count", flat.nodes.len().to_string()),
        ("leaf count", flat.leaves.len().to_string()),
        ("most parts", flat.most_parts.to_string()),
    ];
    Ok(Source { flat, flags, words })
}
