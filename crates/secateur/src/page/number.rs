//! Numbers as the page reads them: in the fewest digits that give the same bits back.

use serde::{Serialize, Serializer};

/// A number that is written without a fraction where it has none; what is not finite is written as `null`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number(pub f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let x = self.0;
        if x.fract() == 0.0 && x.abs() < 1e15 && (x != 0.0 || x.is_sign_positive()) {
            to.serialize_i64(x as i64)
        } else if x.is_finite() {
            to.serialize_f64(x)
        } else {
            to.serialize_none()
        }
    }
}

/// All of them, to every bit.
pub(super) fn exact(numbers: impl IntoIterator<Item = f64>) -> Vec<Number> {
    numbers.into_iter().map(Number).collect()
}

/// All of them, to as many digits as a picture can show.
pub(super) fn rough(numbers: impl IntoIterator<Item = f64>) -> Vec<Number> {
    let short = |x: f64| format!("{x:.4e}").parse().unwrap_or(x);
    numbers.into_iter().map(|x| Number(short(x))).collect()
}

/// The distance of every number from the one before it, the first from 0.
pub(super) fn steps(numbers: impl IntoIterator<Item = usize>) -> Vec<i64> {
    let mut before = 0;
    let step = |n: usize| n as i64 - std::mem::replace(&mut before, n as i64);
    numbers.into_iter().map(step).collect()
}
