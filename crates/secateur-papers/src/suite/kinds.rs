//! Kinds of tables: small, noisy, many classes and so on, each by a definition that needs no judgement.

use secateur::schema::Task;

use super::Facts;

/// A kind of tables.
#[derive(Debug, Clone, Copy)]
pub struct TableKind {
    /// Its name.
    pub name: &'static str,
    /// What makes a table one of it, in words.
    pub words: &'static str,
    /// Whether a table is one of it. The number is the share of the root's error (of its squared error, for numbers) that the
    /// best scheme leaves.
    pub is: fn(&Facts, f64) -> bool,
    /// Whether it exists for numbers too.
    pub for_numbers: bool,
}

/// All kinds.
pub static KINDS: [TableKind; 7] = [
    TableKind {
        name: "small",
        words: "fewer than 200 rows",
        is: |facts, _| facts.rows < 200,
        for_numbers: true,
    },
    TableKind {
        name: "noisy",
        words: "even the best scheme leaves more than half of the errors of the root alone (for numbers: of its squared error)",
        is: |_, left| left > 0.5,
        for_numbers: true,
    },
    TableKind {
        name: "many classes",
        words: "six or more",
        is: |facts, _| facts.classes >= 6,
        for_numbers: false,
    },
    TableKind {
        name: "rare class",
        words: "two classes, one of them with at most an eighth of the rows",
        is: |facts, _| facts.classes == 2 && facts.rarest <= 0.125,
        for_numbers: false,
    },
    TableKind {
        name: "nominal",
        words: "more than half of the columns hold values from a list",
        is: |facts, _| 2 * facts.nominal > facts.columns,
        for_numbers: true,
    },
    TableKind {
        name: "missing",
        words: "some cells are empty",
        is: |facts, _| facts.missing > 0.0,
        for_numbers: true,
    },
    TableKind {
        name: "large",
        words: "5000 rows or more",
        is: |facts, _| facts.rows >= 5000,
        for_numbers: true,
    },
];

impl TableKind {
    /// Whether it exists for a kind of target.
    pub fn fits(&self, task: Task) -> bool {
        self.for_numbers || task == Task::Classification
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_follow_from_their_definitions() {
        let facts = Facts {
            name: "a".into(),
            task: Task::Classification,
            rows: 199,
            of_rows: 199,
            columns: 4,
            nominal: 2,
            missing: 0.0,
            classes: 6,
            rarest: 0.1,
            repeats: 1,
        };
        let of = |facts: &Facts, left: f64| -> Vec<&str> {
            KINDS.iter().filter(|kind| (kind.is)(facts, left)).map(|kind| kind.name).collect()
        };
        assert_eq!(of(&facts, 0.5), ["small", "many classes"]);
        assert_eq!(of(&Facts { rows: 300, classes: 2, ..facts.clone() }, 0.5), ["rare class"]);
        assert!(of(&Facts { rows: 300, classes: 2, rarest: 0.13, ..facts.clone() }, 0.5).is_empty());
        let other = Facts { rows: 5000, nominal: 3, missing: 0.01, classes: 5, ..facts };
        assert_eq!(of(&other, 0.51), ["noisy", "nominal", "missing", "large"]);
    }
}
