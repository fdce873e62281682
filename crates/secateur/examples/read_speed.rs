//! How fast a file is read: `cargo run --release --example read_speed -- FILE`.

use secateur::data::{ReadOptions, Values, read};
use secateur::progress::Silent;
use std::time::Instant;

#[expect(clippy::print_stdout, reason = "it is a program")]
fn main() -> secateur::Result<()> {
    for name in std::env::args().skip(1) {
        let start = Instant::now();
        let table = read(&name, &ReadOptions::default(), &Silent)?;
        let seconds = start.elapsed().as_secs_f64();
        let bytes = std::fs::metadata(&name).map_or(0, |metadata| metadata.len());
        let cell = |values: &Values| if matches!(values, Values::Numeric(_)) { 8 } else { 4 };
        let columnar = table.columns().iter().map(|c| cell(&c.values) * table.rows()).sum::<usize>();
        println!(
            "{name}: {} rows, {} columns, {seconds:.2} s, {:.0} MB/s; {} MB in the file, {} MB in the table",
            table.rows(),
            table.columns().len(),
            bytes as f64 / 1e6 / seconds,
            bytes / 1_000_000,
            columnar / 1_000_000
        );
    }
    Ok(())
}
