//! Trees from shards: whoever counts the rows, in whatever portions and order, the tree is that of the table in memory.

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use secateur::data::{CodedTable, Column, MISSING, Nominal, Roles, Table, Values};
use secateur::error::Result;
use secateur::grow::{Budget, Shards, grow_from_shards, grow_weighted};
use secateur::progress::Silent;
use secateur::schema::Task;
use secateur::shard::{
    Add, Answer, Ask, Chunk, Coding, Counter, Cut, Decision, Levels, Look, Message, Next, Pieces, Tagging,
    Taken, look, near, sampled, take,
};
use secateur::spec::{GrowSpec, Order};

/// What a random table is like.
#[derive(Debug, Clone)]
struct Recipe {
    rows: usize,
    /// 0 for numbers.
    classes: u32,
    missing: f64,
    weights: bool,
    seed: u64,
}

fn recipes() -> impl Strategy<Value = Recipe> {
    let classes = prop_oneof![Just(0u32), Just(2), Just(2), 3u32..6];
    let missing = prop_oneof![2 => Just(0.0), 1 => Just(0.1)];
    (30usize..600, classes, missing, prop::bool::weighted(0.25), any::<u64>())
        .prop_map(|(rows, classes, missing, weights, seed)| Recipe { rows, classes, missing, weights, seed })
}

fn table(recipe: &Recipe) -> Table {
    let mut rng = ChaCha8Rng::seed_from_u64(recipe.seed);
    let rows = recipe.rows;
    let gap = |rng: &mut ChaCha8Rng| rng.random::<f64>() < recipe.missing;
    let mut number = |make: &dyn Fn(&mut ChaCha8Rng) -> f64| -> Vec<f64> {
        (0..rows).map(|_| if gap(&mut rng) { f64::NAN } else { make(&mut rng) }).collect()
    };
    let x = number(&|rng| rng.random::<f64>());
    let skewed = number(&|rng| (8.0 * rng.random::<f64>()).exp() - 20.0);
    let few = number(&|rng| f64::from(rng.random_range(-3i32..4)));
    // Half of the rows have the same value.
    let heavy = number(&|rng| {
        if rng.random::<bool>() { 7.0 } else { 1e9 + 86_400.0 * f64::from(rng.random_range(0u32..400)) }
    });
    let levels = |n: usize| (0..n).map(|i| format!("v{}", (i * 7) % n)).collect::<Vec<_>>();
    let mut nominal = |n: u32| {
        let codes: Vec<u32> =
            (0..rows).map(|_| if gap(&mut rng) { MISSING } else { rng.random_range(0..n) }).collect();
        in_order(levels(n as usize), codes)
    };
    let (colour, city) = (nominal(3), nominal(40));
    let y: Vec<f64> = (0..rows)
        .map(|r| {
            let of = |x: f64| if x.is_nan() { 0.3 } else { x };
            of(x[r]) * 3.0
                + f64::from(u8::from(of(few[r]) > 0.0))
                + f64::from(city.codes[r] % 5) / 3.0
                + rng.random::<f64>()
        })
        .collect();
    let target = match recipe.classes {
        0 => Values::Numeric(y.iter().map(|y| y * 1e3 - 7.0).collect()),
        classes => {
            let codes = y.iter().map(|y| (*y * 1.7) as u32 % classes).collect();
            Values::Nominal(in_order(levels(classes as usize), codes))
        }
    };
    let column = |name: &str, values| Column { name: name.into(), values };
    let mut columns = vec![
        column("x", Values::Numeric(x)),
        column("skewed", Values::Numeric(skewed)),
        column("few", Values::Numeric(few)),
        column("heavy", Values::Numeric(heavy)),
        column("colour", Values::Nominal(colour)),
        column("city", Values::Nominal(city)),
    ];
    if recipe.weights {
        let weights = (0..rows).map(|_| f64::from(rng.random_range(0u32..4))).collect();
        columns.push(column("w", Values::Numeric(weights)));
    }
    columns.push(column("y", target));
    Table::new("random", columns).unwrap()
}

