//! What the machines of a cluster do: questions about the rows they hold come as bytes, and answers go back as bytes that add up.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator};
use secateur::data::Table;
use secateur::shard::{
    Answer, Ask, Chunk, Coder, Coding, Counter, Cut, Held, HeldAnswer, Holder, Look, Looked, Looker, Message,
    Near, NearLooker, NearValues, Pieces, Taken, take,
};
use secateur::threads::alone;

use crate::arrow;
use crate::failure::exception;

/// Numbered pieces of an answer. Those of the same number add up.
pub type Answers<'py> = Vec<(u32, Bound<'py, PyBytes>)>;

/// The bits of the number of a row within its partition.
const ROW_BITS: u32 = 40;

/// A table from an Arrow batch.
pub fn table_of(name: &str, batch: &Bound<'_, PyAny>) -> PyResult<Table> {
    let found = arrow::read(batch, None)?;
    if !found.is_table {
        return Err(PyValueError::new_err("expected batches with columns"));
    }
    Ok(Table::new(name, found.columns).map_err(exception)?.with_shown_as(found.shown))
}

/// Calls `work` with every table of an iterator of Arrow batches and the number of its first row; the interpreter is free meanwhile.
fn each_table(
    py: Python<'_>,
    batches: &Bound<'_, PyIterator>,
    partition: u64,
    mut work: impl FnMut(&Table, u64) -> secateur::Result<()> + Send,
) -> PyResult<()> {
    let mut at = partition << ROW_BITS;
    for batch in batches {
        let table = table_of("the table", &batch?)?;
        if table.rows() > 0 {
            py.detach(|| alone(|| work(&table, at))).map_err(exception)?;
        }
        at += table.rows() as u64;
        py.check_signals()?;
    }
    Ok(())
}

/// The same for coded chunks.
fn each_chunk(
    py: Python<'_>,
    coding: &Coding,
    chunks: &Bound<'_, PyIterator>,
    mut work: impl FnMut(&Chunk) -> secateur::Result<()> + Send,
) -> PyResult<()> {
    for chunk in chunks {
        let chunk = chunk?;
        let bytes: &[u8] = chunk.extract()?;
        py.detach(|| alone(|| work(&Chunk::from_bytes(coding, bytes)?))).map_err(exception)?;
        py.check_signals()?;
    }
    Ok(())
}

fn message<T: Message>(bytes: &[u8]) -> PyResult<T> {
    T::from_bytes(bytes).map_err(exception)
}

fn as_bytes<'py>(py: Python<'py>, pieces: Vec<(u32, Vec<u8>)>) -> Answers<'py> {
    pieces.into_iter().map(|(number, bytes)| (number, PyBytes::new(py, &bytes))).collect()
}

fn in_pieces<'py, T: Cut>(py: Python<'py>, answer: T, most_bytes: usize) -> PyResult<Answers<'py>> {
    Pieces::of(answer, most_bytes).map(|pieces| as_bytes(py, pieces)).map_err(exception)
}

/// Looks at the rows of a partition (`"look"`, `"near"`): Arrow batches, in their order.
#[pyfunction]
pub fn shard_look<'py>(
    py: Python<'py>,
    kind: &str,
    question: &[u8],
    batches: &Bound<'py, PyIterator>,
    partition: u64,
    most_bytes: usize,
) -> PyResult<Answers<'py>> {
    let mut rows = 0;
    match kind {
        "look" => {
            let question: Look = message(question)?;
            let mut looker = Looker::new(&question);
            each_table(py, batches, partition, |table, at| {
                rows += table.rows();
                looker.add(table, at)
            })?;
            // A partition without rows says nothing.
            if rows == 0 {
                return Ok(Vec::new());
            }
            in_pieces(py, looker.finish().map_err(exception)?, most_bytes)
        }
        "near" => {
            let question: Near = message(question)?;
            let mut looker = NearLooker::new(&question);
            each_table(py, batches, partition, |table, at| looker.add(table, at))?;
            in_pieces(py, looker.finish().map_err(exception)?, most_bytes)
        }
        _ => Err(unknown(kind)),
    }
}

/// Codes the rows of a partition: a list of chunks, each with the number of its rows and of about this many bytes.
#[pyfunction]
pub fn shard_code<'py>(
    py: Python<'py>,
    coding: &[u8],
    batches: &Bound<'py, PyIterator>,
    partition: u64,
    most_bytes: usize,
) -> PyResult<Answers<'py>> {
    let coding: Coding = message(coding)?;
    let coder = Coder::new(&coding).map_err(exception)?;
    let most_rows = most_bytes / coding.row_bytes().max(1);
    let (mut coded, mut last): (Vec<Chunk>, Option<Chunk>) = (Vec::new(), None);
    each_table(py, batches, partition, |table, at| {
        let chunk = coder.chunk(table, at)?;
        match &mut last {
            None => last = Some(chunk),
            Some(last) => last.append(chunk),
        }
        if last.as_ref().is_some_and(|chunk| chunk.rows() >= most_rows) {
            coded.extend(last.take());
        }
        Ok(())
    })?;
    coded.extend(last.filter(|chunk| chunk.rows() > 0));
    Ok(coded.iter().map(|chunk| (chunk.rows() as u32, PyBytes::new(py, &chunk.to_bytes()))).collect())
}

