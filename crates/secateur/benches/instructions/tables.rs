//! Small tables by rule. They must never change: the recorded counts belong to them.

use std::fmt::Write;

use secateur::Result;
use secateur::data::{Column, MISSING, Nominal, Table, Values};

/// A multiplicative generator, so that the tables depend on nothing else.
struct Draw(u64);

impl Draw {
    /// Uniform from 0 to 1.
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64
    }

    fn below(&mut self, count: u32) -> u32 {
        (self.share() * f64::from(count)) as u32
    }
}

fn numeric(name: String, cells: Vec<f64>) -> Column {
    Column { name, values: Values::Numeric(cells) }
}

fn nominal(name: String, levels: u32, codes: Vec<u32>) -> Column {
    let levels = (0..levels).map(|level| format!("v{level}")).collect();
    Column { name, values: Values::Nominal(Nominal { levels, codes }) }
}

/// Ten columns of numbers.
fn numbers_of(draw: &mut Draw, rows: usize) -> Vec<Vec<f64>> {
    (0..10).map(|_| (0..rows).map(|_| draw.share()).collect()).collect()
}

fn with_target(columns: Vec<Vec<f64>>, target: Column) -> Result<Table> {
    let attributes = columns.into_iter().enumerate().map(|(i, cells)| numeric(format!("x{i}"), cells));
    Table::new("numbers", attributes.chain([target]).collect())
}

/// Two classes that overlap.
pub fn classes(rows: usize) -> Result<Table> {
    let mut draw = Draw(1);
    let columns = numbers_of(&mut draw, rows);
    let class = |row: usize, noise: f64| u32::from(columns[0][row] + columns[1][row] + noise > 1.5);
    let codes = (0..rows).map(|row| class(row, draw.share())).collect();
    with_target(columns, nominal("class".into(), 2, codes))
}

/// A number with noise: as many leaves as rows.
pub fn numbers(rows: usize) -> Result<Table> {
    let mut draw = Draw(2);
    let columns = numbers_of(&mut draw, rows);
    let target = (0..rows).map(|row| columns[0][row] + columns[1][row] + draw.share()).collect();
    with_target(columns, numeric("y".into(), target))
}

/// Nominal columns of 2 to 200 values and numeric ones, a tenth of the cells missing.
pub fn mixed(rows: usize) -> Result<Table> {
    let mut draw = Draw(3);
    let mut columns = Vec::new();
    let mut score = vec![0.0; rows];
    for levels in [2, 5, 20, 200] {
        let codes: Vec<u32> = (0..rows).map(|_| draw.below(levels)).collect();
        score
            .iter_mut()
            .zip(&codes)
            .for_each(|(score, code)| *score += f64::from(code * 7 % levels) / f64::from(levels));
        let hidden = codes.into_iter().map(|code| if draw.share() < 0.1 { MISSING } else { code });
        columns.push(nominal(format!("n{levels}"), levels, hidden.collect()));
    }
    for name in ["x", "z"] {
        let cells: Vec<f64> = (0..rows).map(|_| draw.share()).collect();
        score.iter_mut().zip(&cells).for_each(|(score, cell)| *score += cell);
        let hidden = cells.into_iter().map(|cell| if draw.share() < 0.1 { f64::NAN } else { cell });
        columns.push(numeric(name.into(), hidden.collect()));
    }
    let codes = score.iter().map(|score| u32::from(score + draw.share() > 3.5)).collect();
    columns.push(nominal("class".into(), 2, codes));
    Table::new("mixed", columns)
}

/// Rows of ten numbers and a class, as text.
fn lines(rows: usize) -> String {
    let mut draw = Draw(4);
    let mut text = String::new();
    for _ in 0..rows {
        (0..10).for_each(|_| write!(text, "{:.6},", draw.share()).unwrap_or_default());
        text += if draw.share() < 0.5 { "yes\n" } else { "no\n" };
    }
    text
}

/// A file with a header of names.
pub fn csv(rows: usize) -> String {
    format!("x0,x1,x2,x3,x4,x5,x6,x7,x8,x9,class\n{}", lines(rows))
}

/// The same rows with a header of types.
pub fn arff(rows: usize) -> String {
    let columns: String = (0..10).map(|i| format!("@attribute x{i} numeric\n")).collect();
    format!("@relation lines\n{columns}@attribute class {{yes,no}}\n@data\n{}", lines(rows))
}

/// Numbers, whole numbers and texts, compressed.
#[cfg(feature = "parquet")]
pub fn parquet(rows: usize) -> Vec<u8> {
    use crate::parquet_files::{Cells, file};
    let mut draw = Draw(4);
    let mut cells = |number: &mut dyn FnMut(&mut Draw)| (0..rows).for_each(|_| number(&mut draw));
    let (mut floats, mut rounded, mut whole, mut texts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    cells(&mut |draw| floats.push(Some(draw.share())));
    cells(&mut |draw| rounded.push((draw.share() > 0.1).then(|| f64::from(draw.below(1000)) / 8.0)));
    cells(&mut |draw| whole.push(Some(i64::from(draw.below(5000)))));
    cells(&mut |draw| texts.push(Some(format!("value {}", draw.below(40)))));
    let columns = [
        ("x", Cells::Floats(floats)),
        ("y", Cells::Floats(rounded)),
        ("n", Cells::Integers(whole)),
        ("t", Cells::Texts(texts)),
    ];
    let how = parquet::file::properties::WriterProperties::builder();
    file(&columns, rows, how.set_compression(parquet::basic::Compression::ZSTD(Default::default())))
}