/// The values in the order in which they come first, as readers have them; those that do not come are left out.
fn in_order(levels: Vec<String>, codes: Vec<u32>) -> Nominal {
    let mut new: Vec<Option<u32>> = vec![None; levels.len()];
    let mut kept = Vec::new();
    let codes = codes
        .into_iter()
        .map(|code| match code {
            MISSING => MISSING,
            code => *new[code as usize].get_or_insert_with(|| {
                kept.push(levels[code as usize].clone());
                kept.len() as u32 - 1
            }),
        })
        .collect();
    Nominal { levels: kept, codes }
}

/// Some rows of a table, as a reader would give them: the lists of values are those of these rows.
fn rows(table: &Table, range: std::ops::Range<usize>) -> Table {
    let column = |column: &Column| Column {
        name: column.name.clone(),
        values: match &column.values {
            Values::Numeric(cells) => Values::Numeric(cells[range.clone()].to_vec()),
            Values::Nominal(n) => {
                Values::Nominal(in_order(n.levels.clone(), n.codes[range.clone()].to_vec()))
            }
        },
    };
    Table::new(table.name(), table.columns().iter().map(column).collect()).unwrap()
}

/// The table in portions, each with the number of its first row.
fn portions(table: &Table, cuts: &[usize]) -> Vec<(u64, Table)> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % table.rows()).chain([0, table.rows()]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts.windows(2).map(|w| (w[0] as u64, rows(table, w[0]..w[1]))).collect()
}

fn roles(recipe: &Recipe) -> Roles {
    Roles { weights: recipe.weights.then(|| "w".into()), ..Roles::default() }
}

/// Adds answers up in an order of chance, through bytes.
fn sum<A: Add + Message>(answers: Vec<A>, rng: &mut ChaCha8Rng) -> A {
    let mut answers = answers;
    while answers.len() > 1 {
        let other = answers.swap_remove(rng.random_range(0..answers.len()));
        let other = A::from_bytes(&other.to_bytes().unwrap()).unwrap();
        let into = rng.random_range(0..answers.len());
        answers[into].add(other).unwrap();
    }
    answers.pop().unwrap()
}

fn decided(
    parts: &[(u64, Table)],
    question: &Look,
    tagging: Tagging,
    most_values: usize,
    rng: &mut ChaCha8Rng,
) -> Coding {
    let looked = parts.iter().map(|(at, part)| look(question, part, *at).unwrap()).collect();
    let looked =
        if rng.random() { sum(looked, rng) } else { together(looked, rng.random_range(1..9000)).unwrap() };
    let mut decision =
        Decision::new("random", question, looked, (Levels::First, tagging), most_values).unwrap();
    loop {
        match decision.next().unwrap() {
            Next::Done(coding) => return Coding::from_bytes(&coding.to_bytes().unwrap()).unwrap(),
            Next::Near(closer) => {
                let answers = parts.iter().map(|(at, part)| near(&closer, part, *at).unwrap()).collect();
                let answer = if rng.random() {
                    sum(answers, rng)
                } else {
                    together(answers, rng.random_range(1..9000)).unwrap()
                };
                decision.answered(&closer, answer).unwrap();
            }
        }
    }
}

/// Answers in pieces of about this many bytes, of which some are added up on the way.
fn together<T: Cut>(answers: Vec<T>, most: usize) -> Result<T> {
    let mut whole = Pieces::<T>::new();
    let mut answers = answers.into_iter();
    while let Some(first) = answers.next() {
        let mut some = Pieces::<T>::new();
        for answer in [first].into_iter().chain(answers.next()) {
            for (number, piece) in Pieces::of(answer, most)? {
                some.add(number, &piece)?;
            }
        }
        for (number, piece) in some.sums()? {
            whole.add(number, &piece)?;
        }
    }
    Ok(whole.whole()?.unwrap())
}

