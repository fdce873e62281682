//! What a drawing is made of.

use super::Ink;

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pen {
    /// Its colour.
    pub ink: Ink,
    /// Its width.
    pub width: f64,
    /// Whether it is dashed.
    pub dashed: bool,
}

impl Pen {
    /// A line without gaps.
    pub const fn new(ink: Ink, width: f64) -> Self {
        Self { ink, width, dashed: false }
    }

    /// The same line with gaps.
    pub const fn dashed(self) -> Self {
        Self { dashed: true, ..self }
    }
}

/// Which part of a text is at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
}

/// Something that is painted. Places go from left to right and from top to bottom.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A box.
    Rect {
        /// The left and upper edge, the width and the height.
        frame: [f64; 4],
        /// The radius of its corners.
        round: f64,
        /// What fills it.
        fill: Option<Ink>,
        /// The line around it.
        edge: Option<Pen>,
    },
    /// Straight lines from point to point.
    Line {
        /// The points.
        points: Vec<[f64; 2]>,
        /// How they are joined.
        pen: Pen,
    },
    /// Separate straight lines.
    Lines {
        /// The two ends of each: x, y, x, y.
        ends: Vec<[f64; 4]>,
        /// How they are drawn.
        pen: Pen,
    },
    /// A line that leaves downward and arrives downward.
    Curve {
        /// Where it begins.
        from: [f64; 2],
        /// Where it ends.
        to: [f64; 2],
        /// How it is drawn.
        pen: Pen,
    },
    /// A surface within points.
    Area {
        /// The points around it.
        points: Vec<[f64; 2]>,
        /// What fills it.
        fill: Ink,
    },
    /// A disc.
    Disc {
        /// Its middle.
        middle: [f64; 2],
        /// Its radius.
        radius: f64,
        /// What fills it.
        fill: Ink,
        /// The line around it.
        edge: Option<Pen>,
    },
    /// A text in one line.
    Text {
        /// Where it is: the anchor from the left, the base line from the top.
        place: [f64; 2],
        /// The size of the font.
        size: f64,
        /// Which part of it is there.
        anchor: Anchor,
        /// Its colour.
        ink: Ink,
        /// What it says.
        text: String,
    },
    /// The shapes up to the next [`Shape::Close`] belong together; formats that can, show this text beside them.
    Open(String),
    /// The end of what belongs together.
    Close,
}

/// A drawing: its size, what it shows in words, and its shapes in the order in which they are painted.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// The width, in pixels or points.
    pub width: f64,
    /// The height.
    pub height: f64,
    /// What it shows, for those who cannot see it.
    pub words: String,
    /// The shapes.
    pub shapes: Vec<Shape>,
}

impl Drawing {
    /// An empty drawing.
    pub fn new(width: f64, height: f64, words: impl Into<String>) -> Self {
        Self { width, height, words: words.into(), shapes: Vec::new() }
    }

    /// Adds a text.
    pub fn text(&mut self, x: f64, y: f64, size: f64, anchor: Anchor, ink: Ink, text: impl Into<String>) {
        self.shapes.push(Shape::Text { place: [x, y], size, anchor, ink, text: text.into() });
    }

    /// Adds straight lines from point to point.
    pub fn line(&mut self, points: impl Into<Vec<[f64; 2]>>, pen: Pen) {
        self.shapes.push(Shape::Line { points: points.into(), pen });
    }

    /// Adds a box without a line around it.
    pub fn filled(&mut self, frame: [f64; 4], fill: Ink) {
        self.shapes.push(Shape::Rect { frame, round: 0.0, fill: Some(fill), edge: None });
    }
}
