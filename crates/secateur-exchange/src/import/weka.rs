//! Trees as Weka prints them: J48 and SimpleCart.
//!
//! A line is a branch, indented by bars; one that ends a way says the class and, in brackets, how many rows reached it and how many of
//! them are of other classes (J48), or how many are of the class and how many of others (SimpleCart). Of more than two classes
//! the text does not say which others, so the counts of classes are not known then. The order of the classes is that of the confusion
//! matrix, where it is printed too. J48 prints thresholds with six decimals.

use secateur::error::shown;
use secateur::schema::Target;

use super::draft::{Draft, DraftKind, Place, Says, Split};
use super::{Imported, Problem, Reader, Source};

/// Weka's printed trees.
pub(super) static READER: Reader = Reader {
    id: "weka",
    one_line: "a tree as Weka prints it: J48, SimpleCart",
    looks: |source| source.text.lines().any(|line| heading(line).is_some()),
    read,
};

#[derive(Debug, Clone, Copy, PartialEq)]
enum Program {
    J48,
    SimpleCart,
}

fn heading(line: &str) -> Option<Program> {
    match line.trim() {
        "J48 pruned tree" | "J48 unpruned tree" => Some(Program::J48),
        line if line == "CART Decision Tree" || line.starts_with("CART Decision Tree:") => {
            Some(Program::SimpleCart)
        }
        _ => None,
    }
}

/// A branch as it stands on a line.
#[derive(Debug, Clone, PartialEq)]
struct Branch<'a> {
    line: usize,
    depth: usize,
    attribute: &'a str,
    test: Test<'a>,
    leaf: Option<Leaf<'a>>,
}

#[derive(Debug, Clone, PartialEq)]
enum Test<'a> {
    /// At most, or less than: the number at which the other side begins.
    Low(f64),
    High(f64),
    Among(Vec<&'a str>),
    Others(Vec<&'a str>),
}

/// A class, the rows of it, and the rows of others.
#[derive(Debug, Clone, PartialEq)]
struct Leaf<'a> {
    label: &'a str,
    right: f64,
    wrong: f64,
}

fn read(source: &Source) -> Result<Imported, Problem> {
    let mut lines = (1..).zip(source.text.lines());
    let found = lines.by_ref().find_map(|(number, line)| Some((number, line, heading(line)?)));
    let Some((number, line, program)) = found else { return Err(Problem::new("no tree of Weka is in it")) };
    let classes = matrix_classes(source.text);
    if let Some(alone) = line.trim().strip_prefix("CART Decision Tree:") {
        return single(&format!(": {}", alone.trim()), number, program, &classes, source);
    }
    let lines: Vec<(usize, &str)> = lines
        .skip_while(|(_, line)| line.trim().is_empty() || line.trim().chars().all(|c| c == '-'))
        .take_while(|(_, line)| !line.trim().is_empty())
        .collect();
    match lines.first() {
        None => return Err(Problem::at(number, "there is nothing below this heading")),
        Some((number, line)) if line.trim_start().starts_with(':') => {
            return single(line.trim_start(), *number, program, &classes, source);
        }
        Some(_) => {}
    }
    let listed = run_attributes(source.text);
    let columns = source.table.iter().flat_map(|table| table.columns()).map(|column| column.name.as_str());
    let of_table = source.values_of(target_of(source)).unwrap_or_default();
    let names = Names {
        classes: classes.iter().copied().chain(of_table.iter().map(String::as_str)).collect(),
        attributes: columns.chain(listed.iter().copied()).collect(),
    };
    let depths: Vec<usize> = lines.iter().map(|(_, line)| depth(line, program).0).collect();
    // A line with deeper ones below it is not a leaf, whatever its text looks like.
    let is_leaf = |place: usize| depths.get(place + 1).is_none_or(|next| *next <= depths[place]);
    let branches: Vec<Branch> = (lines.iter().enumerate())
        .map(|(place, (number, line))| branch(*number, line, program, &names, is_leaf(place)))
        .collect::<Result<_, _>>()?;
    let mut draft = Draft::new();
    source.add_columns(&mut draft, target_of(source))?;
    for name in listed.iter().take(listed.len().saturating_sub(1)) {
        draft.attribute(name);
    }
    let leaves = arrange(&mut draft, &branches)?;
    finish(draft, leaves, classes, program, source)
}

