//! Axes: where a number is drawn, and which numbers are written beside it.

use super::node::SMALL;
use crate::drawing::{Anchor, Drawing, Ink, Pen};
use crate::report::formatting::rounded;

/// From the smallest to the largest number of an axis.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    is_log: bool,
}

impl Scale {
    /// An axis in equal steps, with some room at both ends; not below 0 where no number is.
    pub(super) fn linear(low: f64, high: f64) -> Self {
        let room = if high > low { 0.06 * (high - low) } else { 0.05 * high.abs().max(1e-9) };
        let start = low - room;
        Self { low: if low >= 0.0 { start.max(0.0) } else { start }, high: high + room, is_log: false }
    }

    /// An axis of sizes: by factors where they differ much.
    pub(super) fn sizes(low: f64, high: f64) -> Self {
        if low > 0.0 && high / low > 6.0 {
            Self { low: low / 1.15, high: high * 1.15, is_log: true }
        } else {
            Self::linear(low, high)
        }
    }

    /// How far along the axis a number is, from 0 to 1.
    pub(super) fn place(&self, x: f64) -> f64 {
        let place = match self.is_log {
            true => (x / self.low).ln() / (self.high / self.low).ln(),
            false => (x - self.low) / (self.high - self.low),
        };
        if place.is_finite() { place.clamp(0.0, 1.0) } else { 0.5 }
    }

    /// Round numbers within the axis, about six of them.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let mut ticks = Vec::new();
        if self.is_log {
            let first = self.low.log10().floor() as i32;
            for power in first..=self.high.log10().ceil() as i32 {
                ticks.extend([1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)));
            }
            ticks.retain(|tick| *tick >= self.low && *tick <= self.high);
            let decades = (self.high / self.low).log10();
            if decades > 3.0 {
                ticks.retain(|tick| (tick.log10() - tick.log10().round()).abs() < 1e-9);
            }
            return ticks;
        }
        let rough = (self.high - self.low) / 7.0;
        let power = 10f64.powf(rough.log10().floor());
        let step =
            [1.0, 2.0, 2.5, 5.0, 10.0].map(|digit| digit * power).into_iter().find(|step| *step >= rough);
        let step = step.filter(|step| step.is_finite() && *step > 0.0).unwrap_or(1.0);
        let first = (self.low / step).ceil() as i64;
        ticks.extend((0..12).map(|i| (first + i) as f64 * step).filter(|tick| *tick <= self.high));
        ticks
    }
}

/// The frame of a chart, with its axes.
pub(super) struct Chart {
    /// Left and upper edge, width and height.
    pub frame: [f64; 4],
    pub x: Scale,
    pub y: Scale,
}

impl Chart {
    pub(super) fn at(&self, x: f64, y: f64) -> [f64; 2] {
        let [left, top, width, height] = self.frame;
        [left + width * self.x.place(x), top + height * (1.0 - self.y.place(y))]
    }

    /// Draws lines across, the axes with their numbers, and what they mean: below, and above the upper end.
    pub(super) fn axes(&self, drawing: &mut Drawing, names: (&str, &str), percent: bool) {
        let [left, top, width, height] = self.frame;
        for tick in self.y.ticks() {
            let y = self.at(0.0, tick)[1];
            drawing.line([[left, y], [left + width, y]], Pen::new(Ink::Line, 0.5));
            let text = if percent { format!("{} %", rounded(100.0 * tick, 3)) } else { rounded(tick, 4) };
            drawing.text(left - 6.0, y + 3.5, SMALL, Anchor::End, Ink::Faint, text);
        }
        let bottom = top + height;
        drawing.line([[left, bottom], [left + width, bottom]], Pen::new(Ink::Faint, 1.0));
        for tick in self.x.ticks() {
            let x = self.at(tick, 0.0)[0];
            drawing.line([[x, bottom], [x, bottom + 4.0]], Pen::new(Ink::Faint, 1.0));
            drawing.text(x, bottom + 15.0, SMALL, Anchor::Middle, Ink::Faint, rounded(tick, 4));
        }
        drawing.text(left + width / 2.0, bottom + 31.0, SMALL, Anchor::Middle, Ink::Text, names.0);
        drawing.text(left - 6.0, top - 10.0, SMALL, Anchor::Start, Ink::Text, names.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_within_the_axis() {
        assert_eq!(Scale::linear(0.0, 10.0).ticks(), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        let ticks: Vec<String> =
            Scale::linear(0.21, 0.34).ticks().iter().map(|tick| format!("{tick:.3}")).collect();
        assert_eq!(ticks.join(" "), "0.225 0.250 0.275 0.300 0.325");
        assert_eq!(Scale::sizes(1.0, 100.0).ticks(), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]);
        assert_eq!(Scale::sizes(1.0, 1e6).ticks(), [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6]);
        for (low, high) in [(0.0, 0.0), (5.0, 5.0), (-3.0, 1e-300), (f64::NAN, 1.0), (1e300, 1.7e308)] {
            for tick in Scale::linear(low, high).ticks() {
                assert!(tick.is_finite());
            }
            assert!((0.0..=1.0).contains(&Scale::linear(low, high).place(3.0)));
        }
    }
}
