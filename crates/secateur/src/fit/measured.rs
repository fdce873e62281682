//! The errors and scores of the members of a path on rows that their trees have not seen.

/// What was measured of the members of a path on rows that their trees have not seen.
pub(super) struct Measured {
    /// The error rate, mean cost or mean squared error of every member.
    pub errors: Vec<f64>,
    /// Its standard error.
    pub se: Vec<f64>,
    /// Another loss that the choice was made by, with its standard error.
    pub counted: Option<(Vec<f64>, Vec<f64>)>,
    /// For classes the log loss and the Brier score.
    pub scores: Option<(Vec<f64>, Vec<f64>)>,
}

impl Measured {
    /// Without the first members, which are the same tree as the one after them: where one of them is chosen, its measurements stand for that tree.
    pub(super) fn from(mut self, first: usize, chosen: usize) -> Self {
        let Self { errors, se, counted, scores } = &mut self;
        let pairs = counted.iter_mut().chain(scores).flat_map(|(a, b)| [a, b]);
        for list in [errors, se].into_iter().chain(pairs) {
            if chosen < first {
                list[first] = list[chosen];
            }
            list.drain(..first);
        }
        self
    }
}