/// A tree of one leaf.
fn single(
    line: &str,
    number: usize,
    program: Program,
    classes: &[&str],
    source: &Source,
) -> Result<Imported, Problem> {
    let leaf = line.strip_prefix(':').and_then(|text| leaf(text.trim(), program));
    let leaf = leaf.ok_or_else(|| Problem::at(number, "expected a class with the rows in brackets"))?;
    finish(Draft::new(), vec![(0, leaf)], classes.to_vec(), program, source)
}

/// `class (12.0/1.0)` or `class(11.0/1.0)`.
fn leaf(text: &str, program: Program) -> Option<Leaf<'_>> {
    let (label, counts) = text.strip_suffix(')')?.rsplit_once('(')?;
    let (first, second) = counts.split_once('/').unwrap_or((counts, "0"));
    let (first, second) = (first.trim().parse::<f64>().ok()?, second.trim().parse::<f64>().ok()?);
    if !(first >= 0.0 && second >= 0.0 && first.is_finite() && second.is_finite()) {
        return None;
    }
    let right = if program == Program::J48 { (first - second).max(0.0) } else { first };
    Some(Leaf { label: label.trim(), right, wrong: second })
}

/// Names that are known beside the tree. Any sign of a line may be part of a name: the known one is right where several fit.
struct Names<'a> {
    classes: Vec<&'a str>,
    attributes: Vec<&'a str>,
}

/// How deep a line is indented, and what is on it.
fn depth(line: &str, program: Program) -> (usize, &str) {
    let gap = if program == Program::J48 { 3 } else { 2 };
    let (mut depth, mut text) = (0, line);
    while let Some(rest) = text.strip_prefix('|') {
        let spaces = rest.bytes().take(gap).take_while(|byte| *byte == b' ').count();
        (depth, text) = (depth + 1, &rest[spaces..]);
    }
    (depth, text)
}

/// One line.
fn branch<'a>(
    number: usize,
    line: &'a str,
    program: Program,
    names: &Names,
    is_leaf: bool,
) -> Result<Branch<'a>, Problem> {
    let (depth, text) = depth(line, program);
    let text = text.trim_end();
    if !is_leaf {
        let (attribute, test) = test(text, program, names)
            .ok_or_else(|| Problem::at(number, format!("expected a test, got {}", shown(text))))?;
        return Ok(Branch { line: number, depth, attribute, test, leaf: None });
    }
    let colons = || text.match_indices(": ").map(|(place, _)| place);
    let ends = |place: usize| {
        let (attribute, test) = test(&text[..place], program, names)?;
        Some(Branch { line: number, depth, attribute, test, leaf: Some(leaf(&text[place + 2..], program)?) })
    };
    let is_known =
        |branch: &Branch| branch.leaf.as_ref().is_some_and(|leaf| names.classes.contains(&leaf.label));
    let found = colons()
        .filter_map(ends)
        .find(is_known)
        .or_else(|| text.rmatch_indices(": ").find_map(|(place, _)| ends(place)));
    found.ok_or_else(|| {
        Problem::at(
            number,
            format!("expected a test and a class with the rows in brackets, got {}", shown(text)),
        )
    })
}

/// The test that a text is: of those that it could be, the first of a column that is known, else the first.
fn test<'a>(text: &'a str, program: Program, names: &Names) -> Option<(&'a str, Test<'a>)> {
    let all = tests(text, program);
    let known = all.iter().position(|(name, _)| names.attributes.contains(name));
    all.into_iter().nth(known.unwrap_or(0))
}