/// Chunks in memory that answer like machines far away.
struct Far<'a> {
    coding: &'a Coding,
    chunks: Vec<Chunk>,
    rng: ChaCha8Rng,
    rounds: usize,
    taken: usize,
}

impl Shards for Far<'_> {
    fn ask(&mut self, question: &Ask) -> Result<Answer> {
        self.rounds += 1;
        let question = Ask::from_bytes(&question.to_bytes()?)?;
        let mut answers = Vec::new();
        for chunks in self.chunks.chunks(2) {
            let mut counter = Counter::new(self.coding, &question);
            chunks.iter().for_each(|chunk| counter.add(chunk));
            answers.push(counter.finish());
        }
        if self.rng.random() {
            return Ok(sum(answers, &mut self.rng));
        }
        // In pieces.
        let most = self.rng.random_range(10..5000);
        together(answers, most)
    }

    fn take(
        &mut self,
        question: &Ask,
        groups: &[u32],
        give: &mut dyn FnMut(usize, Taken) -> Result<()>,
    ) -> Result<()> {
        let mut taken: Vec<Option<Taken>> = vec![None; groups.len()];
        for chunk in &self.chunks {
            for (all, part) in taken.iter_mut().zip(take(self.coding, question, chunk)) {
                match (all, part) {
                    (Some(all), Some(part)) => all.append(part),
                    (all, part) => *all = all.take().or(part),
                }
            }
        }
        for (number, taken) in taken.into_iter().enumerate() {
            self.taken += 1;
            taken.map_or(Ok(()), |taken| give(number, taken))?;
        }
        Ok(())
    }
}

