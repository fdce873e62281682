//! Feature importance, the share of the total gain: in words and as JSON.

use secateur::report::safe;
use secateur::tree::Tree;
use serde::Serialize;

/// A feature that a tree splits on.
#[derive(Serialize)]
pub struct Importance<'a> {
    attribute: &'a str,
    /// Its share of the total gain.
    share: f64,
}

/// The features that a tree splits on, the most important one first.
pub fn list(tree: &Tree) -> Vec<Importance<'_>> {
    let shares = tree.importances();
    let named = tree.schema().attributes.iter().zip(shares);
    let mut list: Vec<_> = named.map(|(a, share)| Importance { attribute: &a.name, share }).collect();
    list.retain(|one| one.share > 0.0);
    list.sort_by(|a, b| b.share.total_cmp(&a.share));
    list
}

/// The most important attributes in words, with the name of the measure; `None` for a tree that tests nothing.
pub fn in_words(tree: &Tree) -> Option<String> {
    const MOST: usize = 6;
    let list = list(tree);
    let word = |one: &Importance| {
        let share = match one.share < 0.0005 {
            true => "<0.1 %".into(),
            false => format!("{:.1} %", 100.0 * one.share).replace(".0 %", " %"),
        };
        format!("{} {share}", safe(one.attribute))
    };
    let mut words: Vec<String> = list.iter().take(MOST).map(word).collect();
    if list.len() > MOST {
        words.push(format!("{} more", list.len() - MOST));
    }
    (!words.is_empty()).then(|| format!("{} (share of the total gain)", words.join(", ")))
}
