//! The order of nominal values along the principal component of their class shares (Shi 3.2.2, after
//! Coppersmith, Hong and Hosking 1999).
//!
//! With `D_a` the weight of value `a`, `p_a` its class shares and `p̄` the shares of all rows:
//! `M = Σ_a D_a (p_a − p̄)(p_a − p̄)ᵀ`, `v` = eigenvector of the largest eigenvalue, values ordered by `v · p_a`.
//! (Dividing `M` by `D − 1` does not change the direction.)

use super::eigen::largest_eigenvector;

/// Groups of values in the order of the principal component. `tallies` holds the weights of `classes`
/// classes for each value; values with equal class shares form one group.
///
/// ```
/// // Shi, Table 3.2: five values, three classes. The order is a2, a3, a1, a4, a5.
/// let tallies = [
///     40., 10., 10., 10., 40., 10., 20., 30., 10., 20., 15., 25., 10., 5., 45.,
/// ];
/// let order = secateur::split::principal_order(&tallies, 3);
/// assert_eq!(order, [[1], [2], [0], [3], [4]]);
/// ```
pub fn principal_order(tallies: &[f64], classes: usize) -> Vec<Vec<usize>> {
    let (groups, shares, weights) = merged(tallies, classes);
    let component = first_component(&shares, &weights, classes);
    let score = |g: usize| -> f64 { shares[g].iter().zip(&component).map(|(p, v)| p * v).sum() };
    let mut order: Vec<usize> = (0..groups.len()).collect();
    let scores: Vec<f64> = order.iter().map(|&g| score(g)).collect();
    order.sort_by(|&a, &b| scores[a].total_cmp(&scores[b]));
    order.into_iter().map(|g| groups[g].clone()).collect()
}

/// The score of every value along the principal component; arguments as in [`principal_order`].
///
/// ```
/// let tallies = [40., 10., 10., 10., 40., 10., 20., 30., 10., 20., 15., 25., 10., 5., 45.];
/// let scores = secateur::split::principal_scores(&tallies, 3);
/// assert!((scores[4] - 0.495).abs() < 0.0005); // Shi, section 3.2.2
/// ```
pub fn principal_scores(tallies: &[f64], classes: usize) -> Vec<f64> {
    let (groups, shares, weights) = merged(tallies, classes);
    let component = first_component(&shares, &weights, classes);
    let mut scores = vec![0.0; tallies.len() / classes];
    for (group, shares) in groups.iter().zip(&shares) {
        let score: f64 = shares.iter().zip(&component).map(|(p, v)| p * v).sum();
        group.iter().for_each(|&value| scores[value] = score);
    }
    scores
}

/// Values with equal class shares put together, in the order of their first value.
fn merged(tallies: &[f64], classes: usize) -> (Vec<Vec<usize>>, Vec<Vec<f64>>, Vec<f64>) {
    let of = |i: usize| &tallies[i * classes..(i + 1) * classes];
    let values = tallies.len() / classes;
    let weight = |i: usize| of(i).iter().sum::<f64>();
    // Shares that differ by rounding only must count as equal.
    let key = |i: usize| -> Vec<i64> {
        let w = weight(i);
        of(i).iter().map(|x| (x / w * 1e12).round() as i64).collect()
    };
    let mut by_key = std::collections::HashMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for i in 0..values {
        let group = *by_key.entry(key(i)).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(i);
    }
    let shares = groups
        .iter()
        .map(|g| {
            let w = weight(g[0]);
            of(g[0]).iter().map(|x| x / w).collect()
        })
        .collect();
    let weights = groups.iter().map(|g| g.iter().map(|&i| weight(i)).sum()).collect();
    (groups, shares, weights)
}

/// The first principal component, its largest entry positive (so that the solver's choice of sign does not matter).
fn first_component(shares: &[Vec<f64>], weights: &[f64], classes: usize) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    let mean: Vec<f64> = (0..classes)
        .map(|j| shares.iter().zip(weights).map(|(p, d)| p[j] * d).sum::<f64>() / total)
        .collect();
    // Rows √D_a (p_a − p̄): M = AᵀA. The smaller of AᵀA and AAᵀ is solved.
    let a: Vec<Vec<f64>> = shares
        .iter()
        .zip(weights)
        .map(|(p, d)| p.iter().zip(&mean).map(|(p, m)| (d / total).sqrt() * (p - m)).collect())
        .collect();
    let component: Vec<f64> = if shares.len() < classes {
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let products = a.iter().flat_map(|x| a.iter().map(move |y| dot(x, y))).collect();
        let across = largest_eigenvector(products, a.len());
        (0..classes).map(|j| a.iter().zip(&across).map(|(row, v)| row[j] * v).sum()).collect()
    } else {
        let product = |i: usize, j: usize| a.iter().map(|row| row[i] * row[j]).sum::<f64>();
        let products = (0..classes * classes).map(|ij| product(ij / classes, ij % classes)).collect();
        largest_eigenvector(products, classes)
    };
    // Entries that differ by rounding only are equally large: the first decides the sign.
    let peak = component.iter().fold(0.0f64, |peak, x| peak.max(x.abs()));
    let sign = component.iter().find(|x| x.abs() > peak * (1.0 - 1e-6)).map_or(1.0, |x| x.signum());
    component.iter().map(|x| x * sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shi, Table 3.2.
    const SHI: [f64; 15] = [40., 10., 10., 10., 40., 10., 20., 30., 10., 20., 15., 25., 10., 5., 45.];

    #[test]
    fn shis_component_and_scores() {
        let (_, shares, weights) = merged(&SHI, 3);
        let component = first_component(&shares, &weights, 3);
        let expected = [-0.11435482378613958, -0.6429598822911713, 0.7573147060773108];
        for (got, want) in component.iter().zip(expected) {
            assert!((got - want).abs() < 1e-12, "{component:?}");
        }
        let expected = [
            -0.0571774118930698,
            -0.32147994114558565,
            -0.23337909806141371,
            0.11668954903070682,
            0.4953469020693622,
        ];
        for (p, want) in shares.iter().zip(expected) {
            let score: f64 = p.iter().zip(&component).map(|(p, v)| p * v).sum();
            assert!((score - want).abs() < 1e-12);
        }
    }

    #[test]
    fn equal_shares_stay_together_and_few_values_of_many_classes_work() {
        let order = principal_order(&[2., 0., 0., 1., 1., 1., 4., 0., 0., 0., 3., 0.], 3);
        assert!(order.contains(&vec![0, 2]), "{order:?}");
        let mut wide = vec![0.0; 20];
        (wide[3], wide[17]) = (5.0, 7.0);
        assert_eq!(principal_order(&wide, 10).len(), 2);
    }
}
