//! Thresholds of programs that round numbers to 32 bits before they compare them.

/// The smallest number that is at least `x` once it is rounded to 32 bits: numbers below it are those that go below `x` there.
///
/// A number half-way between two of 32 bits is rounded to the one whose last bit is 0.
pub(super) fn rounds_to(x: f32) -> f64 {
    if !x.is_finite() {
        return f64::from(x);
    }
    let below = x.next_down();
    if below == f32::NEG_INFINITY {
        return f64::from(f32::MIN);
    }
    let middle = (f64::from(below) + f64::from(x)) / 2.0;
    if middle as f32 >= x { middle } else { middle.next_up() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_divided_as_their_roundings() {
        let values = [
            0.0f32,
            -0.0,
            0.1,
            -0.1,
            1.0,
            1.5,
            16_777_216.0,
            16_777_217.0,
            f32::MIN_POSITIVE,
            1e-45,
            -1e-45,
            3e38,
            f32::MAX,
        ];
        for x in values {
            let first = rounds_to(x);
            assert!(first as f32 >= x, "{x}");
            assert!((first.next_down() as f32) < x || first == 0.0 && x == 0.0, "{x}");
            for near in [f64::from(x), f64::from(x.next_down()), f64::from(x.next_up())] {
                for y in [near, near.next_down(), near.next_up(), near * (1.0 + 1e-8), near * (1.0 - 3e-8)] {
                    assert_eq!((y as f32) < x, y < first, "{x} {y:?}");
                }
            }
        }
    }
}
