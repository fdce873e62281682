//! Drawings: boxes, lines and texts with places and sizes, written as SVG or PNG.
//!
//! A [`Drawing`] is a list of [`Shape`]s in the order in which they are painted. Everything that draws makes one of these, and one writer
//! per format turns it into a file, so that a name from the data is escaped in one place. Colours have a role ([`Ink`]): a page can
//! repaint them for a dark screen by the classes that [`svg`] writes. Texts are measured with the font that [`png`] paints them with.
//!
//! ```
//! use secateur::drawing::{Anchor, Drawing, Ink, svg};
//! let mut drawing = Drawing::new(120.0, 30.0, "A greeting");
//! drawing.text(60.0, 20.0, 12.0, Anchor::Middle, Ink::Text, "a < b");
//! assert!(svg(&drawing).to_string().contains(">a &lt; b</text>"));
//! ```

mod font;
mod hatch;
mod ink;
mod png;
mod shape;
mod svg;

pub use font::{Arimo, Measure, shortened};
pub(crate) use hatch::hatched;
pub use ink::{CLASS_COLOURS, Ink};
pub use png::png;
pub use shape::{Anchor, Drawing, Pen, Shape};
pub use svg::{Svg, svg};
