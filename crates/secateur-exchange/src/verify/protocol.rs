//! Rows and answers as files between this program and a consumer, all numbers with the lowest byte first.
//!
//! `rows.json` says what there is, `count.txt` how many rows. Input `i` is `column-i.bin`: 64-bit numbers, or 32-bit places in the list of texts that
//! `levels-i.bin` holds (each behind its length in 32 bits; all bits set for a missing value). The answers come back as `names.bin`
//! (different labels, as texts) with `labels.bin` (places among them), `numbers.bin` (probabilities or numbers) and `leaves.bin`.

use std::fs;
use std::path::Path;

use secateur::data::MISSING;
use serde_json::{Value, json};

use super::{Answers, Column, Failure, Trial};
use crate::export::Inputs;

fn written(result: std::io::Result<()>, file: &Path) -> Result<(), Failure> {
    result.map_err(|error| Failure::Failed(format!("{}: cannot write it: {error}", file.display())))
}

/// Writes a file into the folder of a trial.
pub(crate) fn write(trial: &Trial, name: &str, bytes: &[u8]) -> Result<(), Failure> {
    let file = trial.folder.join(name);
    written(fs::write(&file, bytes), &file)
}

/// Writes the rows, and the exported tree as `exported`.
pub(crate) fn write_rows(trial: &Trial, exported: &str) -> Result<(), Failure> {
    let inputs = Inputs::of(&trial.model.tree);
    let mut list = Vec::new();
    for ((place, input), column) in inputs.iter().enumerate().zip(&trial.rows.columns) {
        let (levels, bytes): (Value, Vec<u8>) = match column {
            Column::Numbers(numbers) => (Value::Null, numbers.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Column::Texts(levels, codes) => {
                let with_length =
                    |level: &String| [&(level.len() as u32).to_le_bytes(), level.as_bytes()].concat();
                let bytes: Vec<u8> = levels.iter().flat_map(with_length).collect();
                write(trial, &format!("levels-{place}.bin"), &bytes)?;
                (json!(levels), codes.iter().flat_map(|code| code.to_le_bytes()).collect())
            }
        };
        write(trial, &format!("column-{place}.bin"), &bytes)?;
        list.push(json!({
            "name": input.name(),
            "place": input.place,
            "levels": levels,
            "known": input.values().len(),
            "shown_as": input.attribute.shown_as.name(),
        }));
    }
    let attributes: Vec<&str> =
        trial.model.tree.schema().attributes.iter().map(|attribute| attribute.name.as_str()).collect();
    let options: serde_json::Map<String, Value> =
        trial.options.iter().map(|(name, value)| (name.to_string(), json!(value))).collect();
    let head = json!({
        "rows": trial.rows.count,
        "inputs": list,
        "attributes": attributes,
        "target": trial.model.tree.schema().target.name(),
        "classes": trial.model.tree.schema().target.classes(),
        "options": options,
        "exported": exported,
        "missing": MISSING,
    });
    write(trial, "count.txt", trial.rows.count.to_string().as_bytes())?;
    write(trial, "rows.json", head.to_string().as_bytes())?;
    write(trial, exported, trial.exported)
}

/// Reads the answers, as far as they are there.
pub(crate) fn read_answers(trial: &Trial) -> Result<Answers, Failure> {
    let read = |name: &str| fs::read(trial.folder.join(name)).unwrap_or_default();
    let words = |bytes: Vec<u8>| -> Vec<u32> {
        let (chunks, _) = bytes.as_chunks::<4>();
        chunks.iter().map(|chunk| u32::from_le_bytes(*chunk)).collect()
    };
    let numbers = read("numbers.bin");
    let (chunks, _) = numbers.as_chunks::<8>();
    Ok(Answers {
        names: texts(&read("names.bin")),
        labels: words(read("labels.bin")),
        numbers: chunks.iter().map(|chunk| f64::from_le_bytes(*chunk)).collect(),
        leaves: words(read("leaves.bin")),
    })
}

/// Texts behind their lengths.
fn texts(mut bytes: &[u8]) -> Vec<String> {
    let mut list = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk::<4>() {
        let length = (u32::from_le_bytes(*length) as usize).min(rest.len());
        list.push(String::from_utf8_lossy(&rest[..length]).into_owned());
        bytes = &rest[length..];
    }
    list
}
