//! The eigenvector of the largest eigenvalue of a small symmetric matrix, by Jacobi's rotations.
//!
//! Each rotation makes one off-diagonal pair zero; a sweep over all pairs is `O(n³)`, and a handful of sweeps end at rounding
//! (G. H. Golub and C. F. Van Loan: Matrix Computations, section 8.5).

/// The eigenvector of the largest eigenvalue; the first of several equal ones. `matrix` holds `n` rows of `n` numbers.
pub(super) fn largest_eigenvector(mut matrix: Vec<f64>, n: usize) -> Vec<f64> {
    /// Jacobi's method converges quadratically: this is never reached.
    const SWEEPS: usize = 60;
    let mut vectors = vec![0.0; n * n];
    (0..n).for_each(|i| vectors[i * n + i] = 1.0);
    for _ in 0..SWEEPS {
        let mut rotated = false;
        for p in 0..n {
            for q in p + 1..n {
                rotated |= rotate(&mut matrix, &mut vectors, n, p, q);
            }
        }
        if !rotated {
            break;
        }
    }
    let value = |i: usize| matrix[i * n + i];
    let largest = (1..n).fold(0, |best, i| if value(i) > value(best) { i } else { best });
    vectors[largest * n..][..n].to_vec()
}

/// Makes the entry `(p, q)` zero, unless it is rounding beside the diagonal. The eigenvectors are the rows of `vectors`.
fn rotate(matrix: &mut [f64], vectors: &mut [f64], n: usize, p: usize, q: usize) -> bool {
    let (pp, qq, pq) = (matrix[p * n + p], matrix[q * n + q], matrix[p * n + q]);
    if pq.abs() <= f64::EPSILON * 0.5 * (pp.abs() * qq.abs()).sqrt() || pq == 0.0 {
        return false;
    }
    // tan of the angle: the smaller root of t² + 2τt − 1 = 0 with τ = (qq − pp) / 2pq.
    let tau = (qq - pp) / (2.0 * pq);
    let t = tau.signum() / (tau.abs() + 1.0f64.hypot(tau));
    let c = 1.0 / 1.0f64.hypot(t);
    let s = t * c;
    let turn = |x: &mut f64, y: &mut f64| (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    for i in (0..n).filter(|&i| i != p && i != q) {
        let (mut x, mut y) = (matrix[p * n + i], matrix[q * n + i]);
        turn(&mut x, &mut y);
        (matrix[p * n + i], matrix[i * n + p]) = (x, x);
        (matrix[q * n + i], matrix[i * n + q]) = (y, y);
    }
    matrix[p * n + p] = pp - t * pq;
    matrix[q * n + q] = qq + t * pq;
    (matrix[p * n + q], matrix[q * n + p]) = (0.0, 0.0);
    let (above, below) = vectors.split_at_mut(q * n);
    above[p * n..][..n].iter_mut().zip(&mut below[..n]).for_each(|(x, y)| turn(x, y));
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_matrix_worked_by_hand() {
        // Eigenvalues 1 and 3; (1, 1) / √2 belongs to 3.
        let vector = largest_eigenvector(vec![2.0, 1.0, 1.0, 2.0], 2);
        assert!((vector[0] - vector[1]).abs() < 1e-15 && (vector[0].abs() - 0.5f64.sqrt()).abs() < 1e-15);
        assert_eq!(largest_eigenvector(vec![0.0; 9], 3), [1.0, 0.0, 0.0]);
        assert_eq!(largest_eigenvector(vec![7.0], 1), [1.0]);
    }

    proptest! {
        /// `M v = λ v`, and no direction stretches more: λ is at least every Rayleigh quotient.
        #[test]
        fn the_direction_that_is_stretched_most(
            n in 1usize..12,
            cells in prop::collection::vec(-1.0f64..1.0, 12 * 12),
            tries in prop::collection::vec(-1.0f64..1.0, 12 * 8),
        ) {
            // AᵀA, as the principal component has it.
            let a = |i: usize, j: usize| cells[i * 12 + j];
            let m: Vec<f64> =
                (0..n * n).map(|ij| (0..n).map(|k| a(k, ij / n) * a(k, ij % n)).sum()).collect();
            let times = |v: &[f64]| -> Vec<f64> {
                (0..n).map(|i| m[i * n..][..n].iter().zip(v).map(|(x, y)| x * y).sum()).collect()
            };
            let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
            let v = largest_eigenvector(m.clone(), n);
            prop_assert!((dot(&v, &v) - 1.0).abs() < 1e-13);
            let image = times(&v);
            let value = dot(&v, &image);
            for (x, y) in image.iter().zip(&v) {
                prop_assert!((x - value * y).abs() < 1e-12 * n as f64, "{image:?} {v:?} {value}");
            }
            for other in tries.chunks(12).map(|t| &t[..n]) {
                prop_assert!(dot(other, &times(other)) <= (value + 1e-12) * dot(other, other));
            }
        }
    }
}
