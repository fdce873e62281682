//! Texts, booleans and what is asked to be nominal, as codes of their values.

use super::super::MISSING;
use super::super::intern::Interner;
use super::plain;
use super::text::{Texts, each_text, keys};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use std::sync::Arc;

/// Gives the values of arrays their codes, in the order of appearance.
pub(crate) struct Coder {
    levels: Interner<String>,
    /// The values of the last dictionary, and the codes of those that rows had.
    dictionary: Option<(ArrayRef, Vec<Option<u32>>)>,
    /// Whether the values of a dictionary are in order: all of them are taken as they stand there.
    in_order: bool,
}

impl Coder {
    /// A coder that knows some values already.
    pub(crate) fn new(levels: Interner<String>) -> Self {
        Self { levels, dictionary: None, in_order: false }
    }

    /// The same coder for dictionaries whose values are in order.
    pub(crate) fn in_order(self) -> Self {
        Self { in_order: true, ..self }
    }

    /// The values, in the order of their codes.
    pub(crate) fn into_levels(self) -> Vec<String> {
        self.levels.into_levels()
    }

    /// Fills cells with the codes of an array, which has as many.
    pub(crate) fn fill(&mut self, cells: &mut [u32], array: &ArrayRef) -> Result<(), String> {
        match plain(array.data_type()) {
            _ if array.as_any_dictionary_opt().is_some() => self.fill_by_dictionary(cells, array),
            DataType::Boolean => {
                self.fill_booleans(cells, array);
                Ok(())
            }
            text if text.is_string() => {
                let mut cells = cells.iter_mut();
                each_text(array, |text| {
                    if let Some(cell) = cells.next() {
                        *cell = self.code(text);
                    }
                    Ok(())
                })
            }
            _ => {
                let mut texts = Texts::new(array)?;
                for (row, cell) in cells.iter_mut().enumerate() {
                    *cell = self.code(texts.at(row)?);
                }
                Ok(())
            }
        }
    }

    fn code(&mut self, text: Option<&str>) -> u32 {
        text.map_or(MISSING, |text| self.levels.code(text))
    }

    fn fill_booleans(&mut self, cells: &mut [u32], array: &ArrayRef) {
        let mut codes = [None; 2];
        for (cell, bit) in cells.iter_mut().zip(array.as_boolean()) {
            *cell = bit.map_or(MISSING, |bit| {
                let text = if bit { "true" } else { "false" };
                *codes[usize::from(bit)].get_or_insert_with(|| self.levels.code(text))
            });
        }
    }

    /// Each value of the dictionary gets its code when a row first has it.
    fn fill_by_dictionary(&mut self, cells: &mut [u32], array: &ArrayRef) -> Result<(), String> {
        let Some(dictionary) = array.as_any_dictionary_opt() else { return Ok(()) };
        let values = dictionary.values();
        // The batches of a file mostly share a dictionary.
        let last = self.dictionary.take().filter(|(last, _)| Arc::ptr_eq(last, values));
        let (values, mut known) = last.unwrap_or_else(|| (values.clone(), vec![None; values.len()]));
        let mut texts = Texts::new(&values)?;
        if self.in_order {
            for (key, known) in known.iter_mut().enumerate().filter(|(_, known)| known.is_none()) {
                *known = Some(self.code(texts.at(key)?));
            }
        }
        let mut code = |key: usize| -> Result<u32, String> {
            match known.get(key) {
                Some(Some(code)) => Ok(*code),
                Some(None) => Ok(*known[key].insert(self.code(texts.at(key)?))),
                None => Ok(MISSING),
            }
        };
        match array.as_dictionary_opt::<Int32Type>() {
            // The keys that decoders give, without a copy of them.
            Some(array) => {
                let nulls = array.nulls();
                for (row, (cell, &key)) in cells.iter_mut().zip(array.keys().values()).enumerate() {
                    let valid = nulls.is_none_or(|nulls| nulls.is_valid(row));
                    *cell = if valid { code(key as usize)? } else { MISSING };
                }
            }
            None => {
                for (cell, key) in cells.iter_mut().zip(keys(dictionary)) {
                    *cell = key.map_or(Ok(MISSING), &mut code)?;
                }
            }
        }
        drop(texts);
        self.dictionary = Some((values, known));
        Ok(())
    }
}
