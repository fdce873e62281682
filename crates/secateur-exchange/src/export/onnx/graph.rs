//! A graph of operators, written as the messages of `onnx.proto`; the numbers of the fields are those of that file.

use std::collections::HashSet;

use super::wire::Message;

/// The type of the numbers of a tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Single = 1,
    Byte = 2,
    Int = 7,
    Text = 8,
    Double = 11,
}

/// A length of a tensor: known, or named.
#[derive(Debug, Clone, Copy)]
pub(super) enum Dim {
    Of(usize),
    Named(&'static str),
}

/// A tensor of known numbers or texts.
pub(super) struct Tensor(Message);

impl Tensor {
    fn begun(kind: Type, dims: &[usize]) -> Message {
        let dims: Vec<i64> = dims.iter().map(|&dim| dim as i64).collect();
        Message::default().ints(1, &dims).int(2, kind as i64)
    }

    pub(super) fn doubles(dims: &[usize], numbers: &[f64]) -> Self {
        let raw: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        Self(Self::begun(Type::Double, dims).bytes(9, raw))
    }

    pub(super) fn ints(dims: &[usize], numbers: &[i64]) -> Self {
        let raw: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        Self(Self::begun(Type::Int, dims).bytes(9, raw))
    }

    pub(super) fn byte_list(numbers: &[u8]) -> Self {
        Self(Self::begun(Type::Byte, &[numbers.len()]).bytes(9, numbers))
    }

    pub(super) fn texts(texts: &[impl AsRef<str>]) -> Self {
        let tensor = Self::begun(Type::Text, &[texts.len()]);
        Self(texts.iter().fold(tensor, |tensor, text| tensor.bytes(6, text.as_ref())))
    }

    /// One number with no dimension.
    pub(super) fn double(number: f64) -> Self {
        Self::doubles(&[], &[number])
    }

    /// One whole number with no dimension.
    pub(super) fn int(number: i64) -> Self {
        Self::ints(&[], &[number])
    }

    fn named(self, name: &str) -> Message {
        self.0.bytes(8, name)
    }
}

/// An attribute of an operator.
pub(super) struct Attribute(Message);

impl Attribute {
    fn begun(name: &str, kind: i64) -> Message {
        Message::default().bytes(1, name).int(20, kind)
    }

    pub(super) fn int(name: &str, x: i64) -> Self {
        Self(Self::begun(name, 2).int(3, x))
    }

    pub(super) fn ints(name: &str, list: &[i64]) -> Self {
        Self(Self::begun(name, 7).ints(8, list))
    }

    pub(super) fn texts(name: &str, list: &[impl AsRef<str>]) -> Self {
        Self(list.iter().fold(Self::begun(name, 8), |list, text| list.bytes(9, text.as_ref())))
    }

    pub(super) fn tensor(name: &str, tensor: Tensor) -> Self {
        Self(Self::begun(name, 4).message(5, tensor.named(name)))
    }

    pub(super) fn graph(name: &str, graph: Graph) -> Self {
        Self(Self::begun(name, 5).message(6, graph.into_message(name)))
    }
}

/// The name of a value of a graph.
pub(super) type Value = String;

/// A graph while it is put together. Every value gets a name of its own, in graphs inside it too.
pub(super) struct Graph {
    nodes: Vec<Message>,
    tensors: Vec<Message>,
    inputs: Vec<Message>,
    outputs: Vec<Message>,
    names: Names,
}

/// Names that are taken, and the next one that may be free.
struct Names {
    taken: HashSet<String>,
    next: usize,
}

impl Names {
    fn fresh(&mut self) -> Value {
        loop {
            let name = format!("v{}", self.next);
            self.next += 1;
            if !self.taken.contains(&name) {
                return name;
            }
        }
    }
}

impl Graph {
    pub(super) fn new() -> Self {
        let names = Names { taken: HashSet::new(), next: 0 };
        Self { nodes: vec![], tensors: vec![], inputs: vec![], outputs: vec![], names }
    }

