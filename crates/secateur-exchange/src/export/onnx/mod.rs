//! ONNX: a graph in which the tree operator finds the leaf of a row, and tables say the rest.
//!
//! Labels, probabilities and numbers come from tables of our own (`Gather`): the classifier operator gives a wrong label for two
//! classes with weights for both, and knows no costs. Rows in parts take another way through the graph (`parts`), and only they do.

mod ensemble;
mod graph;
mod parts;
mod wire;

use graph::{Attribute, Dim, Graph, Tensor, Type, Value};
use parts::{Answers, Parts};
use secateur::Result;
use wire::Message;

use super::said::{self, Said};
use super::ways::{self, Known, Ways};
use super::{Carries, Format, Job, OptionKind, OptionSpec, Written, format::refused, single};
use crate::verify::ONNXRUNTIME;

/// The deepest tree that is written: onnxruntime loads trees by recursion, and runs out of stack some ten thousand levels down.
const DEEPEST: usize = 2000;
/// Files of protocol buffers are smaller than 2 GiB.
const LARGEST: usize = i32::MAX as usize;

/// ONNX.
pub(super) static FORMAT: Format = Format {
    id: "onnx",
    one_line: "a graph for onnxruntime and other runtimes of ONNX",
    extension: "onnx",
    options: &[
        OptionSpec {
            name: "input",
            kind: OptionKind::Words(&["columns", "matrix"]),
            default: "columns",
            help: "columns: one input [rows, 1] for every tested column; matrix: one input [rows, columns] of numbers",
        },
        OptionSpec {
            name: "float32",
            kind: OptionKind::Words(&["no", "yes"]),
            default: "no",
            help: "numbers of the inputs in 32 bits, with thresholds that keep the rows of --verify apart",
        },
    ],
    carries: Carries {
        note: "an empty text is a missing value; rows in parts by core operators, others by the tree operator",
        ..Carries::ALL
    },
    write,
    consumers: |_| vec![&ONNXRUNTIME],
};

fn write(job: &Job) -> Result<Written> {
    let tree = job.tree();
    if tree.depth() > DEEPEST {
        return Err(refused(
            "onnx",
            format!("it has {} levels, of which ONNX runtimes take {DEEPEST}", tree.depth()),
        ));
    }
    let mut graph = Graph::new();
    let mut ways = ways::all(tree);
    let cuts = match job.options.is("float32", "yes") {
        true => Some(single::cuts(tree, job.rows).map_err(|reason| refused("onnx", reason))?),
        false => None,
    };
    for (ways, cut) in ways.iter_mut().zip(cuts.iter().flatten()) {
        if let Some(Ways { known: Known::Below(threshold), .. }) = ways {
            *threshold = f64::from(*cut);
        }
    }
    let columns = inputs(&mut graph, job)?;
    outputs(&mut graph, job, &columns, &ways);
    let bytes = model(job, graph);
    if bytes.len() > LARGEST {
        return Err(refused(
            "onnx",
            format!("the file would have {} bytes, of which ONNX allows {LARGEST}", bytes.len()),
        ));
    }
    Ok(Written { bytes, cuts, empty_is_missing: true, ..Written::default() })
}

/// The columns of the rows, put side by side as numbers.
struct Columns {
    /// `[rows, columns]`.
    value: Value,
    count: usize,
    /// The column of every attribute.
    place: Vec<usize>,
}

