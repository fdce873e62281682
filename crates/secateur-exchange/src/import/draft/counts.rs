//! What the nodes of a draft weigh and say, from the leaves up.

use secateur::tree::Stats;

use super::{Draft, Drafted, Place, Says};

impl Draft {
    /// Weights from the leaves up; where they are not known every leaf counts 1.
    pub(super) fn fill_weights(&mut self, order: &[Place]) -> Drafted<()> {
        let leaves = || order.iter().filter(|&&node| self.nodes[node].children.is_empty());
        let counted = |says: &Option<Says>| match says {
            Some(Says::Counts(counts)) => Some(counts.iter().sum::<f64>()),
            _ => None,
        };
        let weight = |node: &Place| {
            let (counted, given) = (counted(&self.nodes[*node].says), self.nodes[*node].weight);
            if self.keeps_inner { given.or(counted) } else { counted.or(given) }
        };
        let known: f64 = leaves().filter_map(weight).sum();
        let has_weights = leaves().all(|node| weight(node).is_some()) && known > 0.0;
        let of_leaf: Vec<(Place, f64)> = leaves()
            .map(|node| (*node, if has_weights { weight(node).unwrap_or(0.0) } else { 1.0 }))
            .collect();
        self.has_counts &= has_weights;
        of_leaf.into_iter().for_each(|(node, weight)| self.nodes[node].weight = Some(weight));
        for &node in order.iter().rev() {
            let children = self.nodes[node].children.clone();
            let is_kept = self.keeps_inner && self.nodes[node].weight.is_some();
            if !children.is_empty() && !is_kept {
                let sum = children.iter().filter_map(|&child| self.nodes[child].weight).sum();
                self.nodes[node].weight = Some(sum);
            }
        }
        Ok(())
    }

    /// The weight of every class at every node, from the leaves up.
    pub(super) fn class_sums(&self, order: &[Place], classes: usize) -> Drafted<Vec<f64>> {
        let mut sums = vec![0.0; self.nodes.len() * classes];
        for &node in order.iter().rev() {
            for &child in &self.nodes[node].children {
                (0..classes).for_each(|j| sums[node * classes + j] += sums[child * classes + j]);
            }
            let (weight, own) =
                (self.nodes[node].weight.unwrap_or(0.0), &mut sums[node * classes..][..classes]);
            if !self.nodes[node].children.is_empty() {
                if let (true, Some(Says::Counts(counts))) = (self.keeps_inner, &self.nodes[node].says) {
                    own.copy_from_slice(counts);
                }
                continue;
            }
            match &self.nodes[node].says {
                Some(Says::Counts(counts)) if counts.len() == classes => own.copy_from_slice(counts),
                Some(Says::Shares(shares)) if shares.len() == classes => {
                    let all: f64 = shares.iter().sum();
                    own.iter_mut().zip(shares).for_each(|(own, share)| *own = weight * (share / all));
                    make_whole(own, weight);
                }
                _ => return Err("a leaf says nothing of the classes".into()),
            }
        }
        Ok(sums)
    }

    /// A leaf that no training row reached answers as the nearest node above it that has rows. Where the other program says
    /// something else there, the leaf gets a billionth of all weight, so that it answers for itself.
    pub(super) fn settle_empty_leaves(&mut self, order: &[Place], classes: usize) -> Drafted<bool> {
        let sums = if classes == 0 { Vec::new() } else { self.class_sums(order, classes)? };
        let numbers = if classes == 0 { Some(self.numbers(order)?) } else { None };
        let mut parent = vec![0; self.nodes.len()];
        for &node in order {
            self.nodes[node].children.iter().for_each(|&child| parent[child] = node);
        }
        let mut at = vec![0; self.nodes.len()];
        order.iter().enumerate().for_each(|(place, &node)| at[node] = place);
        let all = self.nodes[0].weight.unwrap_or(1.0);
        let mut changed = false;
        for &node in order {
            if !self.nodes[node].children.is_empty() || self.nodes[node].weight != Some(0.0) {
                continue;
            }
            let mut above = parent[node];
            while self.nodes[above].weight == Some(0.0) && above != 0 {
                above = parent[above];
            }
            let is_same = match (&self.nodes[node].says, &numbers) {
                (Some(Says::Shares(shares)), _) => {
                    largest(shares) == largest(&sums[above * classes..][..classes])
                }
                (Some(Says::Number(value, _)), Some(Stats::Numbers { mean, .. })) => {
                    *value == mean[at[above]]
                }
                _ => true,
            };
            if !is_same {
                self.nodes[node].weight = Some(all * 1e-9);
                changed = true;
            }
        }
        Ok(changed)
    }

    /// Means and squared errors from the leaves up.
    pub(super) fn numbers(&self, order: &[Place]) -> Drafted<Stats> {
        let (mut mean, mut mse) = (vec![0.0; self.nodes.len()], vec![0.0; self.nodes.len()]);
        for &node in order.iter().rev() {
            let children = &self.nodes[node].children;
            if children.is_empty() {
                let Some(Says::Number(value, error)) = &self.nodes[node].says else {
                    return Err("a leaf has no number".into());
                };
                (mean[node], mse[node]) = (*value, error.unwrap_or(0.0));
                continue;
            }
            if let (true, Some(Says::Number(value, Some(error)))) = (self.keeps_inner, &self.nodes[node].says)
            {
                (mean[node], mse[node]) = (*value, *error);
                continue;
            }
            let weight = |child: &Place| self.nodes[*child].weight.unwrap_or(0.0);
            let all: f64 = children.iter().map(weight).sum();
            let share =
                |child: &Place| if all > 0.0 { weight(child) / all } else { 1.0 / children.len() as f64 };
            mean[node] = children.iter().map(|child| share(child) * mean[*child]).sum();
            let off = |child: &Place| mse[*child] + (mean[*child] - mean[node]).powi(2);
            mse[node] = children.iter().map(|child| share(child) * off(child)).sum();
        }
        let in_order = |list: &[f64]| order.iter().map(|&node| list[node]).collect();
        Ok(Stats::Numbers { mean: in_order(&mean), mse: in_order(&mse), median: Vec::new() })
    }
}

/// The place of the first of the largest numbers.
fn largest(list: &[f64]) -> usize {
    let larger = |best: usize, next: usize| if list[next] > list[best] { next } else { best };
    (0..list.len()).reduce(larger).unwrap_or(0)
}

/// Makes a label follow from shares. Of equal classes the first is taken here; where the other program takes another, that one gets a
/// part in a billion more. False where another class has more.
pub(in crate::import) fn agree(shares: &mut [f64], label: usize) -> bool {
    let most = shares.iter().copied().fold(0.0, f64::max);
    let first = shares.iter().position(|share| *share >= most * (1.0 - 1e-10));
    if first == Some(label) {
        return true;
    }
    let is_equal = shares[label] >= most * (1.0 - 1e-6);
    if is_equal {
        shares[label] = most * (1.0 + 1e-9);
    }
    is_equal
}

/// Counts that are whole numbers up to rounding become whole numbers, where they add up to the weight: shares of them are then
/// the same numbers again.
fn make_whole(counts: &mut [f64], weight: f64) {
    let whole: Vec<f64> = counts.iter().map(|count| count.round()).collect();
    let is_near = counts.iter().zip(&whole).all(|(count, whole)| (count - whole).abs() <= 1e-9 * weight);
    if is_near && whole.iter().sum::<f64>() == weight {
        counts.copy_from_slice(&whole);
    }
}