/// All tests that a text could be.
fn tests(text: &str, program: Program) -> Vec<(&str, Test<'_>)> {
    let mut found = Vec::new();
    // The last sign is the one before the number; names may have others.
    type Make = fn(f64) -> Test<'static>;
    let signs: [(&str, Make); 4] = [
        (" <= ", |x| Test::Low(x.next_up())),
        (" >= ", Test::High),
        (" < ", Test::Low),
        (" > ", |x| Test::High(x.next_up())),
    ];
    for (sign, make) in signs {
        if let Some((name, number)) = text.rsplit_once(sign)
            && let Some(number) = number.trim().parse::<f64>().ok().filter(|x| x.is_finite())
        {
            found.push((name, make(number)));
        }
    }
    let parts = |sign: &'static str| {
        text.match_indices(sign).map(move |(place, _)| (&text[..place], &text[place + sign.len()..]))
    };
    if program == Program::J48 {
        found.extend(parts(" != ").map(|(name, value)| (name, Test::Others(vec![value]))));
        found.extend(parts(" = ").map(|(name, value)| (name, Test::Among(vec![value]))));
        return found;
    }
    for (name, values) in parts("!=(") {
        found.extend(listed(values).map(|values| (name, Test::Others(values))));
    }
    for (name, values) in parts("=(").filter(|(name, _)| !name.ends_with('!')) {
        found.extend(listed(values).map(|values| (name, Test::Among(values))));
    }
    found
}

/// The values of `a)|(b)|(c)`.
fn listed(text: &str) -> Option<Vec<&str>> {
    Some(text.strip_suffix(')')?.split(")|(").collect())
}

/// Puts the branches under their nodes; gives the leaves.
fn arrange<'a>(draft: &mut Draft, branches: &[Branch<'a>]) -> Result<Vec<(Place, Leaf<'a>)>, Problem> {
    let mut leaves = Vec::new();
    // For every open level its node and the branches it has so far.
    let mut open: Vec<(Place, Vec<(&Branch, Place)>)> = vec![(0, Vec::new())];
    for branch in branches {
        if branch.depth >= open.len() {
            return Err(Problem::at(branch.line, "it is indented deeper than what stands above it"));
        }
        while open.len() > branch.depth + 1 {
            if let Some((node, children)) = open.pop() {
                close(draft, node, &children)?;
            }
        }
        let child = draft.add();
        if let Some((_, children)) = open.last_mut() {
            children.push((branch, child));
        }
        match &branch.leaf {
            Some(leaf) => leaves.push((child, leaf.clone())),
            None => open.push((child, Vec::new())),
        }
    }
    while let Some((node, children)) = open.pop() {
        close(draft, node, &children)?;
    }
    Ok(leaves)
}

/// Turns the branches of a node into its split.
fn close(draft: &mut Draft, node: Place, children: &[(&Branch, Place)]) -> Result<(), Problem> {
    let Some((first, _)) = children.first() else { return Err(Problem::new("a branch leads nowhere")) };
    let at = |problem: String| Problem::at(first.line, problem);
    if let Some((other, _)) = children.iter().find(|(branch, _)| branch.attribute != first.attribute) {
        return Err(Problem::at(
            other.line,
            format!(
                "it tests {}, its siblings {}; where names have signs of tests in them, give the table it was grown from",
                shown(other.attribute),
                shown(first.attribute)
            ),
        ));
    }
    let attribute = draft.attribute(first.attribute);
    let places = children.iter().map(|(_, place)| *place).collect();
    let tests: Vec<&Test> = children.iter().map(|(branch, _)| &branch.test).collect();
    if let [Test::Low(below), Test::High(from)] = tests[..] {
        if below != from {
            return Err(at("the two branches are not divided at the same number".into()));
        }
        draft.set_kind(attribute, DraftKind::Numeric).map_err(at)?;
        draft.split(node, Split::Below { attribute, below: *below, missing: None }, places);
        return Ok(());
    }
    let mut sets = Vec::new();
    for test in &tests {
        match test {
            Test::Among(values) => {
                for value in values {
                    draft.value(attribute, value).map_err(at)?;
                }
                sets.push(Some(values.iter().map(ToString::to_string).collect()));
            }
            Test::Others(_) => sets.push(None),
            Test::Low(_) | Test::High(_) => return Err(at("expected two branches of a number".into())),
        }
    }
    let others = sets.iter().filter(|set| set.is_none()).count();
    if others > 1 || sets.len() < 2 {
        return Err(at(format!("{} branches for {}; some are missing", sets.len(), shown(first.attribute))));
    }
    draft.split(node, Split::Sets { attribute, sets, missing: None }, places);
    Ok(())
}