fn inputs(graph: &mut Graph, job: &Job) -> Result<Columns> {
    let attributes = &job.tree().schema().attributes;
    let numbers = if job.options.is("float32", "yes") { Type::Single } else { Type::Double };
    if job.options.is("input", "matrix") {
        if let Some(input) = job.inputs().iter().find(|input| !input.is_numeric()) {
            let name = secateur::error::shown(input.name());
            return Err(refused(
                "onnx",
                format!("a matrix holds numbers, and {name} is text; use input=columns"),
            ));
        }
        let dims = [Dim::Named("rows"), Dim::Of(attributes.len())];
        let value = graph.input("X", numbers, &dims);
        let value = graph.op("Cast", &[&value], vec![Attribute::int("to", Type::Double as i64)]);
        return Ok(Columns { value, count: attributes.len(), place: (0..attributes.len()).collect() });
    }
    // A tree of one leaf asks for nothing, but the rows have to be counted.
    let all = job.inputs();
    let asked: Vec<usize> =
        if all.is_empty() { vec![0] } else { all.iter().map(|input| input.place).collect() };
    let (mut place, mut parts) = (vec![0; attributes.len()], Vec::new());
    for (at, &attribute) in asked.iter().enumerate() {
        let Some(attribute_of) = attributes.get(attribute) else {
            return Err(refused("onnx", "it has no columns, and a graph counts the rows of one"));
        };
        if attribute_of.name.is_empty() {
            return Err(refused("onnx", "a column has an empty name, and an input cannot be without one"));
        }
        if attribute_of.name.contains('\0') {
            let name = secateur::error::shown(&attribute_of.name);
            return Err(refused(
                "onnx",
                format!("the name {name} has a zero byte, at which runtimes end a name"),
            ));
        }
        place[attribute] = at;
        let dims = [Dim::Named("rows"), Dim::Of(1)];
        let values = attribute_of.values();
        if !all.is_empty() && values.iter().any(String::is_empty) {
            let name = secateur::error::shown(&attribute_of.name);
            let reason = format!("an empty text is a missing value, and {name} has it among its values");
            return Err(refused("onnx", reason));
        }
        parts.push(if values.is_empty() {
            let number = graph.input(&attribute_of.name, numbers, &dims);
            graph.op("Cast", &[&number], vec![Attribute::int("to", Type::Double as i64)])
        } else {
            let text = graph.input(&attribute_of.name, Type::Text, &dims);
            // A tensor of texts has no missing ones: one that is not a value stands for them.
            let mut keys = values.to_vec();
            let mut codes: Vec<i64> = (0..values.len() as i64).collect();
            if !values.iter().any(String::is_empty) {
                keys.push(String::new());
                codes.push(-1);
            }
            let codes = graph.ml(
                "LabelEncoder",
                &text,
                vec![
                    Attribute::texts("keys_strings", &keys),
                    Attribute::ints("values_int64s", &codes),
                    Attribute::int("default_int64", -2),
                ],
            );
            graph.op("Cast", &[&codes], vec![Attribute::int("to", Type::Double as i64)])
        });
    }
    let names: Vec<&str> = parts.iter().map(String::as_str).collect();
    let value = graph.op("Concat", &names, vec![Attribute::int("axis", 1)]);
    Ok(Columns { value, count: asked.len(), place })
}

fn outputs(graph: &mut Graph, job: &Job, columns: &Columns, ways: &[Option<Ways>]) {
    let tree = job.tree();
    let leaves = said::leaves(tree);
    let said: Vec<Said> = leaves.iter().map(|&leaf| said::said(tree, leaf)).collect();
    let place = |attribute: usize| columns.place[attribute];
    let parts = Parts { tree, ways, leaves: &leaves, said: &said, feature: &place, columns: columns.count };
    let answers = match leaf_numbers(graph, &parts, columns) {
        None => parts.answer(graph, &columns.value),
        Some(found) => {
            let whole = whole(graph, &parts, &found[0]);
            match found.get(1) {
                None => whole,
                Some(other) => with_parts(graph, &parts, &columns.value, [&found[0], other], whole),
            }
        }
    };
    let rows = Dim::Named("rows");
    match &answers.label {
        Some(label) => {
            let names = graph.constant(Tensor::texts(job.classes()));
            let label = graph.op("Gather", &[&names, label], vec![]);
            graph.output("label", &label, Type::Text, &[rows]);
            graph.output(
                "probabilities",
                &answers.numbers,
                Type::Double,
                &[rows, Dim::Of(job.classes().len())],
            );
        }
        None => {
            let axis = graph.constant(Tensor::ints(&[1], &[1]));
            let value = graph.op("Squeeze", &[&answers.numbers, &axis], vec![]);
            graph.output("value", &value, Type::Double, &[rows]);
        }
    }
    graph.output("leaf", &answers.leaf, Type::Int, &[rows]);
}

/// The number of the leaf of every row, from left to right; twice where some rows reach several, and then they differ. `None`
/// where the tree operator would need too many columns.
fn leaf_numbers(graph: &mut Graph, parts: &Parts, columns: &Columns) -> Option<Vec<Value>> {
    let Parts { tree, ways, leaves, .. } = parts;
    if leaves.len() == 1 {
        let (zero, one) =
            (graph.constant(Tensor::ints(&[1], &[0])), graph.constant(Tensor::ints(&[1], &[1])));
        let shape = graph.op("Shape", &[&columns.value], vec![]);
        let rows = graph.op("Slice", &[&shape, &zero, &one], vec![]);
        let zeros = vec![Attribute::tensor("value", Tensor::ints(&[1], &[0]))];
        return Some(vec![graph.op("ConstantOfShape", &[&rows], zeros)]);
    }
    let mut number = vec![0; tree.nodes().len()];
    leaves.iter().enumerate().for_each(|(at, &leaf)| number[leaf] = at);
    let copies = if ways.iter().flatten().any(Ways::spread) { 2 } else { 1 };
    let tested = ensemble::Tested::new(graph, &columns.value, &columns.place, columns.count, ways)?;
    let found = tested.leaves(graph, tree, ways, copies, &number);
    let found = graph.op("Cast", &[&found], vec![Attribute::int("to", Type::Int as i64)]);
    let copy = |copy: usize| {
        let copy = graph.constant(Tensor::int(copy as i64));
        graph.op("Gather", &[&found, &copy], vec![Attribute::int("axis", 1)])
    };
    Some((0..copies).map(copy).collect())
}

