//! Other programs on the same folds, as `bench/which_tree.py` measured them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use secateur::error::{Error, Place, Result};
use secateur::report::grid::{Column, Grid};
use secateur::statistics::ranks;

use super::markdown;
use crate::suite::contest::{average, median};

/// What programs came to: a line for every table and program.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Peers {
    lines: Vec<BTreeMap<String, String>>,
    /// Seconds by table and program.
    seconds: BTreeMap<(String, String), f64>,
}

/// The measures of a contest: the column, its title, its digits, what it is multiplied with, and whether larger is better.
type Measure = (&'static str, &'static str, usize, f64, bool);
type Measures = &'static [Measure];

const CLASSES: Measures = &[
    ("accuracy", "accuracy %", 2, 100.0, true),
    ("log_loss", "log loss", 3, 1.0, false),
    ("brier", "Brier", 4, 1.0, false),
    ("leaves", "leaves", 1, 1.0, false),
    SECONDS,
];
const NUMBERS: Measures = &[
    ("rmse", "RMSE", 3, 1.0, false),
    ("mae", "MAE", 3, 1.0, false),
    ("leaves", "leaves", 1, 1.0, false),
    SECONDS,
];
/// From the file of times.
const SECONDS: Measure = ("seconds", "CPU s", 4, 1.0, false);

impl Peers {
    /// Reads the file, and the times beside it (`NAME.seconds.csv`) where they are.
    pub fn read(path: &Path) -> Result<Self> {
        let lines = lines(path)?;
        let beside: PathBuf = path.with_extension("seconds.csv");
        let mut seconds = BTreeMap::new();
        if beside.exists() {
            for line in self::lines(&beside)? {
                let text = |head: &str| line.get(head).cloned().unwrap_or_default();
                if let Ok(number) = text("seconds").parse() {
                    seconds.insert((text("table"), text("program")), number);
                }
            }
        }
        Ok(Self { lines, seconds })
    }

    /// The programs that have results for a task, in the order of the file.
    fn programs(&self, task: &str) -> Vec<&str> {
        let mut list: Vec<&str> = Vec::new();
        for line in self.lines.iter().filter(|line| line.get("task").is_some_and(|t| t == task)) {
            let program = line.get("program").map_or("", String::as_str);
            if !list.contains(&program) {
                list.push(program);
            }
        }
        list
    }

    /// The tables on which all programs have results.
    fn tables(&self, task: &str) -> Vec<&str> {
        let programs = self.programs(task);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for line in self.lines.iter().filter(|line| line.get("task").is_some_and(|t| t == task)) {
            *counts.entry(line.get("table").map_or("", String::as_str)).or_default() += 1;
        }
        counts.into_iter().filter(|(_, count)| *count == programs.len()).map(|(table, _)| table).collect()
    }

    fn number(&self, table: &str, program: &str, measure: &str) -> Option<f64> {
        if measure == SECONDS.0 {
            return self.seconds.get(&(table.to_string(), program.to_string())).copied();
        }
        let is = |line: &&BTreeMap<String, String>| {
            line.get("table").is_some_and(|t| t == table) && line.get("program").is_some_and(|p| p == program)
        };
        self.lines.iter().find(is)?.get(measure)?.parse().ok()
    }

    /// The tables of the page.
    pub(super) fn section(&self) -> String {
        let parts = [("classes", CLASSES), ("numbers", NUMBERS)];
        let grids = parts.iter().filter_map(|(task, measures)| self.grid(task, measures));
        grids.map(|grid| markdown(&grid)).collect::<Vec<_>>().join("\n")
    }

