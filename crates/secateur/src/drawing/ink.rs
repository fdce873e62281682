//! The colours of a drawing, by what they are for.

/// One colour per class that people who see colours differently can tell apart (Okabe and Ito), then again.
pub const CLASS_COLOURS: [[u8; 3]; 7] = [
    [86, 180, 233],
    [230, 159, 0],
    [0, 158, 115],
    [204, 121, 167],
    [240, 228, 66],
    [0, 114, 178],
    [213, 94, 0],
];

/// What a colour is for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ink {
    /// Texts and marks.
    Text,
    /// Texts of less weight.
    Faint,
    /// Thin lines.
    Line,
    /// The ground.
    Paper,
    /// What the picture is about.
    Accent,
    /// A pale form of that, for bands.
    Tint,
    /// A second thing beside it.
    Second,
    /// A class, by its place in the list.
    Class(usize),
    /// Any other: red, green and blue.
    Rgb([u8; 3]),
}

impl Ink {
    /// Red, green and blue on white paper.
    pub fn rgb(self) -> [u8; 3] {
        match self {
            Self::Text => [28, 30, 33],
            Self::Faint => [95, 101, 109],
            Self::Line => [176, 182, 189],
            Self::Paper => [255, 255, 255],
            Self::Accent => [0, 90, 150],
            Self::Tint => [214, 230, 242],
            Self::Second => [190, 84, 0],
            Self::Class(place) => CLASS_COLOURS[place % CLASS_COLOURS.len()],
            Self::Rgb(rgb) => rgb,
        }
    }

    /// The name by which a page can repaint it.
    pub(super) fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::Text => "text",
            Self::Faint => "faint",
            Self::Line => "line",
            Self::Paper => "paper",
            Self::Accent => "accent",
            Self::Tint => "tint",
            Self::Second => "second",
            Self::Class(_) | Self::Rgb(_) => return None,
        })
    }

    /// The same colour mixed with white: 0 is white, 1 the colour.
    pub fn paler(self, strength: f64) -> Self {
        let strength = if strength.is_finite() { strength.clamp(0.0, 1.0) } else { 0.5 };
        Self::Rgb(self.rgb().map(|c| (255.0 + (f64::from(c) - 255.0) * strength).round() as u8))
    }
}
