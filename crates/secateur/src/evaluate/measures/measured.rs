//! The numbers of one tree on one test part, kept in the order of the list of measures.

use std::fmt;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Calibrated, Covered, LIST, MEASURES, Measure, Unit, place};
use crate::error::Result;

/// The numbers of one tree on one test part.
///
/// In files it is an object with a number for every measure that exists, in the order of [`MEASURES`], and the
/// confusion matrix:
///
/// ```
/// use secateur::evaluate::measures::Measured;
/// let json = r#"{"accuracy":0.75,"nodes":3.0,"confusion":[[2.0,1.0],[0.0,1.0]]}"#;
/// let measured: Measured = serde_json::from_str(json).unwrap();
/// assert_eq!((measured.get("accuracy"), measured.get("mse")), (Some(0.75), None));
/// assert_eq!(serde_json::to_string(&measured).unwrap(), json);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measured {
    numbers: [Option<f64>; LIST.len()],
    /// The weight of the rows of each class (outer list) that got each label (inner list); only for classes.
    pub confusion: Option<Vec<Vec<f64>>>,
    /// How well calibrated probabilities are, where that was asked for ([`Details`](super::Details)); only for classes.
    pub calibration: Option<Calibrated>,
    /// What was seen of sets and intervals, where they were asked for.
    pub sets: Option<Covered>,
}

/// Shares of sums can be above 1 by rounding.
const ROUNDING: f64 = 1e-9;
/// The limits of tables: 2³² rows of a weight of up to 1e60 each, and squares of targets up to 1e150.
const MOST_WEIGHT: f64 = 1e70;
const MOST: f64 = 1e301;

impl Measured {
    /// A number; `None` when it does not exist or there is no measure of this name.
    ///
    /// ```
    /// # use secateur::evaluate::measures::Measured;
    /// assert_eq!(Measured::default().get("accuracy"), None);
    /// ```
    pub fn get(&self, id: &str) -> Option<f64> {
        MEASURES.iter().zip(&self.numbers).find(|(m, _)| m.id == id).and_then(|(_, x)| *x)
    }

    /// Sets a number; one that is not finite counts as absent.
    ///
    /// ```
    /// # use secateur::evaluate::measures::Measured;
    /// let mut measured = Measured::default();
    /// measured.set("error", 0.25).unwrap();
    /// assert_eq!(measured.get("error"), Some(0.25));
    /// assert!(measured.set("eror", 0.25).is_err());
    /// ```
    pub fn set(&mut self, id: &str, number: f64) -> Result<()> {
        self.numbers[place(id)?] = Some(number).filter(|x| x.is_finite());
        Ok(())
    }

    /// The same numbers with the seconds that fitting (growing, choosing and pruning) and pruning alone took.
    ///
    /// ```
    /// # use secateur::evaluate::measures::Measured;
    /// let timed = Measured::default().with_seconds(1.5, 0.25);
    /// assert_eq!((timed.get("fit-seconds"), timed.get("prune-seconds")), (Some(1.5), Some(0.25)));
    /// ```
    pub fn with_seconds(mut self, fit: f64, prune: f64) -> Self {
        for (measure, number) in MEASURES.iter().zip(&mut self.numbers) {
            match measure.id {
                "fit-seconds" => *number = Some(fit).filter(|x| x.is_finite()),
                "prune-seconds" => *number = Some(prune).filter(|x| x.is_finite()),
                _ => {}
            }
        }
        self
    }

    /// What no tree can have come to, in numbers from a file; the bins of a calibration are checked when they are read.
    pub(in crate::evaluate) fn problem(&self) -> Option<String> {
        for (measure, number) in self.iter() {
            let (least, most) = match measure.unit {
                Unit::Share => (0.0, 1.0 + ROUNDING),
                Unit::Count => (0.0, MOST_WEIGHT),
                Unit::Seconds => (0.0, MOST),
                Unit::Plain => (-MOST, MOST),
            };
            if !(least..=most).contains(&number) {
                return Some(format!(
                    "{} is {number:?}; expected a number from {least:?} to {most:?}",
                    measure.id
                ));
            }
        }
        let are_weights = |numbers: &[f64]| numbers.iter().all(|number| (0.0..=MOST_WEIGHT).contains(number));
        if let Some(rows) = &self.confusion
            && !rows.iter().all(|row| row.len() == rows.len() && are_weights(row))
        {
            return Some("confusion is not a square of numbers from 0".into());
        }
        let covered = self.sets.as_ref()?;
        (!covered.is_possible(MOST_WEIGHT, MOST)).then(|| "sets cover more than there is".into())
    }

    /// The numbers that exist, in the order of [`MEASURES`].
    ///
    /// ```
    /// # use secateur::evaluate::measures::Measured;
    /// let timed = Measured::default().with_seconds(1.5, 0.25);
    /// let ids: Vec<&str> = timed.iter().map(|(measure, _)| measure.id).collect();
    /// assert_eq!(ids, ["fit-seconds", "prune-seconds"]);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&'static Measure, f64)> + '_ {
        MEASURES.iter().zip(&self.numbers).filter_map(|(m, x)| x.map(|x| (m, x)))
    }
}

impl Serialize for Measured {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (measure, number) in self.iter() {
            map.serialize_entry(measure.id, &number)?;
        }
        if let Some(confusion) = &self.confusion {
            map.serialize_entry("confusion", confusion)?;
        }
        if let Some(calibration) = &self.calibration {
            map.serialize_entry("calibration", calibration)?;
        }
        if let Some(sets) = &self.sets {
            map.serialize_entry("sets", sets)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Measured {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Numbers;
        impl<'de> Visitor<'de> for Numbers {
            type Value = Measured;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with a number for every measure")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Measured, A::Error> {
                let mut measured = Measured::default();
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "confusion" => measured.confusion = map.next_value()?,
                        "calibration" => measured.calibration = map.next_value()?,
                        "sets" => measured.sets = map.next_value()?,
                        _ => measured.numbers[place(&key).map_err(A::Error::custom)?] = map.next_value()?,
                    }
                }
                Ok(measured)
            }
        }
        deserializer.deserialize_map(Numbers)
    }
}