    fn grid(&self, task: &str, measures: Measures) -> Option<Grid> {
        let (programs, tables) = (self.programs(task), self.tables(task));
        if programs.is_empty() || tables.is_empty() {
            return None;
        }
        let mut columns = vec![Column::left("program")];
        let measures: Vec<Measure> =
            measures.iter().copied().filter(|m| *m != SECONDS || !self.seconds.is_empty()).collect();
        for (_, title, ..) in &measures {
            columns.extend([Column::decimal(*title), Column::decimal("rank")]);
        }
        let title = format!("{}: {} tables on which all have results", capital(task), tables.len());
        let mut grid = Grid::new(title, columns);
        let mut rows: Vec<Vec<String>> = programs.iter().map(|program| vec![program.to_string()]).collect();
        let mut firsts: Vec<(&str, Vec<&str>)> = Vec::new();
        for (measure, title, digits, scale, larger) in measures {
            let mut best: Option<(f64, &str)> = None;
            let of = |table: &str| -> Option<Vec<f64>> {
                programs.iter().map(|program| self.number(table, program, measure)).collect()
            };
            let scores: Vec<Vec<f64>> = tables.iter().filter_map(|table| of(table)).collect();
            let ranked: Vec<Vec<f64>> = scores.iter().map(|scores| ranks(scores, larger)).collect();
            for (place, row) in rows.iter_mut().enumerate() {
                let column =
                    |of: &[Vec<f64>]| -> Vec<f64> { of.iter().map(|scores| scores[place]).collect() };
                let number = match measure {
                    "leaves" => median(column(&scores)),
                    // Errors in different units: as multiples of the first program's.
                    "rmse" | "mae" => {
                        average(scores.iter().map(|s| s[place] / s[0]).filter(|x| x.is_finite()))
                    }
                    _ => average(column(&scores).into_iter()),
                };
                if let Some(own) = number.map(|x| if larger { -x } else { x })
                    && best.is_none_or(|(least, _)| own < least)
                {
                    best = Some((own, programs[place]));
                }
                row.push(super::digits(number.map(|x| scale * x), digits));
                row.push(super::digits(average(column(&ranked).into_iter()), 2));
            }
            if let Some((_, program)) = best {
                match firsts.iter_mut().find(|(first, _)| *first == program) {
                    Some((_, titles)) => titles.push(title),
                    None => firsts.push((program, vec![title])),
                }
            }
        }
        rows.into_iter().for_each(|row| {
            grid.row(row);
        });
        let first = programs[0];
        grid.notes.push(match task {
            "numbers" => format!("RMSE and MAE are multiples of {first}'s, means over tables; of leaves the median. Ranks are among these programs."),
            _ => "Means over tables, of leaves the median. Ranks are among these programs.".into(),
        });
        let firsts: Vec<String> =
            firsts.iter().map(|(program, titles)| format!("{program} by {}", titles.join(", "))).collect();
        grid.notes.push(format!("Best in this table: {}.", firsts.join("; ")));
        Some(grid)
    }

    /// How long programs took.
    pub(super) fn times(&self) -> String {
        let mut out = String::new();
        for task in ["classes", "numbers"] {
            let (programs, tables) = (self.programs(task), self.tables(task));
            let of = |program: &str| -> Option<Vec<f64>> {
                let one = |table: &&str| self.seconds.get(&(table.to_string(), program.to_string())).copied();
                tables.iter().map(one).collect()
            };
            let columns = [Column::left("program"), Column::right("mean, s"), Column::right("median, s")];
            let title =
                format!("Other programs, {task}: {} tables, CPU seconds of training alone", tables.len());
            let mut grid = Grid::new(title, columns);
            for program in programs {
                let Some(seconds) = of(program).filter(|seconds| !seconds.is_empty()) else { continue };
                let mean = average(seconds.iter().copied());
                grid.row([program.to_string(), super::digits(mean, 4), super::digits(median(seconds), 4)]);
            }
            if grid.rows() > 0 {
                out += &format!("\n{}", markdown(&grid));
            }
        }
        out
    }
}

fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or(String::new(), |first| first.to_uppercase().chain(rest).collect())
}

/// The lines of a CSV file by their heads.
fn lines(path: &Path) -> Result<Vec<BTreeMap<String, String>>> {
    let name = path.display().to_string();
    let bad = |line: u64, problem: String| Error::input(Place::file(&*name).line(line), problem);
    let mut reader = csv::Reader::from_path(path)
        .map_err(|e| Error::input(Place::file(&*name), format!("cannot be read: {e}")))?;
    let heads = reader.headers().map_err(|e| bad(1, e.to_string()))?.clone();
    let mut list = Vec::new();
    for (i, row) in reader.records().enumerate() {
        let row = row.map_err(|e| bad(i as u64 + 2, e.to_string()))?;
        list.push(heads.iter().map(String::from).zip(row.iter().map(String::from)).collect());
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_of_every_measure_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("peers.csv");
        let heads = "task,table,program,accuracy,log_loss,brier,leaves,rmse,mae\n";
        let own = "classes,a,Own,0.9,0.3,0.1,8,,\nclasses,b,Own,0.8,0.4,0.2,6,,\n";
        let other = "classes,a,Other,0.8,0.5,0.2,4,,\nclasses,b,Other,0.8,0.5,0.3,2,,\n";
        std::fs::write(&path, format!("{heads}{own}{other}")).unwrap();
        let page = Peers::read(&path).unwrap().section();
        assert!(page.contains("2 tables on which all have results"), "{page}");
        assert!(
            page.contains("Best in this table: Own by accuracy %, log loss, Brier; Other by leaves."),
            "{page}"
        );
        assert!(!page.contains("CPU s"), "{page}");
        let seconds = "table,program,seconds\na,Own,0.2\nb,Own,0.1\na,Other,0.3\nb,Other,0.3\n";
        std::fs::write(folder.path().join("peers.seconds.csv"), seconds).unwrap();
        let page = Peers::read(&path).unwrap().section();
        assert!(page.contains("Own by accuracy %, log loss, Brier, CPU s; Other by leaves."), "{page}");
        assert!(
            page.contains(
                "| Own | 85.00 | 1.25 | 0.350 | 1.00 | 0.1500 | 1.00 | 7.0 | 2.00 | 0.1500 | 1.00 |"
            ),
            "{page}"
        );
    }
}