/// What the leaves say, looked up.
fn whole(graph: &mut Graph, parts: &Parts, leaf: &str) -> Answers {
    let Parts { tree, leaves, said, .. } = parts;
    let numbers: Vec<f64> = said.iter().flat_map(|said| said.numbers.iter().copied()).collect();
    let numbers = graph.constant(Tensor::doubles(&[leaves.len(), numbers.len() / leaves.len()], &numbers));
    let mut lookup = |list: Vec<i64>| {
        let list = graph.constant(Tensor::ints(&[list.len()], &list));
        graph.op("Gather", &[&list, leaf], vec![])
    };
    let label = tree.is_classifier().then(|| lookup(said.iter().map(|said| said.label as i64).collect()));
    let node = lookup(leaves.iter().map(|&leaf| leaf as i64).collect());
    Answers { numbers: graph.op("Gather", &[&numbers, leaf], vec![]), label, leaf: node }
}

/// The same with the answers for rows in parts in their places; where there are none, nothing is computed.
fn with_parts(graph: &mut Graph, parts: &Parts, columns: &str, found: [&str; 2], whole: Answers) -> Answers {
    let equal = graph.op("Equal", &found, vec![]);
    let apart = graph.op("Not", &[&equal], vec![]);
    let rows = graph.op("NonZero", &[&apart], vec![]);
    let rows = graph.op("Transpose", &[&rows], vec![]);
    let zero = graph.constant(Tensor::int(0));
    let size = graph.op("Size", &[&rows], vec![]);
    let some = graph.op("Greater", &[&size, &zero], vec![]);

    let types = |answers: &Answers| {
        let width = Dim::Of(parts.said[0].numbers.len());
        let mut list = vec![(answers.numbers.clone(), Type::Double, vec![Dim::Named("rows"), width])];
        list.push((answers.leaf.clone(), Type::Int, vec![Dim::Named("rows")]));
        list.extend(answers.label.iter().map(|label| (label.clone(), Type::Int, vec![Dim::Named("rows")])));
        list
    };
    let then = graph.inside(|then| {
        let axis = then.constant(Tensor::ints(&[1], &[1]));
        let places = then.op("Squeeze", &[&rows, &axis], vec![]);
        let cells = then.op("Gather", &[columns, &places], vec![]);
        let answers = parts.answer(then, &cells);
        for ((whole, kind, dims), (part, ..)) in types(&whole).iter().zip(types(&answers)) {
            let merged = then.op("ScatterND", &[whole, &rows, &part], vec![]);
            then.gives(&merged, *kind, dims);
        }
    });
    let other = graph.inside(|other| {
        for (whole, kind, dims) in types(&whole) {
            other.gives(&whole, kind, &dims);
        }
    });
    let branches = vec![Attribute::graph("then_branch", then), Attribute::graph("else_branch", other)];
    let mut merged = graph.ops("If", &[&some], types(&whole).len(), branches).into_iter();
    let mut next = || merged.next().unwrap_or_default();
    Answers { numbers: next(), leaf: next(), label: whole.label.is_some().then(next) }
}

fn model(job: &Job, graph: Graph) -> Vec<u8> {
    let opset = |domain: &str, version: i64| Message::default().bytes(1, domain).int(2, version);
    Message::default()
        .int(1, 9)
        .bytes(2, "secateur")
        .bytes(3, env!("CARGO_PKG_VERSION"))
        .message(7, graph.into_message("tree"))
        .message(8, opset("", 18))
        .message(8, opset("ai.onnx.ml", 5))
        .message(14, Message::default().bytes(1, "target").bytes(2, job.tree().schema().target.name()))
        .message(
            14,
            Message::default().bytes(1, "classes").bytes(2, serde_json::json!(job.classes()).to_string()),
        )
        .into_bytes()
}
