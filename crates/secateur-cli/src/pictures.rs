//! Drawings as files: SVG as text, PNG as bytes.

use std::io::IsTerminal;

use secateur::drawing::{Arimo, Drawing, Shape, png, svg};

use crate::args::Output;
use crate::failure::{Failure, Result};
use crate::files::OutFile;
use crate::output;

/// How a drawing is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PictureKind {
    Svg,
    Png,
}

impl PictureKind {
    /// What the extension of a file says.
    pub fn of(file: &OutFile) -> Option<Self> {
        match file.extension()?.as_str() {
            "svg" => Some(Self::Svg),
            "png" => Some(Self::Png),
            _ => None,
        }
    }
}

/// Pixels to a unit of the drawing, so that small texts are sharp in print.
const SCALE: f64 = 2.0;

/// A drawing in its format.
pub fn bytes(drawing: &Drawing, kind: PictureKind, how: &Output) -> Result<Vec<u8>> {
    if kind == PictureKind::Svg {
        return Ok(svg(drawing).to_string().into_bytes());
    }
    let font = Arimo::new();
    let unknown = |shape: &Shape| matches!(shape, Shape::Text { text, .. } if !font.has(text));
    if drawing.shapes.iter().any(unknown) {
        how.note(
            "some characters are not in the font of PNG pictures and became boxes; --format svg has them",
        );
    }
    // A wide picture is drawn less sharply rather than not at all.
    let image = png(drawing, SCALE).or_else(|_| png(drawing, 1.0));
    image.map_err(|problem| Failure::call(problem.to_string()))
}

/// Writes a drawing to a file, or to standard output.
pub fn write(drawing: &Drawing, kind: PictureKind, file: Option<&OutFile>, how: &Output) -> Result<()> {
    if file.is_none() && kind == PictureKind::Png && std::io::stdout().is_terminal() {
        return Err(Failure::call(
            "a PNG picture cannot be printed on a terminal; name a file with -o, such as -o tree.png",
        ));
    }
    let bytes = bytes(drawing, kind, how)?;
    match file {
        Some(file) => file.write(|out| out.write_all(&bytes)),
        None => Ok(output::contents(|out| out.write_all(&bytes))?),
    }
}
