//! How the columns of a table are coded, asked of those who hold the rows.

use super::budget::Shares;
use super::workers::Workers;
use crate::data::{Note, Roles, Table};
use crate::error::Result;
use crate::shard::{Coding, Decision, Levels, Look, Next, Tagging, sampled};

/// What is given beforehand.
#[derive(Debug, Clone)]
pub(super) struct Deciding {
    /// The parts that columns play; the target is named.
    pub roles: Roles,
    pub bins: usize,
    pub tagging: Tagging,
    pub levels: Levels,
    pub natural: Vec<String>,
    pub leave_out: Option<Vec<String>>,
}

/// Decides; `sample` has some rows. Notes say what was left out.
pub(super) fn decided(
    workers: &mut dyn Workers,
    sample: &Table,
    deciding: Deciding,
    shares: &Shares,
) -> Result<(Coding, Vec<Note>)> {
    let Deciding { roles, bins, tagging, levels, natural, leave_out } = deciding;
    let most_text = shares.texts;
    let question = Look { roles, bins, most_text, natural, leave_out, borders: sampled(sample) };
    let looked = workers.look(&question)?;
    let name = workers.name();
    let mut decision = Decision::new(&name, &question, looked, (levels, tagging), shares.numbers)?;
    loop {
        match decision.next()? {
            Next::Done(coding) => return Ok((*coding, decision.left_out().to_vec())),
            Next::Near(closer) => {
                let answer = workers.near(&closer)?;
                decision.answered(&closer, answer)?;
            }
        }
    }
}
