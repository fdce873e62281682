//! What class weights say: probabilities, and which class.

use super::Costs;

/// The class for these class weights: the largest weight or the smallest cost, the first of equal ones. Weights are
/// sums, so what differs by rounding alone (a part in 10¹⁰) is equal.
#[inline]
pub(crate) fn decide(costs: Option<&Costs>, weights: &[f64]) -> usize {
    match costs {
        Some(costs) => costs.label(weights),
        None => {
            let largest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let enough = largest - TOLERANCE * largest.abs();
            weights.iter().position(|w| *w >= enough).unwrap_or(0)
        }
    }
}

/// The probability of every class: its part of the weight of all classes.
#[inline]
pub(crate) fn probabilities(weights: &[f64]) -> impl Iterator<Item = f64> + Clone {
    let all: f64 = weights.iter().sum();
    weights.iter().map(move |w| w / all)
}

/// Sums that differ by less than this part of them are equal.
pub(super) const TOLERANCE: f64 = 1e-10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_classes_is_taken_however_their_weights_were_added() {
        let (tenths, thirds) = ([0.1; 10].iter().sum::<f64>(), 1.0 / 3.0 + 1.0 / 3.0 + 1.0 / 3.0);
        assert!(tenths < thirds);
        for weights in [[tenths, thirds], [thirds, tenths], [1e300 * tenths, 1e300], [0.0, 0.0]] {
            assert_eq!(decide(None, &weights), 0, "{weights:?}");
        }
        assert_eq!(
            (decide(None, &[1.0, 1.000_001]), decide(None, &[]), decide(None, &[1e9, 1e9 + 1.0])),
            (1, 0, 1)
        );
    }
}
