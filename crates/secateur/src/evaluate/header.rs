//! The first line of a result file, which says whose results it holds, and the order in which they follow.

use std::path::Path;

use serde_json::json;

use super::data_set::of_folds;
use super::{Experiment, Protocol, Record};
use crate::error::{Error, Place, Result};

impl Experiment {
    /// What the file says of the experiment; results of another one are not mixed in.
    pub(super) fn header(&self) -> serde_json::Value {
        let schemes: Vec<_> = self
            .schemes
            .iter()
            .map(|s| json!({"name": s.name, "scheme": s.scheme.to_string(), "sees_test_rows": s.sees_test_rows}))
            .collect();
        let datasets: Vec<_> = self
            .datasets
            .iter()
            .map(|d| match d.fingerprint {
                Some(print) => json!({"name": d.name, "fingerprint": format!("{print:016x}")}),
                None => json!(d.name),
            })
            .collect();
        let protocol = match &self.protocol {
            Protocol::Given(folds) => {
                json!({"name": "given", "folds": folds.len(), "fingerprint": format!("{:016x}", of_folds(folds))})
            }
            other => serde_json::to_value(other).unwrap_or_default(),
        };
        json!({"secateur": "results", "version": 1, "seed": self.seed, "protocol": protocol,
               "shares": self.shares, "all_parts": self.all_parts, "datasets": datasets, "schemes": schemes})
    }

    /// Whether the records of a file are those that this experiment writes, in its order.
    pub(super) fn check_order(&self, records: &[Record], path: &Path) -> Result<()> {
        let per_set = self.protocol.count();
        let size = self.shares.len() * self.schemes.len();
        for (i, record) in records.iter().enumerate() {
            let (unit, within) = (i / size, i % size);
            let place = self.protocol.place(unit % per_set);
            let right = self.datasets.get(unit / per_set).is_some_and(|set| set.name == record.dataset)
                && self.schemes[within % self.schemes.len()].name == record.scheme
                && self.shares[within / self.schemes.len()] == record.share
                && place == (record.repeat, record.fold);
            if !right {
                return Err(Error::input(
                    Place::file(path.display().to_string()).line(i as u64 + 2),
                    "this record is not the one that comes next in this experiment; the file was changed; remove it, \
                     or name another",
                ));
            }
        }
        Ok(())
    }
}
