//! Files on this machine: read in portions, coded into a scratch folder.

use std::sync::{Mutex, PoisonError};

use super::cache::Cache;
use super::workers::Workers;
use crate::data::Table;
use crate::data::read::portions::{Pass, Portions};
use crate::error::{Error, Place, Result};
use crate::progress::Progress;
use crate::shard::{
    Add, Answer, Ask, Coder, Coding, Held, HeldAnswer, Look, Looked, Looker, Near, NearLooker, NearValues,
    Taken,
};
use crate::write::Scratch;

/// Files that hold the rows of a table.
pub struct Files<'a> {
    portions: &'a Portions,
    scratch: &'a Scratch,
    progress: &'a dyn Progress,
    cache: Option<Cache<'a>>,
    readings: usize,
}

impl<'a> Files<'a> {
    /// Files, and where their coded rows are kept meanwhile.
    pub fn new(portions: &'a Portions, scratch: &'a Scratch, progress: &'a dyn Progress) -> Self {
        Self { portions, scratch, progress, cache: None, readings: 0 }
    }

    /// The bytes of the coded rows.
    pub fn coded_bytes(&self) -> u64 {
        self.cache.as_ref().map_or(0, Cache::bytes)
    }

    fn cache(&self) -> Result<&Cache<'a>> {
        self.cache.as_ref().ok_or_else(|| Error::internal("rows that are not coded yet"))
    }

    /// Adds all portions to something that threads make for themselves as they need it.
    fn gathered<T: Send>(
        &mut self,
        what: &str,
        only: Option<&[String]>,
        new: impl Fn() -> T + Sync,
        add: impl Fn(&mut T, u64, &Table) -> Result<()> + Sync,
    ) -> Result<Vec<T>> {
        loop {
            self.readings += 1;
            let stage = format!("reading {}: {what}", self.readings);
            if self.portions.rows().is_some() {
                self.progress.stage_of_rows(&stage, self.portions.total());
            } else {
                self.progress.stage(&stage, self.portions.total());
            }
            let pool: Mutex<Vec<T>> = Mutex::default();
            let open = || pool.lock().unwrap_or_else(PoisonError::into_inner);
            let work = |at: u64, table: Table| {
                // Not locked while it is worked with.
                let own = open().pop();
                let mut own = own.unwrap_or_else(&new);
                add(&mut own, at, &table)?;
                open().push(own);
                Ok(())
            };
            if self.portions.each(only, self.progress, &work)? == Pass::Done {
                return Ok(pool.into_inner().unwrap_or_else(PoisonError::into_inner));
            }
        }
    }
}

impl Workers for Files<'_> {
    fn name(&self) -> String {
        self.portions.name().into()
    }

    fn rows_about(&mut self) -> Result<u64> {
        Ok(self.portions.rows_about())
    }

    fn sample(&mut self) -> Result<Table> {
        self.portions.sample()
    }

    fn look(&mut self, question: &Look) -> Result<Looked> {
        let new = || Looker::new(question);
        let parts =
            self.gathered("looking at the columns", None, new, |looker, at, table| looker.add(table, at))?;
        sum(parts.into_iter().map(Looker::finish))
    }

    fn near(&mut self, question: &Near) -> Result<NearValues> {
        let only: Vec<String> = question.needs().map(str::to_string).collect();
        let new = || NearLooker::new(question);
        let add = |looker: &mut NearLooker, at: u64, table: &Table| looker.add(table, at);
        let parts = self.gathered("finding the borders of bins", Some(&only), new, add)?;
        sum(parts.into_iter().map(NearLooker::finish))
    }

    fn code(&mut self, coding: &Coding) -> Result<()> {
        let cache = Cache::new(self.scratch, coding, self.progress)?;
        let coder = Coder::new(coding)?;
        self.gathered("coding", None, || (), |(), at, table| cache.push(&coder.chunk(table, at)?))?;
        if cache.rows() != coding.rows() {
            return Err(Error::input(
                Place::file(self.portions.name()),
                "it was changed while it was being read; leave it as it is, and start again",
            ));
        }
        self.cache = Some(cache);
        Ok(())
    }

    fn ask(&mut self, coding: &Coding, question: &Ask) -> Result<Answer> {
        self.cache()?.ask(coding, question)
    }

    fn take(
        &mut self,
        coding: &Coding,
        question: &Ask,
        groups: &[u32],
        give: &mut dyn FnMut(usize, Taken) -> Result<()>,
    ) -> Result<()> {
        self.cache()?.take(coding, question, groups, give)
    }

    fn hold(&mut self, coding: &Coding, question: &Held) -> Result<HeldAnswer> {
        self.cache()?.hold(coding, question)
    }

    fn passes(&self) -> (usize, usize) {
        (self.readings, self.cache.as_ref().map_or(0, Cache::passes))
    }
}

fn sum<A: Add>(parts: impl Iterator<Item = Result<A>>) -> Result<A> {
    let mut all: Option<A> = None;
    for part in parts {
        match &mut all {
            None => all = Some(part?),
            Some(all) => all.add(part?)?,
        }
    }
    all.ok_or_else(|| Error::parameter("there are no rows to look at"))
}
