//! How much memory may be used, and for what.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::grow::Budget;

/// A number of bytes, as people write it: `2GB`, `512 MB`, `1.5GiB`.
///
/// ```
/// use secateur::stream::Memory;
/// assert_eq!("2GB".parse::<Memory>()?.bytes(), 2_000_000_000);
/// assert_eq!("1.5 GiB".parse::<Memory>()?.bytes(), 1_610_612_736);
/// assert_eq!("300m".parse::<Memory>()?.to_string(), "300 MB");
/// assert!("much".parse::<Memory>().is_err());
/// # Ok::<(), secateur::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Memory(u64);

/// The units, with the bytes of each.
const UNITS: [(&str, u64); 13] = [
    ("", 1),
    ("b", 1),
    ("k", 1000),
    ("kb", 1000),
    ("kib", 1 << 10),
    ("m", 1_000_000),
    ("mb", 1_000_000),
    ("mib", 1 << 20),
    ("g", 1_000_000_000),
    ("gb", 1_000_000_000),
    ("gib", 1 << 30),
    ("tb", 1_000_000_000_000),
    ("tib", 1 << 40),
];

/// Less than this is not enough for the program itself.
const LEAST: u64 = 64_000_000;

impl Memory {
    /// This many bytes.
    pub fn of(bytes: u64) -> Self {
        Self(bytes)
    }

    /// The bytes.
    pub fn bytes(self) -> u64 {
        self.0
    }

    /// Fails where a program cannot run in so little.
    pub fn check(self) -> Result<Self> {
        if self.0 >= LEAST {
            return Ok(self);
        }
        Err(Error::parameter(format!("{self} of memory is too little; give at least 64 MB")))
    }
}

impl FromStr for Memory {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        let wrong = || {
            Error::parameter(format!(
                "{} is not an amount of memory; expected a number with a unit, such as 2GB or 512MB",
                crate::error::shown(text)
            ))
        };
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let number: f64 = text[..end].parse().map_err(|_| wrong())?;
        let unit = text[end..].trim().to_lowercase();
        let unit = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?.1;
        Ok(Self((number * unit as f64) as u64))
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, name) = match self.0 {
            0..1_000_000 => (1e3, "kB"),
            1_000_000..10_000_000_000 => (1e6, "MB"),
            _ => (1e9, "GB"),
        };
        write!(f, "{} {name}", (self.0 as f64 / unit * 10.0).round() / 10.0)
    }
}

/// What the memory is divided into.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares {
    /// For growing.
    pub grow: Budget,
    /// Texts of one column that are kept while columns are looked at, in bytes.
    pub texts: usize,
    /// Numbers that are reported at once while bins are looked for.
    pub numbers: usize,
}

/// What the program takes by itself, with its threads and what is being read.
const ITSELF: u64 = 40_000_000;

impl Shares {
    /// The shares of a budget.
    pub fn of(memory: Memory) -> Self {
        let free = memory.bytes().saturating_sub(ITSELF) as usize;
        Self {
            grow: Budget { histograms: free / 5, rows: free / 10 * 6, trees: free / 5 },
            texts: free / 8,
            numbers: (free / 4 / 64).max(1 << 12),
        }
    }

    /// The same where answers come from other machines in messages of this many bytes: none is asked for that would be very many of them.
    pub fn in_messages(mut self, most_bytes: usize) -> Self {
        self.grow.histograms = self.grow.histograms.min(16 * most_bytes);
        self.numbers = self.numbers.min((most_bytes / 16).max(1 << 12));
        self
    }
}