fn finish(
    mut draft: Draft,
    leaves: Vec<(Place, Leaf)>,
    classes: Vec<&str>,
    program: Program,
    source: &Source,
) -> Result<Imported, Problem> {
    let mut classes: Vec<String> = classes.into_iter().map(String::from).collect();
    if classes.is_empty() {
        classes = source.values_of(target_of(source)).unwrap_or_default();
    }
    if classes.is_empty() {
        for (_, leaf) in &leaves {
            if !classes.iter().any(|class| class == leaf.label) {
                classes.push(leaf.label.to_string());
            }
        }
        draft
            .notes
            .push("the text has no confusion matrix: classes that no leaf predicts are not known".into());
    }
    for (node, leaf) in leaves {
        let Some(own) = classes.iter().position(|class| *class == leaf.label) else {
            return Err(Problem::new(format!(
                "the class {} is not in the confusion matrix",
                shown(leaf.label)
            )));
        };
        let others = (classes.len() - 1).max(1) as f64;
        let share = |class: usize| if class == own { leaf.right } else { leaf.wrong / others };
        draft.weight(node, leaf.right + leaf.wrong);
        let shares: Vec<f64> = (0..classes.len()).map(share).collect();
        // A leaf that no row reached knows its class only.
        let alone = || (0..classes.len()).map(|class| f64::from(class == own)).collect();
        draft.says(node, Says::Shares(if leaf.right + leaf.wrong > 0.0 { shares } else { alone() }));
    }
    if classes.len() > 2 {
        draft.has_counts = false;
        draft.notes.push(
            "of more than two classes the text does not say which are wrong at a leaf: probabilities of other classes are equal parts".into(),
        );
    }
    let name = match program {
        Program::J48 => "J48 of Weka",
        Program::SimpleCart => "SimpleCart of Weka",
    };
    let target = target_of(source);
    Imported::new(draft, Target::Classes { name: target.into(), classes }, name)
}

/// The name of the class: as given, that of the information on the run, or the last column of the table.
fn target_of<'a>(source: &Source<'a>) -> &'a str {
    let listed = || run_attributes(source.text).last().copied();
    let last = || Some(source.table?.columns().last()?.name.as_str());
    source.target.or_else(listed).or_else(last).unwrap_or("class")
}

/// The classes of the confusion matrix, in its order.
fn matrix_classes(text: &str) -> Vec<&str> {
    let lines = text.lines().skip_while(|line| line.trim() != "=== Confusion Matrix ===");
    let class = |line: &'_ str| -> Option<(usize, usize)> {
        let (numbers, name) = line.split_once('|')?;
        let is_row =
            !numbers.trim().is_empty() && numbers.split_whitespace().all(|x| x.parse::<f64>().is_ok());
        let (letter, _) = name.split_once(" = ")?;
        let begin = line.len() - name.len() + letter.len() + 3;
        (is_row && letter.trim().chars().all(|c| c.is_ascii_lowercase())).then_some((begin, line.len()))
    };
    let rows = lines
        .skip(1)
        .skip_while(|line| class(line).is_none())
        .map_while(|line| class(line).map(|(a, b)| &line[a..b]));
    rows.collect()
}

/// The columns that the information on a run lists, the class last.
fn run_attributes(text: &str) -> Vec<&str> {
    let mut lines = text.lines();
    let count =
        lines.by_ref().find_map(|line| line.strip_prefix("Attributes:")?.trim().parse::<usize>().ok());
    match count {
        Some(count) => lines.take(count).map(str::trim).filter(|line| !line.starts_with('[')).collect(),
        None => Vec::new(),
    }
}
