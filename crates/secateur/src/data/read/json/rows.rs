//! Rows as the parser of JSON meets them: an object for each, and its cells into their columns.

use super::Rows;
use super::column::{Building, TEXT, TRUTH, Wanted};
use crate::error::{Result, shown};
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// All rows of an array.
impl<'de> Visitor<'de> for &mut Rows<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array with an object for each row")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<(), A::Error> {
        while rows.next_element_seed(&mut *self)?.is_some() {}
        Ok(())
    }
}

/// One row.
impl<'de> DeserializeSeed<'de> for &mut Rows<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<(), D::Error> {
        parser.deserialize_any(Row(self))
    }
}

struct Row<'r, 'a>(&'r mut Rows<'a>);

impl<'de> Visitor<'de> for Row<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object for each row")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut cells: A) -> Result<(), A::Error> {
        let rows = self.0;
        if rows.rows.is_multiple_of(1 << 12) && rows.progress.cancelled() {
            rows.stopped = true;
            return Err(de::Error::custom("stopped"));
        }
        let (mut next, row) = (0, rows.rows);
        while let Some(place) = cells.next_key_seed(Name { rows: &mut *rows, next })? {
            rows.at = Some(place);
            let column = &mut rows.columns[place];
            if column.last == row + 1 {
                return Err(de::Error::custom(format!("{} appears twice", shown(&column.name))));
            }
            column.last = row + 1;
            rows.cells += 1;
            match column.wanted {
                Wanted::Nothing => drop(cells.next_value::<IgnoredAny>()?),
                _ => cells.next_value_seed(CellOf { column, row })?,
            }
            rows.at = None;
            next = place + 1;
        }
        rows.rows += 1;
        match rows.too_empty() {
            None => Ok(()),
            Some(problem) => Err(de::Error::custom(problem)),
        }
    }
}

/// The name of a cell, which becomes the place of its column.
struct Name<'r, 'a> {
    rows: &'r mut Rows<'a>,
    next: usize,
}

impl<'de> DeserializeSeed<'de> for Name<'_, '_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<usize, D::Error> {
        parser.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_, '_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<usize, E> {
        Ok(self.rows.place(name, self.next))
    }
}

/// A cell, which goes into its column.
struct CellOf<'c> {
    column: &'c mut Building,
    row: usize,
}

impl<'de> DeserializeSeed<'de> for CellOf<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<(), D::Error> {
        parser.deserialize_any(self)
    }
}

const NESTED: &str = "expected a number, a text, true, false or null in every cell, and an object for each row (pandas writes \
                      that with orient='records')";

impl<'de> Visitor<'de> for CellOf<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a text, true, false or null")
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.column.text(self.row, if value { "true" } else { "false" }, TRUTH);
        Ok(())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.column.number(self.row, value as f64, || value.to_string());
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.column.number(self.row, value as f64, || value.to_string());
        Ok(())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        self.column.number(self.row, value, || value.to_string());
        Ok(())
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<(), E> {
        self.column.text(self.row, value, TEXT);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(de::Error::custom(format!("a list; {NESTED}")))
    }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(de::Error::custom(format!("an object; {NESTED}")))
    }
}
