//! The counts of a tree that has none, from the rows it was grown from: every row is sent down the tree and counted where it
//! ends. The leaves then say what these rows say.

use secateur::data::{MISSING, Table, Values};
use secateur::error::{Place, shown};
use secateur::predict::Predictor;
use secateur::schema::Target;
use secateur::tree::{Model, Node, Stats, Tree};
use secateur::{Error, Result};

use super::Imported;

/// What a row says of the target.
enum Answer<'a> {
    Classes { width: usize, codes: Vec<Option<usize>> },
    Numbers(&'a [f64]),
}

/// The same tree with the counts of these rows.
///
/// # Errors
/// When a column that the tree tests is not in the table, or its target is not that of the tree.
pub fn count(imported: Imported, rows: &Table) -> Result<Imported> {
    let Imported { model, mut notes } = imported;
    let tree = &model.tree;
    let answer = answer(tree, rows)?;
    let predictor = Predictor::bind(tree, rows)?;
    let width = match &answer {
        Answer::Classes { width, .. } => *width,
        Answer::Numbers(_) => 2,
    };
    let count = tree.nodes().len();
    let (mut sums, mut weights, mut reached) =
        (vec![0.0; count * width], vec![0.0; count], vec![0u64; count]);
    let mut ends = vec![Vec::new(); rows.rows()];
    for (row, ends) in ends.iter_mut().enumerate() {
        if answer.is_missing(row) {
            continue;
        }
        *ends = predictor.leaf_weights(row);
        for &(leaf, share) in ends.iter() {
            reached[leaf] += 1;
            weights[leaf] += share;
            answer.add(row, share, &mut sums[leaf * width..][..width]);
        }
    }
    for node in (1..count).rev() {
        let parent = tree.node(node).parent.map_or(0, |parent| parent as usize);
        weights[parent] += weights[node];
        reached[parent] += reached[node];
        for j in 0..width {
            sums[parent * width + j] += sums[node * width + j];
        }
    }
    if weights[0] <= 0.0 {
        return Err(Error::input(
            Place::file(rows.name()),
            "no row has a target, so there is nothing to count",
        ));
    }
    let nodes: Vec<Node> = (tree.nodes().iter().zip(&weights).zip(&reached))
        .map(|((node, &weight), &rows)| Node { weight, rows, ..node.clone() })
        .collect();
    let stats = match &answer {
        Answer::Classes { width, .. } => Stats::Classes { classes: *width, weights: sums },
        Answer::Numbers(numbers) => numbers_of(tree, numbers, &ends, &weights, &sums),
    };
    let counted = Tree::checked(tree.schema().clone(), nodes, stats)
        .map_err(|problem| {
            Error::input(Place::file(rows.name()), format!("its rows do not fit the tree: {problem}"))
        })?
        .with_costs(tree.costs().cloned())?;
    let changed =
        (0..count).filter(|&node| tree.is_leaf(node) && tree.label(node) != counted.label(node)).count();
    notes.retain(|note| !note.contains("counts of training rows"));
    notes.push(format!("the counts are those of {}; leaves say what its rows say", shown(rows.name())));
    if changed > 0 {
        notes.push(format!("{changed} leaves have another label by these rows: they are not the rows that the tree was grown from, or it was grown otherwise"));
    }
    let mut about = model.about;
    (about.rows, about.data) = (reached[0], rows.name().to_string());
    Ok(Imported { model: Model { tree: counted, scheme: model.scheme, about }, notes })
}

fn answer<'a>(tree: &Tree, rows: &'a Table) -> Result<Answer<'a>> {
    let name = tree.schema().target.name();
    let column = &rows.columns()[rows.position(name)?];
    match (&tree.schema().target, &column.values) {
        (Target::Number { .. }, Values::Numeric(numbers)) => Ok(Answer::Numbers(numbers)),
        (Target::Classes { classes, .. }, values) => {
            let code = |text: &str| {
                let place = classes.iter().position(|class| class == text);
                place.ok_or_else(|| {
                    let place = Place::file(rows.name()).attribute(name);
                    Error::input(place, format!("{} is not a class of the tree", shown(text)))
                })
            };
            let codes = match values {
                Values::Nominal(nominal) => {
                    let levels: Vec<Option<usize>> =
                        nominal.levels.iter().map(|level| code(level).ok()).collect();
                    let cell = |&cell: &u32| match cell {
                        MISSING => Ok(None),
                        cell => match levels[cell as usize] {
                            Some(class) => Ok(Some(class)),
                            None => code(&nominal.levels[cell as usize]).map(Some),
                        },
                    };
                    nominal.codes.iter().map(cell).collect::<Result<_>>()?
                }
                Values::Numeric(numbers) => {
                    let cell = |x: &f64| if x.is_nan() { Ok(None) } else { code(&x.to_string()).map(Some) };
                    numbers.iter().map(cell).collect::<Result<_>>()?
                }
            };
            Ok(Answer::Classes { width: classes.len(), codes })
        }
        _ => Err(Error::input(
            Place::file(rows.name()).attribute(name),
            "the tree predicts numbers, and this column has text",
        )),
    }
}

impl Answer<'_> {
    fn is_missing(&self, row: usize) -> bool {
        match self {
            Self::Classes { codes, .. } => codes[row].is_none(),
            Self::Numbers(numbers) => numbers[row].is_nan(),
        }
    }

    fn add(&self, row: usize, share: f64, sum: &mut [f64]) {
        match self {
            Self::Classes { codes, .. } => {
                if let Some(class) = codes[row] {
                    sum[class] += share;
                }
            }
            Self::Numbers(numbers) => sum[0] += share * numbers[row],
        }
    }
}

/// Means, and squared errors around them from the rows themselves.
fn numbers_of(
    tree: &Tree,
    numbers: &[f64],
    ends: &[Vec<(usize, f64)>],
    weights: &[f64],
    sums: &[f64],
) -> Stats {
    let mean: Vec<f64> = (0..weights.len())
        .map(|node| if weights[node] > 0.0 { sums[node * 2] / weights[node] } else { 0.0 })
        .collect();
    let mut squares = vec![0.0; weights.len()];
    for (row, ends) in ends.iter().enumerate() {
        for &(leaf, share) in ends {
            let mut node = Some(leaf);
            while let Some(id) = node {
                squares[id] += share * (numbers[row] - mean[id]).powi(2);
                node = tree.node(id).parent.map(|parent| parent as usize);
            }
        }
    }
    let mse = squares
        .iter()
        .zip(weights)
        .map(|(sum, weight)| if *weight > 0.0 { sum / weight } else { 0.0 })
        .collect();
    Stats::Numbers { mean, mse, median: Vec::new() }
}
