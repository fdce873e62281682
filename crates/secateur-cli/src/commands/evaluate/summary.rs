//! What `secateur evaluate --json` reports.

use secateur::evaluate::Baseline;
use secateur::evaluate::comparison::{Failed, Sheet};
use secateur::evaluate::measures::{class_scores, macro_average};
use serde_json::{Map, Value, json};

use super::{Done, to_priors};
use crate::experiment::{Mean, Set, Sets};

impl Done<'_> {
    /// Everything as JSON.
    pub(super) fn summary(&self, sets: &Sets, seconds: f64, failures: &[Failed]) -> Value {
        let common = json!({
            "scheme": self.scheme, "protocol": self.protocol.in_words(), "divisions": self.protocol.count(),
            "seed": self.seed, "seconds": seconds,
        });
        let mut summary: Vec<Value> = Vec::new();
        for (i, set) in sets.list.iter().enumerate() {
            let mine: Vec<_> = failures.iter().filter(|f| f.dataset == set.name).collect();
            summary.push(self.summary_of(i, set, json!(mine)));
        }
        let mut all = match summary.len() {
            1 => summary.remove(0),
            _ => json!({ "results": summary }),
        };
        if let (Value::Object(all), Value::Object(common)) = (&mut all, common) {
            all.extend(common);
        }
        all
    }

    /// One data set as JSON; the numbers beside the curve are those of its largest share.
    fn summary_of(&self, place: usize, set: &Set, failures: Value) -> Value {
        let shares = &self.sheets[0].shares;
        let mut summary = self.means(place, self.last());
        summary.insert("dataset".into(), json!(set.summary()));
        summary.insert("failures".into(), failures);
        let baseline = &self.baselines[place];
        let mut constant: Map<String, Value> =
            baseline.measures().iter().map(|(name, x)| (name.replace('-', "_"), json!(x))).collect();
        constant.insert("answer".into(), json!(answer(set, baseline)));
        summary.insert("baseline".into(), constant.into());
        if let Some(r2) = self.r2(place, self.last()) {
            summary.insert("r2".into(), json!(r2));
        }
        if let Some(seen) = self.seen(set) {
            summary.insert("sets".into(), seen.summary());
        }
        if shares.len() > 1 {
            let point = |share: usize| {
                let mut point = self.means(place, share);
                let (train, test) = self.rows(&set.name, shares[share]);
                point.extend([
                    ("share".to_string(), json!(shares[share])),
                    ("train".into(), json!(train)),
                    ("test".into(), json!(test)),
                ]);
                point
            };
            summary.insert("curve".into(), (0..shares.len()).map(point).collect::<Vec<_>>().into());
        }
        if let Some(confusion) = self.confusion(&set.name, shares[self.last()]) {
            let names = set.coded.schema().target.classes();
            let classes = names.iter().zip(class_scores(&confusion)).map(|(name, s)| {
                json!({"class": name, "precision": s.precision, "recall": s.recall, "f1": s.f1, "support": s.support})
            });
            summary.insert("classes".into(), classes.collect());
            let mean = macro_average(&confusion);
            let mean = mean.map(|s| json!({"precision": s.precision, "recall": s.recall, "f1": s.f1}));
            summary.insert("macro".into(), json!(mean));
            summary.insert("confusion".into(), json!(confusion));
            if let Some(told) = self.calibration_of(set) {
                summary.insert("calibration".into(), told.summary());
            }
            if let Some((error, loss)) = to_priors(set, &confusion) {
                let to = json!({"accuracy": 1.0 - error, "error": error, "loss": loss});
                summary.insert("weighted_to_priors".into(), to);
            }
        }
        summary.into()
    }

    /// All means of a data set with one share, by measure.
    fn means(&self, dataset: usize, share: usize) -> Map<String, Value> {
        let of = |sheet: &Sheet| {
            let summary = sheet.cell(dataset, 0, share);
            summary.mean?;
            Some((sheet.measure.key(), json!(Mean::of(sheet, summary))))
        };
        self.sheets.iter().filter_map(of).collect()
    }
}

/// What a constant answers.
fn answer(set: &Set, baseline: &Baseline) -> Value {
    match baseline.class {
        Some(class) => json!(set.coded.schema().target.classes()[class]),
        None => json!(baseline.number),
    }
}