/// The columns that a look at the rows needs; nothing where it needs all.
#[pyfunction]
pub fn shard_columns(kind: &str, question: &[u8]) -> PyResult<Option<Vec<String>>> {
    if kind != "near" {
        return Ok(None);
    }
    let question: Near = message(question)?;
    Ok(Some(question.needs().map(str::to_string).collect()))
}

/// About how many bytes the answer of one partition has.
#[pyfunction]
pub fn shard_bytes(kind: &str, coding: &[u8], question: &[u8]) -> PyResult<usize> {
    Ok(match kind {
        "ask" => Counter::bytes(&message(coding)?, &message(question)?),
        // A look is answered with the counts between as many borders as it names; other answers are as long as their questions.
        _ => 4 * question.len(),
    })
}

/// Counts coded chunks (`"ask"`), sends held-out rows down trees (`"hold"`), or hands rows over by the number of their node (`"take"`).
#[pyfunction]
pub fn shard_count<'py>(
    py: Python<'py>,
    kind: &str,
    coding: &[u8],
    question: &[u8],
    chunks: &Bound<'py, PyIterator>,
    most_bytes: usize,
) -> PyResult<Answers<'py>> {
    let coding: Coding = message(coding)?;
    match kind {
        "ask" => {
            let question: Ask = message(question)?;
            let mut counter = Counter::new(&coding, &question);
            each_chunk(py, &coding, chunks, |chunk| {
                counter.add(chunk);
                Ok(())
            })?;
            in_pieces(py, counter.finish(), most_bytes)
        }
        "hold" => {
            let question: Held = message(question)?;
            let mut holder = Holder::new(&coding, &question);
            each_chunk(py, &coding, chunks, |chunk| {
                holder.add(chunk);
                Ok(())
            })?;
            in_pieces(py, holder.finish(), most_bytes)
        }
        "take" => {
            let question: Ask = message(question)?;
            // What is there of a node is sent as soon as it is enough for a message.
            let mut waiting: Vec<Option<Taken>> = Vec::new();
            let mut sent: Vec<(u32, Vec<u8>)> = Vec::new();
            let most_rows = most_bytes / (coding.row_bytes() + 8);
            each_chunk(py, &coding, chunks, |chunk| {
                let taken = take(&coding, &question, chunk);
                waiting.resize(taken.len(), None);
                for ((number, waits), part) in (0..).zip(&mut waiting).zip(taken) {
                    match (&mut *waits, part) {
                        (Some(waits), Some(part)) => waits.append(part),
                        (waits, part) => *waits = waits.take().or(part),
                    }
                    if let Some(full) = waits.take_if(|taken| taken.rows.rows() >= most_rows) {
                        sent.push((number, full.to_bytes()?));
                    }
                }
                Ok(())
            })?;
            for (number, rest) in (0..).zip(waiting) {
                if let Some(rest) = rest {
                    sent.push((number, rest.to_bytes().map_err(exception)?));
                }
            }
            Ok(as_bytes(py, sent))
        }
        _ => Err(unknown(kind)),
    }
}

fn unknown(kind: &str) -> PyErr {
    PyValueError::new_err(format!("there is no question {kind:?}"))
}

/// Adds pieces that come from an iterator in Python.
pub fn gathered<T: Cut + Send>(pieces: &Bound<'_, PyAny>) -> PyResult<Pieces<T>> {
    let mut sums = Pieces::new();
    for piece in pieces.try_iter()? {
        let piece = piece?;
        let (number, bytes): (u32, &[u8]) = piece.extract()?;
        sums.add(number, bytes).map_err(exception)?;
    }
    Ok(sums)
}

/// One piece of every number: the sum of those that are given.
#[pyfunction]
pub fn shard_sum<'py>(py: Python<'py>, kind: &str, pieces: &Bound<'py, PyAny>) -> PyResult<Answers<'py>> {
    let sums = match kind {
        "look" => gathered::<Looked>(pieces)?.sums(),
        "near" => gathered::<NearValues>(pieces)?.sums(),
        "ask" => gathered::<Answer>(pieces)?.sums(),
        "hold" => gathered::<HeldAnswer>(pieces)?.sums(),
        _ => return Err(unknown(kind)),
    };
    sums.map(|sums| as_bytes(py, sums)).map_err(exception)
}
