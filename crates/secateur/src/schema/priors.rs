//! How common the classes really are, where the rows do not say it.

use super::class_names;
use crate::error::{Error, Result, shown};

/// A share for every class, by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Priors {
    classes: Vec<String>,
    /// In the order of the classes; they add up to 1.
    shares: Vec<f64>,
}

impl Priors {
    /// Shares in any unit, all above 0.
    ///
    /// ```
    /// use secateur::schema::Priors;
    /// let priors = Priors::new(&[("bad".into(), 30.0), ("good".into(), 70.0)])?;
    /// assert_eq!(priors.shares(&["good".into(), "bad".into()])?, [0.7, 0.3]);
    /// assert!(priors.shares(&["good".into(), "ugly".into()]).is_err());
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn new(shares: &[(String, f64)]) -> Result<Self> {
        let classes: Vec<String> = shares.iter().map(|(class, _)| class.clone()).collect();
        class_names::check("priors", &classes)?;
        if let Some((class, share)) = shares.iter().find(|(_, share)| !(share.is_finite() && *share > 0.0)) {
            return Err(Error::parameter(format!(
                "priors: the share of {} is {share}; expected a number above 0",
                shown(class)
            )));
        }
        // In units of the largest, whose sum cannot overflow.
        let most = shares.iter().map(|(_, share)| *share).fold(0.0, f64::max);
        let sum: f64 = shares.iter().map(|(_, share)| share / most).sum();
        Ok(Self { classes, shares: shares.iter().map(|(_, share)| share / most / sum).collect() })
    }

    /// Shares of 1 for some of these classes; the others have what is left, in proportion to their weights. Shares for all
    /// classes may be in any unit.
    ///
    /// ```
    /// use secateur::schema::Priors;
    /// let classes = ["a".to_string(), "b".into(), "c".into()];
    /// let priors = Priors::completed(&[("b".into(), 0.75)], &classes, &[30.0, 500.0, 20.0])?;
    /// assert_eq!(priors.shares(&classes)?, [0.15, 0.75, 0.1]);
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn completed(shares: &[(String, f64)], classes: &[String], weights: &[f64]) -> Result<Self> {
        if let Some((other, _)) = shares.iter().find(|(class, _)| !classes.contains(class)) {
            return Err(class_names::no_class("priors", other, classes));
        }
        let given = |class: &String| shares.iter().any(|(known, _)| known == class);
        let others = classes.iter().zip(weights).filter(|(class, weight)| !given(class) && **weight > 0.0);
        let (weight, left) =
            (others.clone().map(|(_, w)| w).sum::<f64>(), 1.0 - shares.iter().map(|(_, s)| s).sum::<f64>());
        if weight > 0.0 && (left.is_nan() || left <= 0.0) {
            return Err(Error::parameter(format!(
                "priors: shares of {} leave nothing for the other classes; expected a sum below 1, or a share for every class",
                1.0 - left
            )));
        }
        let rest = others.map(|(class, of_class)| (class.clone(), left * of_class / weight));
        Self::new(&shares.iter().cloned().chain(rest).collect::<Vec<_>>())
    }

    /// The shares in the order of these classes; they add up to 1.
    ///
    /// # Errors
    /// When the classes are not those of the priors.
    pub fn shares(&self, classes: &[String]) -> Result<Vec<f64>> {
        let places = class_names::places("priors", &self.classes, classes)?;
        Ok(places.into_iter().map(|place| self.shares[place]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|name| name.to_string()).collect()
    }

    #[test]
    fn classes_are_found_by_name() {
        let priors = Priors::new(&[("a".into(), 1.0), ("b".into(), 2.0), ("c".into(), 5.0)]).unwrap();
        assert_eq!(priors.shares(&names(&["c", "a", "b"])).unwrap(), [0.625, 0.125, 0.25]);
        let problem = |classes: &[&str]| priors.shares(&names(classes)).unwrap_err().to_string();
        assert_eq!(
            problem(&["a", "b", "c", "d"]),
            "priors: the class 'd' is missing; they are for 'a', 'b', 'c'"
        );
        assert_eq!(
            problem(&["a", "b"]),
            "priors: there is no class 'c' (did you mean 'a'?); the classes are 'a', 'b'"
        );
    }

    #[test]
    fn shares_are_checked() {
        let problem = |shares: &[(String, f64)]| Priors::new(shares).unwrap_err().to_string();
        assert!(problem(&[]).contains("no classes"));
        assert!(problem(&[("a".into(), 1.0), ("a".into(), 2.0)]).contains("'a' appears twice"));
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(problem(&[("a".into(), 1.0), ("b".into(), bad)]).contains("share of 'b'"));
        }
        let huge = Priors::new(&[("a".into(), f64::MAX), ("b".into(), f64::MAX)]).unwrap();
        assert_eq!(huge.shares(&names(&["b", "a"])).unwrap(), [0.5, 0.5]);
    }
}
