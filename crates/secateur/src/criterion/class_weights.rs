//! The class weights on both sides of a cut, as rows move from right to left.

/// Class weights left and right, and their sums.
#[derive(Default)]
pub(super) struct ClassWeights {
    pub(super) left: Vec<f64>,
    pub(super) right: Vec<f64>,
    pub(super) sums: [f64; 2],
}

impl ClassWeights {
    /// All rows are on the right.
    pub(super) fn start(&mut self, total: &[f64]) {
        self.left.clear();
        self.left.resize(total.len(), 0.0);
        self.right.clear();
        self.right.extend_from_slice(total);
        self.sums = [0.0, total.iter().sum()];
    }

    /// A row moves to the left.
    pub(super) fn row(&mut self, class: u32, weight: f64) {
        self.left[class as usize] += weight;
        self.right[class as usize] -= weight;
        self.sums[0] += weight;
        self.sums[1] -= weight;
    }
}
