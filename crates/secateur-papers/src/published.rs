//! What was printed: the cells of published tables, with the digits as they stand on paper.
//!
//! A file is CSV with a header. `dataset`, `metric` and `value` must be there; `scheme`, `std`, `mark` with `relative_to`,
//! or one `mark_vs_NAME` per comparison may be. Columns of [`GROUPS`] tell rows of one data set and scheme apart. A mark is
//! `+` (significantly larger), `-` (significantly smaller) or `=` (compared, no significant difference). A row without a value
//! was printed without one and gives no cell. `difference_to_NAME` and `p_percent_to_NAME` are for readers only.

use super::results::{Key, Results, Sign};
use secateur::error::{Error, Place, Result, shown, suggestion};

/// The columns that tell rows of one data set, scheme and metric apart; several are joined by `/`.
pub const GROUPS: [&str; 8] =
    ["training_percent", "training_rows", "fold", "expansions", "seed", "k", "split", "node"];

/// A printed number.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Data set, scheme, metric and group.
    pub key: Key,
    /// The number.
    pub value: f64,
    /// The number as it was printed.
    pub text: String,
    /// The standard deviation printed with it.
    pub std: Option<f64>,
    /// What was printed about the number beside those of other schemes.
    pub marks: Vec<(String, Sign)>,
}

impl Cell {
    /// One in the last printed digit.
    ///
    /// ```
    /// # use secateur_papers::Published;
    /// let text = "dataset,scheme,metric,value\niris,cart,accuracy,94.20\niris,cart,seconds,8.5E-2\n";
    /// let cells = Published::parse(text, "mine.csv")?.cells;
    /// assert_eq!((cells[0].unit(), cells[1].unit()), (0.01, 0.001));
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn unit(&self) -> f64 {
        let (digits, exponent) = match self.text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse().unwrap_or(0)),
            None => (self.text.as_str(), 0),
        };
        let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
        // A quotient of whole numbers, so that two decimals give exactly the number 0.01.
        match exponent - decimals {
            power if power < 0 => 1.0 / 10f64.powi(-power),
            power => 10f64.powi(power),
        }
    }

    /// Whether a measured number rounds to the printed one.
    ///
    /// ```
    /// # use secateur_papers::Published;
    /// let cell = &Published::parse("dataset,metric,value\niris,accuracy,94.20\n", "mine.csv")?.cells[0];
    /// assert!(cell.rounds_from(94.204) && !cell.rounds_from(94.21));
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn rounds_from(&self, measured: f64) -> bool {
        let unit = self.unit();
        (measured - self.value).abs() <= unit * (0.5 + 1e-9) + self.value.abs() * 1e-14
    }
}

/// The cells of published tables.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Published {
    /// The cells, in the order of the file.
    pub cells: Vec<Cell>,
}

impl Published {
    /// Reads a published file; `name` is the file as errors shall name it.
    ///
    /// ```
    /// use secateur_papers::{Published, Sign};
    /// let text = "dataset,scheme,metric,value,mark,relative_to\niris,pre,accuracy,94.53,=,post\n";
    /// let cell = &Published::parse(text, "mine.csv")?.cells[0];
    /// assert_eq!((cell.value, cell.text.as_str()), (94.53, "94.53"));
    /// assert_eq!(cell.marks, [("post".to_owned(), Sign::Same)]);
    ///
    /// let wrong = Published::parse("dataset,metric,valeu\n", "mine.csv").unwrap_err();
    /// assert!(wrong.to_string().contains("unknown column 'valeu' (did you mean 'value'?)"));
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn parse(text: &str, name: &str) -> Result<Self> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let bad = |error: csv::Error| {
            let line = error.position().map_or(1, |position| position.line());
            Error::input(Place::file(name).line(line), format!("not a valid table: {error}"))
        };
        let columns = Columns::of(reader.headers().map_err(bad)?, name)?;
        let mut cells = Vec::new();
        for record in reader.records() {
            let record = record.map_err(bad)?;
            let line = record.position().map_or(1, |position| position.line());
            cells.extend(columns.cell(&record, &Place::file(name).line(line))?);
        }
        Ok(Self { cells })
    }

    /// The same numbers and marks as a table of results.
    pub fn results(&self) -> Results {
        let mut results = Results::default();
        for cell in &self.cells {
            results.set(cell.key.clone(), cell.value, cell.std);
            for (than, sign) in &cell.marks {
                results.mark(cell.key.clone(), than, *sign);
            }
        }
        results
    }
}

/// Where the columns stand.
struct Columns {
    dataset: usize,
    metric: usize,
    value: usize,
    scheme: Option<usize>,
    std: Option<usize>,
    mark: Option<(usize, usize)>,
    marks: Vec<(String, usize)>,
    groups: Vec<usize>,
}

