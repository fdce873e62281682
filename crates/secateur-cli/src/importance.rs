//! How much each attribute helped: in words and as JSON.

use secateur::tree::Tree;
use serde::Serialize;

use crate::output;

/// An attribute that a tree tests.
#[derive(Serialize)]
pub struct Importance<'a> {
    attribute: &'a str,
    /// Its share of what all splits gained.
    share: f64,
}

/// The attributes that a tree tests, the most important one first.
pub fn list(tree: &Tree) -> Vec<Importance<'_>> {
    let shares = tree.importances();
    let named = tree.schema().attributes.iter().zip(shares);
    let mut list: Vec<_> = named.map(|(a, share)| Importance { attribute: &a.name, share }).collect();
    list.retain(|one| one.share > 0.0);
    list.sort_by(|a, b| b.share.total_cmp(&a.share));
    list
}

/// The most important attributes in words; `None` for a tree that tests nothing.
pub fn in_words(tree: &Tree) -> Option<String> {
    const MOST: usize = 6;
    let list = list(tree);
    let word = |one: &Importance| match one.share < 0.005 {
        true => format!("{} <1 %", output::shortened(one.attribute, 24)),
        false => format!("{} {:.0} %", output::shortened(one.attribute, 24), 100.0 * one.share),
    };
    let mut words: Vec<String> = list.iter().take(MOST).map(word).collect();
    if list.len() > MOST {
        words.push(format!("{} more", list.len() - MOST));
    }
    (!words.is_empty()).then(|| words.join(", "))
}