    /// A graph inside this one, which may use its values.
    pub(super) fn inside(&mut self, write: impl FnOnce(&mut Graph)) -> Graph {
        let mut inner = Self::new();
        std::mem::swap(&mut self.names, &mut inner.names);
        write(&mut inner);
        std::mem::swap(&mut self.names, &mut inner.names);
        inner
    }

    /// A name for an input or output that people see: this one, or one that is like it where it is taken.
    fn seen(&mut self, name: &str) -> Value {
        let mut name = if name.is_empty() { "_".to_string() } else { name.to_string() };
        while !self.names.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    /// An input that people see.
    pub(super) fn input(&mut self, name: &str, kind: Type, dims: &[Dim]) -> Value {
        let name = self.seen(name);
        self.inputs.push(described(&name, kind, dims));
        name
    }

    /// An output that people see, which holds a value.
    pub(super) fn output(&mut self, name: &str, value: &str, kind: Type, dims: &[Dim]) {
        let name = self.seen(name);
        self.outputs.push(described(&name, kind, dims));
        self.add("Identity", "", &[value], std::slice::from_ref(&name), vec![]);
    }

    /// An input of a graph inside another.
    pub(super) fn parameter(&mut self, kind: Type, dims: &[Dim]) -> Value {
        let name = self.names.fresh();
        self.inputs.push(described(&name, kind, dims));
        name
    }

    /// What a graph inside another gives.
    pub(super) fn gives(&mut self, value: &str, kind: Type, dims: &[Dim]) {
        let name = self.op("Identity", &[value], vec![]);
        self.outputs.push(described(&name, kind, dims));
    }

    /// Known numbers.
    pub(super) fn constant(&mut self, tensor: Tensor) -> Value {
        let name = self.names.fresh();
        self.tensors.push(tensor.named(&name));
        name
    }

    /// An operator with one result.
    pub(super) fn op(&mut self, op: &str, inputs: &[&str], attributes: Vec<Attribute>) -> Value {
        self.ops(op, inputs, 1, attributes).remove(0)
    }

    /// An operator with several results.
    pub(super) fn ops(
        &mut self,
        op: &str,
        inputs: &[&str],
        results: usize,
        attributes: Vec<Attribute>,
    ) -> Vec<Value> {
        let results: Vec<Value> = (0..results).map(|_| self.names.fresh()).collect();
        self.add(op, "", inputs, &results, attributes);
        results
    }

    /// An operator of `ai.onnx.ml`.
    pub(super) fn ml(&mut self, op: &str, input: &str, attributes: Vec<Attribute>) -> Value {
        let result = self.names.fresh();
        self.add(op, "ai.onnx.ml", &[input], std::slice::from_ref(&result), attributes);
        result
    }

    fn add(
        &mut self,
        op: &str,
        domain: &str,
        inputs: &[&str],
        outputs: &[Value],
        attributes: Vec<Attribute>,
    ) {
        let node = inputs.iter().fold(Message::default(), |node, input| node.bytes(1, input));
        let node = outputs.iter().fold(node, |node, output| node.bytes(2, output));
        let node = node.bytes(4, op);
        let node = if domain.is_empty() { node } else { node.bytes(7, domain) };
        self.nodes.push(attributes.into_iter().fold(node, |node, attribute| node.message(5, attribute.0)));
    }

    pub(super) fn into_message(self, name: &str) -> Message {
        let parts = [(1, self.nodes), (5, self.tensors), (11, self.inputs), (12, self.outputs)];
        let parts =
            parts.into_iter().flat_map(|(field, list)| list.into_iter().map(move |part| (field, part)));
        parts.fold(Message::default().bytes(2, name), |graph, (field, part)| graph.message(field, part))
    }
}

/// A value with its type and lengths.
fn described(name: &str, kind: Type, dims: &[Dim]) -> Message {
    let shape = dims.iter().fold(Message::default(), |shape, dim| {
        shape.message(
            1,
            match dim {
                Dim::Of(length) => Message::default().int(1, *length as i64),
                Dim::Named(name) => Message::default().bytes(2, name),
            },
        )
    });
    let tensor = Message::default().int(1, kind as i64).message(2, shape);
    Message::default().bytes(1, name).message(2, Message::default().message(1, tensor))
}
