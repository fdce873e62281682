//! The options of a step, and where its table comes from.

use std::fs::File;
use std::io::Read;

use secateur::data::{Column, ReadOptions, Table, Values, builtin, read};
use secateur::progress::Silent;
use secateur::schema::Task;
use secateur::scheme::Scheme;
use secateur::{Error, Result};

/// The options of a step.
pub struct Options {
    /// How to learn.
    pub scheme: Scheme,
    /// Threads of all work.
    pub threads: usize,
    /// How often the work is done in this process.
    pub repeats: usize,
    /// The attributes of a raw file.
    columns: usize,
    /// Whether the target's numbers are classes.
    pub task: Task,
    /// The rows to grow on; all when not given.
    pub grown: Option<usize>,
    /// Only pruners that visit every node once.
    pub one_pass: bool,
}

fn number(name: &str, value: &str) -> Result<usize> {
    value.parse().map_err(|_| Error::parameter(format!("{name}: expected a number, not {value}")))
}

impl Options {
    /// Reads `name=value` pairs.
    pub fn parse(pairs: &[String]) -> Result<Self> {
        let mut options = Self {
            scheme: "cart".parse()?,
            threads: 1,
            repeats: 1,
            columns: 10,
            task: Task::Classification,
            grown: None,
            one_pass: false,
        };
        for pair in pairs {
            match pair.split_once('=') {
                Some(("scheme", text)) => options.scheme = text.parse()?,
                Some(("threads", text)) => options.threads = number("threads", text)?,
                Some(("repeats", text)) => options.repeats = number("repeats", text)?,
                Some(("columns", text)) => options.columns = number("columns", text)?,
                Some(("grown", text)) => options.grown = Some(number("grown", text)?),
                Some(("task", "classes")) => options.task = Task::Classification,
                Some(("task", "numbers")) => options.task = Task::Regression,
                Some(("pruners", "all")) => options.one_pass = false,
                Some(("pruners", "one-pass")) => options.one_pass = true,
                _ => return Err(Error::parameter(format!("unknown option {pair}"))),
            }
        }
        Ok(options)
    }

    /// The table of that name.
    pub fn table(&self, file: &str) -> Result<Table> {
        match file.strip_prefix("builtin:") {
            Some(name) => builtin::load(name),
            None if file.ends_with(".raw") => raw(file, self.columns),
            None => read(file, &ReadOptions::default(), &Silent),
        }
    }
}

/// Reads one column after the other, so that no more than the table is ever held.
fn raw(file: &str, columns: usize) -> Result<Table> {
    let failed = |e: std::io::Error| Error::parameter(format!("{file}: {e}"));
    let mut input = File::open(file).map_err(failed)?;
    let rows = input.metadata().map_err(failed)?.len() as usize / 8 / (columns + 1);
    let mut bytes = vec![0; rows * 8];
    let columns = (0..=columns)
        .map(|c| {
            input.read_exact(&mut bytes).map_err(failed)?;
            let (numbers, _) = bytes.as_chunks();
            let name = if c == columns { "class".into() } else { format!("x{c}") };
            Ok(Column {
                name,
                values: Values::Numeric(numbers.iter().map(|b| f64::from_le_bytes(*b)).collect()),
            })
        })
        .collect::<Result<_>>()?;
    Table::new(file, columns)
}