impl Columns {
    fn of(header: &csv::StringRecord, name: &str) -> Result<Self> {
        let problem = |text: String| Error::input(Place::file(name).line(1), text);
        let names: Vec<&str> = header.iter().collect();
        let at = |column: &str| names.iter().position(|name| *name == column);
        let need = |column: &str| at(column).ok_or_else(|| problem(format!("column {column} is missing")));
        let known = ["dataset", "metric", "value", "scheme", "std", "mark", "relative_to"];
        for column in &names {
            let free = ["mark_vs_", "difference_to_", "p_percent_to_"];
            let fits = known.contains(column) || GROUPS.contains(column);
            if !fits && !free.iter().any(|start| column.starts_with(start)) {
                let all = known.into_iter().chain(GROUPS);
                return Err(problem(format!("unknown column {}{}", shown(column), suggestion(column, all))));
            }
        }
        let marks = names.iter().enumerate();
        Ok(Self {
            dataset: need("dataset")?,
            metric: need("metric")?,
            value: need("value")?,
            scheme: at("scheme"),
            std: at("std"),
            mark: at("mark").map(|mark| need("relative_to").map(|than| (mark, than))).transpose()?,
            marks: marks.filter_map(|(i, c)| Some((c.strip_prefix("mark_vs_")?.to_owned(), i))).collect(),
            groups: GROUPS.iter().filter_map(|group| at(group)).collect(),
        })
    }

    fn cell(&self, record: &csv::StringRecord, place: &Place) -> Result<Option<Cell>> {
        let field = |i: usize| record.get(i).unwrap_or_default().trim();
        let number =
            |i: usize| {
                field(i).parse::<f64>().ok().filter(|x| x.is_finite()).ok_or_else(|| {
                    Error::input(place.clone(), format!("{} is not a number", shown(field(i))))
                })
            };
        if field(self.value).is_empty() {
            return Ok(None);
        }
        let group: Vec<&str> =
            self.groups.iter().map(|&i| field(i)).filter(|text| !text.is_empty()).collect();
        let key = Key {
            dataset: field(self.dataset).to_owned(),
            scheme: self.scheme.map(field).unwrap_or_default().to_owned(),
            metric: field(self.metric).to_owned(),
            group: (!group.is_empty()).then(|| group.join("/")),
        };
        let mut marks = Vec::new();
        let pairs = self.marks.iter().map(|(than, i)| (than.as_str(), field(*i)));
        for (than, mark) in self.mark.map(|(mark, than)| (field(than), field(mark))).into_iter().chain(pairs)
        {
            let sign = match mark {
                "" => continue,
                "+" => Sign::Larger,
                "-" => Sign::Smaller,
                "=" => Sign::Same,
                other => {
                    let problem = format!("{} is not a mark; write +, - or =", shown(other));
                    return Err(Error::input(place.clone(), problem));
                }
            };
            if than.is_empty() {
                return Err(Error::input(place.clone(), "a mark needs a scheme in relative_to".to_owned()));
            }
            marks.push((than.to_owned(), sign));
        }
        let std = self.std.filter(|&i| !field(i).is_empty()).map(number).transpose()?;
        Ok(Some(Cell { key, value: number(self.value)?, text: field(self.value).to_owned(), std, marks }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        Published::parse(text, "t.csv").unwrap_err().to_string()
    }

    #[test]
    fn groups_and_marks_of_several_comparisons_are_read() {
        let text = "dataset,scheme,seed,k,metric,value,std,mark_vs_a,mark_vs_b\n\
                    x,c,1,4,rcv,0.5,0.1,+,\nx,c,1,,selected_k,4,,,-\nx,c,,,note,,,,\n";
        let cells = Published::parse(text, "t.csv").unwrap().cells;
        assert_eq!(cells.len(), 2);
        assert_eq!(cells[0].key, Key::new("x", "c", "rcv").group("1/4"));
        assert_eq!((cells[0].std, cells[1].std), (Some(0.1), None));
        assert_eq!(cells[0].marks, [("a".to_owned(), Sign::Larger)]);
        assert_eq!(cells[1].key.group.as_deref(), Some("1"));
        assert_eq!(cells[1].marks, [("b".to_owned(), Sign::Smaller)]);
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        assert_eq!(problem("dataset,metric\n"), "t.csv, line 1: column value is missing");
        assert_eq!(problem("dataset,metric,value,mark\n"), "t.csv, line 1: column relative_to is missing");
        assert_eq!(problem("dataset,metric,value\na,b,c\n"), "t.csv, line 2: 'c' is not a number");
        assert_eq!(problem("dataset,metric,value\na,b,inf\n"), "t.csv, line 2: 'inf' is not a number");
        let marked = "dataset,metric,value,mark,relative_to\n";
        assert_eq!(
            problem(&format!("{marked}a,b,1,*,c\n")),
            "t.csv, line 2: '*' is not a mark; write +, - or ="
        );
        assert_eq!(
            problem(&format!("{marked}a,b,1,+,\n")),
            "t.csv, line 2: a mark needs a scheme in relative_to"
        );
        assert!(problem("dataset,metric,value\na,b\n").starts_with("t.csv, line 2: not a valid table"));
    }

    #[test]
    fn a_number_rounds_to_its_print_up_to_half_a_digit() {
        let cell = |text: &str| {
            let csv = format!("dataset,metric,value\na,b,{text}\n");
            Published::parse(&csv, "t.csv").unwrap().cells.remove(0)
        };
        assert!(cell("94.20").rounds_from(94.205) && cell("94.20").rounds_from(94.195));
        assert!(!cell("94.20").rounds_from(94.206) && !cell("94.20").rounds_from(94.194));
        assert!(cell("61").rounds_from(61.4) && !cell("61").rounds_from(61.6));
        assert!(cell("1.5E+1").rounds_from(15.4) && !cell("1.5E+1").rounds_from(15.6));
        assert_eq!(cell("1.5E+1").unit(), 1.0);
        assert_eq!(cell("2E3").unit(), 1000.0);
    }
}
