//! The error of a choice, without the kindness of having chosen by it.
//!
//! The least of many cross-validated errors is smaller than the error that its tree will have: some of it is luck, and the choice takes the
//! lucky one. So every part of the rows is judged at the member that the *other* parts would have chosen, by the same rule. Nothing
//! is grown or sent down again, as the losses of every part in every member are known.
//!
//! The idea is that of R. J. Tibshirani and R. Tibshirani (2009), *A bias correction for the minimum error rate in cross-validation*, who take
//! the difference between a fold's error at its own best member and at the common one; of I. Tsamardinos, E. Greasidou and
//! G. Borboudakis (2018), *Bootstrapping the out-of-sample predictions for efficient and accurate cross-validation*, who choose by
//! rows drawn at random and judge on the others. Parts in place of draws need no random numbers, and leave nine tenths of the rows to
//! choose by. What is measured beside both is in `docs/estimates.md`.

use super::FoldLosses;
use crate::error::Result;

/// The parts that are left out, at most: single folds, or several at a time where there are more.
const PARTS: usize = 10;

/// For every fold its losses at the one member that the others choose; `choose` is given the places of the others.
pub fn judged_by_others(
    folds: &[FoldLosses],
    choose: impl Fn(&[usize]) -> Result<usize>,
) -> Result<Vec<FoldLosses>> {
    let mut judged = Vec::with_capacity(folds.len());
    for part in 0..folds.len().min(PARTS) {
        let (own, others): (Vec<usize>, Vec<usize>) = (0..folds.len()).partition(|i| i % PARTS == part);
        let chosen = choose(if others.is_empty() { &own } else { &others })?;
        judged.extend(own.into_iter().map(|place| folds[place].at(chosen)));
    }
    Ok(judged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_no_say_in_what_it_is_judged_at() {
        let part =
            |loss: &[f64]| FoldLosses { loss: loss.to_vec(), square: loss.to_vec(), weight: 10.0, splits: 3 };
        // The third part alone makes the first member the best: 1 + 1 + 4 against 2 + 2 + 3.
        let parts = [part(&[1.0, 2.0]), part(&[1.0, 2.0]), part(&[4.0, 3.0])];
        fn least(parts: &[FoldLosses], others: &[usize]) -> Result<usize> {
            let sum = |i: usize| others.iter().map(|&p| parts[p].loss[i]).sum::<f64>();
            Ok(usize::from(sum(1) < sum(0)))
        }
        let judged = judged_by_others(&parts, |others| least(&parts, others)).unwrap();
        // Without the first: 5 and 5, so the first member. Without the third: 2 and 4.
        assert_eq!(judged.iter().map(|p| p.loss[0]).collect::<Vec<_>>(), [1.0, 1.0, 4.0]);
        let parts = [part(&[0.0, 1.0]), part(&[3.0, 2.0]), part(&[3.0, 2.0])];
        let judged = judged_by_others(&parts, |others| least(&parts, others)).unwrap();
        // Without the first 6 and 4: it is judged at the second member, where it has lost 1 and not 0.
        assert_eq!(judged.iter().map(|p| p.loss[0]).collect::<Vec<_>>(), [1.0, 3.0, 3.0]);
    }
}
