//! Files in TOML: what they say, or an error with their line.

use secateur::error::{Error, Place, Result};
use serde::de::DeserializeOwned;

/// Reads a file's text. `name` is the file and `what` the thing it describes, as errors shall name them.
pub(crate) fn parse<T: DeserializeOwned>(text: &str, name: &str, what: &str) -> Result<T> {
    toml::from_str(text).map_err(|error| {
        let mut place = Place::file(name);
        if let Some(span) = error.span() {
            let before = text.get(..span.start).unwrap_or_default();
            place = place.line(before.matches('\n').count() as u64 + 1);
        }
        Error::input(place, format!("not a valid {what}: {}", error.message()))
    })
}
