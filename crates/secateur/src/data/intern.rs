//! Giving every different text a number, in the order of first appearance.

use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// Different texts and their numbers.
pub(super) struct Interner<S> {
    levels: Vec<S>,
    codes: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl<S> Default for Interner<S> {
    fn default() -> Self {
        Self { levels: Vec::new(), codes: HashTable::new(), hasher: DefaultHashBuilder::default() }
    }
}

impl<S: AsRef<str>> Interner<S> {
    /// The number of a text, if it has one.
    pub(super) fn find(&self, text: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(text);
        self.codes.find(hash, |&code| self.levels[code as usize].as_ref() == text).copied()
    }

    /// The number of a text, a new one if it is new. A table has fewer rows than `u32` has numbers for
    /// values; should that ever be false, the last number stands for missing.
    pub(super) fn code<T: AsRef<str> + Into<S>>(&mut self, text: T) -> u32 {
        let Self { levels, codes, hasher } = self;
        let hash = hasher.hash_one(text.as_ref());
        let entry = codes.entry(
            hash,
            |&code| levels[code as usize].as_ref() == text.as_ref(),
            |&code| hasher.hash_one(levels[code as usize].as_ref()),
        );
        match entry {
            hashbrown::hash_table::Entry::Occupied(found) => *found.get(),
            hashbrown::hash_table::Entry::Vacant(vacant) => {
                let code = u32::try_from(levels.len()).unwrap_or(u32::MAX);
                if code != u32::MAX {
                    levels.push(text.into());
                    vacant.insert(code);
                }
                code
            }
        }
    }

    /// The texts, in the order of their numbers.
    pub(super) fn levels(&self) -> &[S] {
        &self.levels
    }

    /// The texts, in the order of their numbers.
    pub(super) fn into_levels(self) -> Vec<S> {
        self.levels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_first_appearance() {
        let mut interner = Interner::<String>::default();
        let codes: Vec<u32> = ["b", "a", "b", "c", "a"].map(|t| interner.code(t)).to_vec();
        assert_eq!(codes, [0, 1, 0, 2, 1]);
        assert_eq!(interner.find("c"), Some(2));
        assert_eq!(interner.find("d"), None);
        assert_eq!(interner.into_levels(), ["b", "a", "c"]);
    }
}
