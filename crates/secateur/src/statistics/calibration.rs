//! Calibration: whether what is said with probability `p` happens with frequency `p`.
//!
//! Probabilities are sorted into ten bins of equal width, each from above its lower to its upper end (the first one with 0). In a
//! bin `b` with weight `w_b`, the mean probability `p_b` is held against the share `o_b` of the weight where it happened. The
//! *expected calibration error* is `Σ_b w_b |o_b − p_b| / Σ_b w_b`.
//!
//! Sources: A. H. Murphy and R. L. Winkler (1977), *Reliability of subjective probability forecasts of precipitation and
//! temperature*, for the diagram; M. P. Naeini, G. F. Cooper and M. Hauskrecht (2015), *Obtaining well calibrated probabilities using
//! Bayesian binning*, AAAI, for the error. It is never below 0, so chance alone makes it large where bins have few rows.

use serde::{Deserialize, Serialize};

use super::{Interval, wilson_interval};

/// The number of bins.
const BINS: usize = 10;

/// Probabilities that differ by less than this are equal: averages over leaves are not exact.
const STEP: f64 = 1e-12;

/// Probabilities in bins, beside how often it happened.
///
/// ```
/// use secateur::statistics::Calibration;
/// let mut calibration = Calibration::default();
/// for (probability, happened) in [(0.25, true), (0.25, false), (0.3, false), (0.9, true)] {
///     calibration.add(probability, happened, 1.0);
/// }
/// let bins = calibration.bins();
/// assert_eq!((bins[0].low, bins[0].high, bins[0].weight), (0.2, 0.3, 3.0));
/// assert!((bins[0].observed - 1.0 / 3.0).abs() < 1e-15);
/// // 3/4 of the rows are off by 1/3 − 0.8/3, the last one by 0.1.
/// assert!((calibration.error().unwrap() - (0.75 * 0.2 / 3.0 + 0.25 * 0.1)).abs() < 1e-15);
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<Filled>", into = "Vec<Filled>")]
pub struct Calibration {
    sums: [Sums; BINS],
}

/// Weight, sum of the probabilities, and weight where it happened.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Sums {
    weight: f64,
    said: f64,
    happened: f64,
}

/// A bin in files: its place from 0, and its sums. Empty bins are left out.
type Filled = (usize, f64, f64, f64);

/// A bin that is not empty.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CalibrationBin {
    /// Probabilities above this (in the first bin, from 0).
    pub low: f64,
    /// Probabilities up to this.
    pub high: f64,
    /// The weight of its rows.
    pub weight: f64,
    /// The mean of the probabilities.
    pub predicted: f64,
    /// The share of the weight where it happened.
    pub observed: f64,
}

impl CalibrationBin {
    /// Where the true share lies with 95 % confidence (Wilson), when rows of weight 1 were judged this many times each.
    pub fn interval(&self, times: f64) -> Option<Interval> {
        let rows = self.weight / times.max(1.0);
        wilson_interval((self.observed * rows).round() as u64, rows.round() as u64, 0.95).ok()
    }
}

impl Calibration {
    /// Adds something that was said with a probability, and whether it happened.
    pub fn add(&mut self, probability: f64, happened: bool, weight: f64) {
        let place = (probability * BINS as f64 - STEP).ceil() - 1.0;
        let sums = &mut self.sums[(place.max(0.0) as usize).min(BINS - 1)];
        sums.weight += weight;
        sums.said += weight * probability;
        sums.happened += if happened { weight } else { 0.0 };
    }

    /// Adds what others have said.
    pub fn join(&mut self, other: &Self) {
        for (sums, more) in self.sums.iter_mut().zip(&other.sums) {
            sums.weight += more.weight;
            sums.said += more.said;
            sums.happened += more.happened;
        }
    }

    /// The bins that are not empty, from small probabilities to large ones.
    pub fn bins(&self) -> Vec<CalibrationBin> {
        let filled = self.sums.iter().enumerate().filter(|(_, sums)| sums.weight > 0.0);
        let bin = |(place, sums): (usize, &Sums)| CalibrationBin {
            low: place as f64 / BINS as f64,
            high: (place + 1) as f64 / BINS as f64,
            weight: sums.weight,
            predicted: sums.said / sums.weight,
            observed: sums.happened / sums.weight,
        };
        filled.map(bin).collect()
    }

