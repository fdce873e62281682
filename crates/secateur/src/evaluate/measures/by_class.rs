//! Precision, recall and F1 of every class, read off a confusion matrix.

/// How well one class is told from the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassScores {
    /// The share of the rows with this label that are of the class; 0 when no row has the label.
    pub precision: f64,
    /// The share of the rows of the class that have the label; 0 when no row is of the class.
    pub recall: f64,
    /// `2 · precision · recall / (precision + recall)`; 0 when both are 0.
    pub f1: f64,
    /// The weight of the rows of the class.
    pub support: f64,
}

/// The scores of every class, from the weights of the rows of each class (outer list) that got each label (inner list).
///
/// ```
/// use secateur::evaluate::measures::class_scores;
/// let scores = class_scores(&[vec![6.0, 2.0], vec![3.0, 1.0]]);
/// assert_eq!((scores[0].precision, scores[0].recall), (6.0 / 9.0, 6.0 / 8.0));
/// assert_eq!((scores[1].precision, scores[1].support), (1.0 / 3.0, 4.0));
/// ```
pub fn class_scores(confusion: &[Vec<f64>]) -> Vec<ClassScores> {
    let of = |(class, row): (usize, &Vec<f64>)| {
        let right = row.get(class).copied().unwrap_or(0.0);
        let (support, labelled) = (row.iter().sum::<f64>(), labelled(confusion, class));
        let share = |of: f64| if of > 0.0 { right / of } else { 0.0 };
        // 2·right / (support + labelled) is the same as the mean of both shares, without their rounding.
        let f1 = if right > 0.0 { 2.0 * right / (support + labelled) } else { 0.0 };
        ClassScores { precision: share(labelled), recall: share(support), f1, support }
    };
    confusion.iter().enumerate().map(of).collect()
}

/// The plain mean of the scores of all classes that any row is of or is labelled with, and the support of all together;
/// `None` when there are no rows.
///
/// ```
/// use secateur::evaluate::measures::macro_average;
/// // The third class does not occur.
/// let confusion = [vec![6.0, 2.0, 0.0], vec![3.0, 1.0, 0.0], vec![0.0, 0.0, 0.0]];
/// let mean = macro_average(&confusion).unwrap();
/// assert_eq!((mean.recall, mean.support), (0.5, 12.0));
/// ```
pub fn macro_average(confusion: &[Vec<f64>]) -> Option<ClassScores> {
    let scores = class_scores(confusion).into_iter().enumerate();
    let occur = scores.filter(|(class, s)| s.support > 0.0 || labelled(confusion, *class) > 0.0);
    let occur: Vec<ClassScores> = occur.map(|(_, scores)| scores).collect();
    let mean = |of: fn(&ClassScores) -> f64| occur.iter().map(of).sum::<f64>() / occur.len() as f64;
    (!occur.is_empty()).then(|| ClassScores {
        precision: mean(|s| s.precision),
        recall: mean(|s| s.recall),
        f1: mean(|s| s.f1),
        support: occur.iter().map(|s| s.support).sum(),
    })
}

/// The mean cost of the labels if the classes had these shares of the rows (in any unit): `Σ_j π_j Σ_l c_jl n_jl / n_j`, with
/// `n_jl` from a confusion matrix. Classes without rows leave their shares to the others; `None` when there are no rows.
///
/// ```
/// use secateur::evaluate::measures::cost_with_shares;
/// let wrong = |actual: usize, label: usize| f64::from(actual != label);
/// // Of the first class 2 of 8 are wrong, of the second 3 of 4.
/// let confusion = [vec![6.0, 2.0], vec![3.0, 1.0]];
/// assert_eq!(cost_with_shares(&confusion, &[1.0, 1.0], wrong), Some(0.5));
/// assert_eq!(cost_with_shares(&confusion, &[8.0, 4.0], wrong), Some(5.0 / 12.0));
/// assert_eq!(cost_with_shares(&[], &[], wrong), None);
/// ```
pub fn cost_with_shares(
    confusion: &[Vec<f64>],
    shares: &[f64],
    cost: impl Fn(usize, usize) -> f64,
) -> Option<f64> {
    let (mut sum, mut there) = (0.0, 0.0);
    for ((class, row), share) in confusion.iter().enumerate().zip(shares) {
        let rows: f64 = row.iter().sum();
        if rows > 0.0 {
            let lost: f64 = row.iter().enumerate().map(|(label, n)| n * cost(class, label)).sum();
            sum += share * (lost / rows);
            there += share;
        }
    }
    (there > 0.0).then(|| sum / there)
}

/// The weight of the rows with a label.
fn labelled(confusion: &[Vec<f64>], class: usize) -> f64 {
    confusion.iter().filter_map(|row| row.get(class)).sum()
}
