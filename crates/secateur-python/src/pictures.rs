//! A drawn tree for matplotlib: its shapes as tuples, with texts measured by the font that will paint them.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use secateur::drawing::{Anchor, Arimo, Drawing, Ink, Pen, Shape, svg};
use secateur::picture::{TreeOptions, TreePicture, tree};
use secateur::tree::Tree;

/// What is drawn of a tree.
pub fn options(max_depth: Option<usize>, max_leaves: Option<usize>) -> TreeOptions {
    let usual = TreeOptions::default();
    TreeOptions { max_depth, max_leaves: max_leaves.unwrap_or(usual.max_leaves) }
}

/// The picture as SVG, and whether it shows the whole tree.
pub fn as_svg(tree_: &Tree, options: TreeOptions) -> (String, bool) {
    let TreePicture { drawing, is_whole, .. } = tree(tree_, options, &Arimo::new());
    (svg(&drawing).to_string(), is_whole)
}

/// The picture as a dictionary: `width`, `height`, `shapes`. `measure` says how wide a text is in a size; what it raises is raised.
pub fn as_shapes<'py>(
    py: Python<'py>,
    tree_: &Tree,
    options: TreeOptions,
    measure: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let failed = std::cell::RefCell::new(None);
    let width = |text: &str, size: f64| {
        let width = measure.call1((text, size)).and_then(|width| width.extract::<f64>());
        width.unwrap_or_else(|problem| {
            failed.borrow_mut().get_or_insert(problem);
            0.0
        })
    };
    let picture = tree(tree_, options, &width);
    if let Some(problem) = failed.into_inner() {
        return Err(problem);
    }
    let Drawing { width, height, shapes, .. } = &picture.drawing;
    let list = PyList::empty(py);
    for shape in shapes {
        if let Some(tuple) = as_tuple(py, shape)? {
            list.append(tuple)?;
        }
    }
    let out = PyDict::new(py);
    out.set_item("width", width)?;
    out.set_item("height", height)?;
    out.set_item("shapes", list)?;
    Ok(out)
}

fn hex(ink: Ink) -> String {
    let [r, g, b] = ink.rgb();
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn line(pen: &Pen) -> (String, f64, bool) {
    (hex(pen.ink), pen.width, pen.dashed)
}

fn as_tuple<'py>(py: Python<'py>, shape: &Shape) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(Some(match shape {
        Shape::Rect { frame, round, fill, edge } => {
            ("rect", *frame, *round, fill.map(hex), edge.as_ref().map(line)).into_pyobject(py)?.into_any()
        }
        Shape::Line { points, pen } => ("line", points.clone(), line(pen)).into_pyobject(py)?.into_any(),
        Shape::Lines { ends, pen } => ("lines", ends.clone(), line(pen)).into_pyobject(py)?.into_any(),
        Shape::Curve { from, to, pen } => ("curve", *from, *to, line(pen)).into_pyobject(py)?.into_any(),
        Shape::Area { points, fill } => ("area", points.clone(), hex(*fill)).into_pyobject(py)?.into_any(),
        Shape::Disc { middle, radius, fill, edge } => {
            ("disc", *middle, *radius, hex(*fill), edge.as_ref().map(line)).into_pyobject(py)?.into_any()
        }
        Shape::Text { place, size, anchor, ink, text } => {
            let anchor = match anchor {
                Anchor::Start => "left",
                Anchor::Middle => "center",
                Anchor::End => "right",
            };
            ("text", *place, *size, anchor, hex(*ink), text.as_str()).into_pyobject(py)?.into_any()
        }
        Shape::Open(_) | Shape::Close => return Ok(None),
    }))
}