    /// The expected calibration error; `None` when nothing was said.
    pub fn error(&self) -> Option<f64> {
        let all: f64 = self.sums.iter().map(|sums| sums.weight).sum();
        let off: f64 = self.sums.iter().map(|sums| (sums.happened - sums.said).abs()).sum();
        (all > 0.0).then(|| off / all)
    }
}

/// How far the sums of a bin may be above its weight, as a share of it.
const ROUNDING: f64 = 1e-9;

impl TryFrom<Vec<Filled>> for Calibration {
    type Error = &'static str;

    fn try_from(filled: Vec<Filled>) -> Result<Self, &'static str> {
        let mut calibration = Self::default();
        for (place, weight, said, happened) in filled {
            let within = |sum: f64| (0.0..=weight * (1.0 + ROUNDING)).contains(&sum);
            match calibration.sums.get_mut(place) {
                _ if !weight.is_finite() || weight <= 0.0 => {
                    return Err("the weight of a calibration bin is not above 0");
                }
                _ if !within(said) || !within(happened) => {
                    return Err("a sum of a calibration bin is not from 0 to its weight");
                }
                Some(sums) if sums.weight == 0.0 => {
                    *sums = Sums { weight, said: said.min(weight), happened: happened.min(weight) }
                }
                Some(_) => return Err("a calibration bin appears twice"),
                None => return Err("there are ten calibration bins"),
            }
        }
        Ok(calibration)
    }
}

impl From<Calibration> for Vec<Filled> {
    fn from(calibration: Calibration) -> Self {
        let filled = calibration.sums.iter().enumerate().filter(|(_, sums)| sums.weight > 0.0);
        filled.map(|(place, sums)| (place, sums.weight, sums.said, sums.happened)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bin_ends_with_its_upper_end() {
        for (probability, low) in
            [(0.0, 0.0), (0.1, 0.0), (0.1 + 1e-9, 0.1), (0.1 + 0.2, 0.2), (0.7, 0.6), (1.0, 0.9)]
        {
            let mut calibration = Calibration::default();
            calibration.add(probability, true, 1.0);
            assert_eq!(calibration.bins()[0].low, low, "{probability}");
        }
    }

    #[test]
    fn parts_join_to_the_whole_and_survive_a_file() {
        let said: Vec<(f64, bool)> = (0..50).map(|i| (f64::from(i * i % 47) / 47.0, i % 3 == 0)).collect();
        let of = |part: &[(f64, bool)]| {
            let mut calibration = Calibration::default();
            part.iter().for_each(|&(p, happened)| calibration.add(p, happened, 0.5));
            calibration
        };
        let (mut joined, whole) = (of(&said[..20]), of(&said));
        joined.join(&of(&said[20..]));
        for (a, b) in joined.bins().iter().zip(whole.bins()) {
            assert!(
                (a.predicted - b.predicted).abs() < 1e-14 && a.weight == b.weight && a.observed == b.observed
            );
        }
        let json = serde_json::to_string(&whole).unwrap();
        assert_eq!(serde_json::from_str::<Calibration>(&json).unwrap(), whole);
        assert_eq!(serde_json::to_string(&Calibration::default()).unwrap(), "[]");
        assert_eq!(Calibration::default().error(), None);
    }

    #[test]
    fn bins_from_a_file_are_those_that_something_was_added_to() {
        for bad in [
            "[[0,1,0.5,1.5]]",
            "[[0,1,1.5,0.5]]",
            "[[0,1,-0.5,0.5]]",
            "[[0,1,0.5,-0.5]]",
            "[[0,0,0,0]]",
            "[[0,-1,0,0]]",
            "[[10,1,0.5,0.5]]",
            "[[0,1,0.5,0.5],[0,1,0.5,0.5]]",
            "[[0,1e308,1e308,1.1e308]]",
        ] {
            assert!(serde_json::from_str::<Calibration>(bad).is_err(), "{bad}");
        }
        // Sums of many rows are rounded.
        let rounded = serde_json::from_str::<Calibration>("[[9,1,1.0000000000000002,1]]").unwrap();
        assert_eq!(rounded.bins()[0].predicted, 1.0);
    }
}
