//! Those who hold the rows: files on this machine, or the machines of a cluster.

use crate::data::Table;
use crate::error::Result;
use crate::grow::Shards;
use crate::shard::{Answer, Ask, Coding, Held, HeldAnswer, Look, Looked, Near, NearValues, Taken};

/// All who hold rows of one table. Each question goes to every one of them, and the answers are added up ([`crate::shard`]).
pub trait Workers {
    /// The name of the table.
    fn name(&self) -> String;

    /// About how many rows there are.
    fn rows_about(&mut self) -> Result<u64>;

    /// Some rows, with all columns. They show names and types, and where to look first; the result does not depend on which they are.
    fn sample(&mut self) -> Result<Table>;

    /// Looks at the rows.
    fn look(&mut self, question: &Look) -> Result<Looked>;

    /// Looks closer.
    fn near(&mut self, question: &Near) -> Result<NearValues>;

    /// Codes the rows, and keeps them coded for what follows.
    fn code(&mut self, coding: &Coding) -> Result<()>;

    /// Counts the coded rows.
    fn ask(&mut self, coding: &Coding, question: &Ask) -> Result<Answer>;

    /// Hands over the rows of some nodes, as [`Shards::take`] does.
    fn take(
        &mut self,
        coding: &Coding,
        question: &Ask,
        groups: &[u32],
        give: &mut dyn FnMut(usize, Taken) -> Result<()>,
    ) -> Result<()>;

    /// Sends held-out rows down trees.
    fn hold(&mut self, coding: &Coding, question: &Held) -> Result<HeldAnswer>;

    /// How often the rows were read, and the coded rows.
    fn passes(&self) -> (usize, usize) {
        (0, 0)
    }
}

/// Workers with what their coded rows stand for.
pub(super) struct Coded<'a> {
    pub workers: &'a mut dyn Workers,
    pub coding: &'a Coding,
}

impl Shards for Coded<'_> {
    fn ask(&mut self, question: &Ask) -> Result<Answer> {
        self.workers.ask(self.coding, question)
    }

    fn take(
        &mut self,
        question: &Ask,
        groups: &[u32],
        give: &mut dyn FnMut(usize, Taken) -> Result<()>,
    ) -> Result<()> {
        self.workers.take(self.coding, question, groups, give)
    }
}
