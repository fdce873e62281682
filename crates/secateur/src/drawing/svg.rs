//! A drawing as SVG.

use std::fmt;

use super::{Anchor, Arimo, Drawing, Ink, Measure, Pen, Shape};

/// A drawing that displays as SVG; made by [`svg`].
pub struct Svg<'a> {
    drawing: &'a Drawing,
    font: Arimo,
}

/// The drawing as one `svg` element that needs nothing else. Colours are attributes, which every program reads; classes (`f-text` for
/// what is filled, `s-line` for what is drawn) let a page repaint them. A text whose letters are known has its width with it, so
/// that it fits whatever font is there.
pub fn svg(drawing: &Drawing) -> Svg<'_> {
    Svg { drawing, font: Arimo::new() }
}

/// The fonts that are as wide as those that texts were measured with, and then any other.
const FONTS: &str = "Helvetica, Arial, Arimo, 'Liberation Sans', sans-serif";

impl fmt::Display for Svg<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Drawing { width, height, words, shapes } = self.drawing;
        let (w, h) = (Number(*width), Number(*height));
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"drawing\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             role=\"img\" aria-label=\"{}\" font-family=\"{FONTS}\">",
            Escaped(words)
        )?;
        for shape in shapes {
            self.shape(f, shape)?;
        }
        writeln!(f, "</svg>")
    }
}

impl Svg<'_> {
    fn shape(&self, f: &mut fmt::Formatter<'_>, shape: &Shape) -> fmt::Result {
        match shape {
            Shape::Rect { frame: [x, y, width, height], round, fill, edge } => {
                write!(f, "<rect x=\"{}\" y=\"{}\"", Number(*x), Number(*y))?;
                write!(f, " width=\"{}\" height=\"{}\"", Number(*width), Number(*height))?;
                if *round > 0.0 {
                    write!(f, " rx=\"{}\"", Number(*round))?;
                }
                writeln!(f, "{}/>", Look { fill: *fill, pen: *edge })
            }
            Shape::Line { points, pen } => {
                writeln!(
                    f,
                    "<polyline points=\"{}\"{}/>",
                    Points(points),
                    Look { fill: None, pen: Some(*pen) }
                )
            }
            Shape::Area { points, fill } => {
                writeln!(
                    f,
                    "<polygon points=\"{}\"{}/>",
                    Points(points),
                    Look { fill: Some(*fill), pen: None }
                )
            }
            Shape::Lines { ends, pen } => {
                write!(f, "<path d=\"")?;
                for [x0, y0, x1, y1] in ends {
                    write!(f, "M{} {}L{} {}", Number(*x0), Number(*y0), Number(*x1), Number(*y1))?;
                }
                writeln!(f, "\"{}/>", Look { fill: None, pen: Some(*pen) })
            }
            Shape::Curve { from, to, pen } => {
                let [x0, y0, x1, y1, middle] =
                    [from[0], from[1], to[0], to[1], (from[1] + to[1]) / 2.0].map(Number);
                write!(f, "<path d=\"M{x0} {y0}C{x0} {middle} {x1} {middle} {x1} {y1}\"")?;
                writeln!(f, "{}/>", Look { fill: None, pen: Some(*pen) })
            }
            Shape::Disc { middle, radius, fill, edge } => {
                let [x, y, radius] = [middle[0], middle[1], *radius].map(Number);
                let look = Look { fill: Some(*fill), pen: *edge };
                writeln!(f, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{look}/>")
            }
            Shape::Text { place, size, anchor, ink, text } => {
                write!(f, "<text x=\"{}\" y=\"{}\"", Number(place[0]), Number(place[1]))?;
                write!(f, " font-size=\"{}\"", Number(*size))?;
                f.write_str(match anchor {
                    Anchor::Start => "",
                    Anchor::Middle => " text-anchor=\"middle\"",
                    Anchor::End => " text-anchor=\"end\"",
                })?;
                if self.font.has(text) && text.chars().nth(1).is_some() {
                    let width = Number(self.font.width(text, *size));
                    write!(f, " textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\"")?;
                }
                writeln!(f, "{}>{}</text>", Look { fill: Some(*ink), pen: None }, Escaped(text))
            }
            Shape::Open(title) if title.is_empty() => writeln!(f, "<g>"),
            Shape::Open(title) => writeln!(f, "<g><title>{}</title>", Escaped(title)),
            Shape::Close => writeln!(f, "</g>"),
        }
    }
}

/// How something is filled and drawn.
struct Look {
    fill: Option<Ink>,
    pen: Option<Pen>,
}

impl fmt::Display for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fill {
            Some(ink) => write!(f, " fill=\"{}\"", Hex(ink))?,
            None => f.write_str(" fill=\"none\"")?,
        }
        if let Some(pen) = self.pen {
            write!(f, " stroke=\"{}\" stroke-width=\"{}\"", Hex(pen.ink), Number(pen.width))?;
            if pen.dashed {
                f.write_str(" stroke-dasharray=\"4 3\"")?;
            }
        }
        match (self.fill.and_then(Ink::name), self.pen.and_then(|pen| pen.ink.name())) {
            (Some(fill), Some(pen)) => write!(f, " class=\"f-{fill} s-{pen}\""),
            (Some(fill), None) => write!(f, " class=\"f-{fill}\""),
            (None, Some(pen)) => write!(f, " class=\"s-{pen}\""),
            (None, None) => Ok(()),
        }
    }
}

struct Hex(Ink);

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.0.rgb();
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

struct Points<'a>(&'a [[f64; 2]]);

impl fmt::Display for Points<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, [x, y]) in self.0.iter().enumerate() {
            let gap = if i == 0 { "" } else { " " };
            write!(f, "{gap}{},{}", Number(*x), Number(*y))?;
        }
        Ok(())
    }
}

/// A number in hundredths.
struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = (self.0 * 100.0).round() / 100.0 + 0.0;
        write!(f, "{rounded}")
    }
}

/// A text without meaning for XML, and without characters that XML does not have.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                c if c.is_control() => f.write_char('\u{fffd}')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_texts_are_texts() {
        let mut drawing = Drawing::new(10.0, 10.0, "\"><script>");
        drawing.shapes.push(Shape::Open("</title><script>x</script>".into()));
        drawing.text(0.0, 0.0, 9.0, Anchor::Start, Ink::Text, "a</text>&\u{0}\u{1b}'\u{ffff}");
        drawing.shapes.push(Shape::Close);
        let text = svg(&drawing).to_string();
        assert!(
            !text.contains("<script>") && !text.contains('\u{0}') && !text.contains('\u{ffff}'),
            "{text}"
        );
        assert_eq!(text.matches("</text>").count(), 1);
        assert!(text.contains("a&lt;/text&gt;&amp;\u{fffd}\u{fffd}&#39;\u{fffd}"));
    }

    #[test]
    fn numbers_are_short() {
        let shown: Vec<String> = [1.0, -0.001, 2.345, 1e7].iter().map(|x| Number(*x).to_string()).collect();
        assert_eq!(shown, ["1", "0", "2.35", "10000000"]);
    }
}
