//! For numbers: the tallies of new nodes, asked for in rounds that all nodes share.

use super::making::State;
use super::{At, Rounds, Shards};
use crate::error::{Error, Result};
use crate::shard::{Ask, NodeAnswer, Wanted};
use crate::split::moments::{Span, Terms, tally_of};
use crate::split::{NodeCount, NumberTally, Tally};
use crate::sums::ExactSum;

/// What is known of the numbers of a node so far.
struct Known {
    at: At,
    answer: NodeAnswer,
    span: Span,
    sums: Vec<(Terms, ExactSum)>,
    tally: Option<NumberTally>,
}

impl Known {
    /// Goes on as far as the answers allow; says what is to be summed next.
    fn next(&mut self) -> Option<Terms> {
        let sums = &self.sums;
        let known = |terms: Terms| {
            let of = sums.iter().find(|(known, _)| *known == terms);
            of.map(|(_, sum)| *sum).ok_or(terms)
        };
        match tally_of(&self.span, self.answer.weight, known) {
            Ok(tally) => {
                self.tally = Some(tally);
                None
            }
            Err(terms) => Some(terms),
        }
    }
}

impl Rounds<'_> {
    /// Counts the nodes of which nothing is known yet.
    pub(super) fn count_numbers(&mut self, shards: &mut dyn Shards, open: &[At]) -> Result<()> {
        let is_unknown = |at: &&At| matches!(&self.trees[at.0].nodes[at.1 as usize], State::New(new) if new.count.is_none());
        let unknown: Vec<At> = open.iter().filter(is_unknown).copied().collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let span = Wanted { span: true, ..Wanted::default() };
        let asked: Vec<(At, Wanted)> = unknown.iter().map(|at| (*at, span)).collect();
        let mut known: Vec<Known> = Vec::with_capacity(unknown.len());
        for (at, answer) in self.ask(shards, &asked)? {
            let span = answer.span.ok_or_else(|| Error::internal("a span that was asked for"))?;
            known.push(Known { at, answer, span, sums: Vec::new(), tally: None });
        }
        loop {
            let next: Vec<(usize, Terms)> =
                known.iter_mut().enumerate().filter_map(|(k, node)| Some((k, node.next()?))).collect();
            if next.is_empty() {
                break;
            }
            let wanted = |terms: Terms| Wanted { sum: Some(terms), ..Wanted::default() };
            let asked: Vec<(At, Wanted)> =
                next.iter().map(|(k, terms)| (known[*k].at, wanted(*terms))).collect();
            let answers: std::collections::HashMap<At, NodeAnswer> =
                self.ask(shards, &asked)?.into_iter().collect();
            for (k, terms) in next {
                let sum = answers.get(&known[k].at).and_then(|answer| answer.sum);
                let sum = sum.ok_or_else(|| Error::internal("a sum that was asked for"))?;
                known[k].sums.push((terms, sum));
            }
        }
        for Known { at, answer, tally, .. } in known {
            let count = NodeCount {
                tally: Tally::Numbers(tally.unwrap_or_default()),
                ..self.searching.count(&answer)
            };
            self.trees[at.0].counted(at.1, count);
        }
        Ok(())
    }

    /// Asks about some nodes, without histograms.
    pub(super) fn ask(
        &self,
        shards: &mut dyn Shards,
        wanted: &[(At, Wanted)],
    ) -> Result<Vec<(At, NodeAnswer)>> {
        let (question, order) = self.question(wanted);
        let answer = shards.ask(&question)?;
        if answer.nodes.len() != order.len() {
            return Err(Error::internal("an answer to another question"));
        }
        Ok(order.into_iter().zip(answer.nodes).collect())
    }

    /// The question about some nodes, which are reported in its order.
    pub(super) fn question(&self, wanted: &[(At, Wanted)]) -> (Ask, Vec<At>) {
        let (mut question, mut order) = (Ask::default(), Vec::new());
        for (t, tree) in self.trees.iter().enumerate() {
            let own: Vec<(u32, Wanted)> =
                wanted.iter().filter(|((of, _), _)| *of == t).map(|((_, node), w)| (*node, *w)).collect();
            if own.is_empty() {
                continue;
            }
            let (sketch, nodes) = tree.sketch(&own);
            question.trees.push(sketch);
            order.extend(nodes.into_iter().map(|node| (t, node)));
        }
        (question, order)
    }
}