fn spec(recipe: &Recipe, rng: &mut ChaCha8Rng) -> GrowSpec {
    let task = if recipe.classes == 0 { Task::Regression } else { Task::Classification };
    let base = match rng.random_range(0u8..3) {
        0 => GrowSpec::c45(task),
        1 => GrowSpec::best_first(task),
        _ => GrowSpec::cart(task),
    };
    let order = [Order::DepthFirst, Order::BreadthFirst, Order::BestFirst, Order::BestFirstWeighted]
        [rng.random_range(0..4)];
    let some = |rng: &mut ChaCha8Rng, most: usize| rng.random::<bool>().then(|| rng.random_range(1..most));
    GrowSpec {
        order,
        max_leaves: some(rng, 20),
        max_depth: some(rng, 9),
        min_leaf: [1.0, 2.0, 5.0][rng.random_range(0..3)],
        ..base
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn shards_are_coded_as_the_table_is(
        recipe in recipes(), cuts in prop::collection::vec(0usize..1000, 0..6), bins in 2usize..30, most in 1usize..200, is_sampled in any::<bool>()
    ) {
        let (table, mut rng) = (table(&recipe), ChaCha8Rng::seed_from_u64(recipe.seed));
        let parts = portions(&table, &cuts);
        let mut question = Look::new(roles(&recipe), bins);
        if is_sampled {
            question.borders = sampled(&parts[0].1);
        }
        let coding = decided(&parts, &question, Tagging::None, most, &mut rng);
        let mut chunks: Vec<Chunk> = parts.iter().map(|(at, part)| coding.chunk(part, *at).unwrap()).collect();
        for chunk in &mut chunks {
            *chunk = Chunk::from_bytes(&coding, &chunk.to_bytes()).unwrap();
        }
        let mut all = chunks.remove(0);
        chunks.into_iter().for_each(|chunk| all.append(chunk));
        let coded = coding.table(all).unwrap();
        // In memory: rows without weight are left out first, then numbers are cut.
        let values = CodedTable::new(&table, &roles(&recipe)).unwrap();
        let spec = GrowSpec { bins: Some(bins), ..GrowSpec::cart(values.task()) };
        let expected = secateur::grow::cut_for(&values, &spec).unwrap();
        prop_assert_eq!(coded.schema(), expected.schema());
        for (column, expected) in coded.columns().iter().zip(expected.columns()) {
            prop_assert_eq!(column, expected);
        }
        prop_assert_eq!(coded.target(), expected.target());
        prop_assert_eq!(coded.weights(), expected.weights());
    }

    #[test]
    fn trees_of_shards_are_those_in_memory(
        recipe in recipes(), cuts in prop::collection::vec(0usize..1000, 0..6), memory in prop_oneof![Just(0usize), 0usize..60_000], histograms in 0usize..100_000
    ) {
        let (table, mut rng) = (table(&recipe), ChaCha8Rng::seed_from_u64(recipe.seed ^ 1));
        let parts = portions(&table, &cuts);
        let spec = GrowSpec { bins: Some(16), ..spec(&recipe, &mut rng) };
        let tagging = Tagging::Folds { folds: 3, seed: 7 };
        let coding = decided(&parts, &Look::new(roles(&recipe), 16), tagging, 1000, &mut rng);
        let chunks: Vec<Chunk> = parts.iter().map(|(at, part)| coding.chunk(part, *at).unwrap()).collect();
        let mut all = chunks[0].clone();
        chunks[1..].iter().for_each(|chunk| all.append(chunk.clone()));
        let tags = all.tags().unwrap().to_vec();
        prop_assume!((0..3).all(|fold| tags.contains(&fold)));
        let coded = coding.table(all).unwrap();
        let mut far = Far { coding: &coding, chunks, rng, rounds: 0, taken: 0 };
        let budget = Budget { histograms, rows: memory, trees: 1 << 30 };
        let trees =
            grow_from_shards(&mut far, &coding, &spec, &[None, Some(0), Some(2)], budget, &Silent).unwrap();
        for (tree, without) in trees.iter().zip([None, Some(0u8), Some(2)]) {
            let weight = |(row, tag): (usize, &u8)| if Some(*tag) == without { 0.0 } else { coded.weight(row) };
            let weights: Vec<f64> = tags.iter().enumerate().map(weight).collect();
            let expected = grow_weighted(&coded, without.map(|_| &weights[..]), &spec, &Silent).unwrap();
            prop_assert_eq!(tree, &expected, "without {:?}", without);
        }
    }
}

#[test]
fn a_level_takes_one_round_and_small_nodes_are_finished_in_memory() {
    let recipe = Recipe { rows: 4000, classes: 2, missing: 0.0, weights: false, seed: 5 };
    let (table, mut rng) = (table(&recipe), ChaCha8Rng::seed_from_u64(5));
    let parts = portions(&table, &[1000, 2000, 3000]);
    let coding = decided(&parts, &Look::new(roles(&recipe), 255), Tagging::None, 1000, &mut rng);
    let chunks: Vec<Chunk> = parts.iter().map(|(at, part)| coding.chunk(part, *at).unwrap()).collect();
    let spec = GrowSpec { max_depth: Some(6), ..GrowSpec::cart(Task::Classification) };
    let mut far = Far { coding: &coding, chunks, rng, rounds: 0, taken: 0 };
    let budget = Budget { histograms: 1 << 24, rows: 0, trees: 1 << 30 };
    let tree = &grow_from_shards(&mut far, &coding, &spec, &[None], budget, &Silent).unwrap()[0];
    assert_eq!((far.rounds, far.taken), (6, 0));
    far.rounds = 0;
    let budget = Budget { rows: 2000 * 40, ..budget };
    assert_eq!(&grow_from_shards(&mut far, &coding, &spec, &[None], budget, &Silent).unwrap()[0], tree);
    assert!(far.rounds < 5 && far.taken > 1, "{} rounds, {} taken", far.rounds, far.taken);
}
