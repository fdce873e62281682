//! A drawing as PNG: shapes become paths, paths become masks, masks are painted on white paper.

use std::io::Write;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use ttf_parser::OutlineBuilder;
use zeno::{Command, Mask, PathBuilder, Stroke, Style};

use super::{Anchor, Arimo, Drawing, Ink, Measure, Pen, Shape};
use crate::error::{Error, Result};

/// The largest picture: pixels on a side, and in all.
const SIDE: f64 = 40_000.0;
const PIXELS: f64 = 150e6;

/// The bytes of a PNG file, with this many pixels to a unit of the drawing. Characters that the font does not have are painted as boxes.
/// A drawing that is too large for a picture is refused.
///
/// ```
/// use secateur::drawing::{Drawing, png};
/// assert!(png(&Drawing::new(20.0, 10.0, "nothing"), 2.0)?.starts_with(b"\x89PNG"));
/// assert!(png(&Drawing::new(1e6, 10.0, "too wide"), 1.0).is_err());
/// # Ok::<(), secateur::Error>(())
/// ```
pub fn png(drawing: &Drawing, scale: f64) -> Result<Vec<u8>> {
    let (width, height) = ((drawing.width * scale).ceil(), (drawing.height * scale).ceil());
    // Not a number is too large as well.
    if !(width <= SIDE && height <= SIDE && width * height <= PIXELS) {
        return Err(Error::parameter(format!(
            "the picture would be {width:.0} × {height:.0} pixels, more than a PNG file should have; draw less, or write SVG"
        )));
    }
    let mut canvas = Canvas::new((width as usize).max(1), (height as usize).max(1), scale as f32);
    for shape in &drawing.shapes {
        canvas.paint(shape);
    }
    canvas
        .encoded(scale)
        .map_err(|source| Error::parameter(format!("the picture cannot be packed: {source}")))
}

struct Canvas {
    width: usize,
    height: usize,
    scale: f32,
    pixels: Vec<[u8; 3]>,
    font: Arimo,
}

impl Canvas {
    fn new(width: usize, height: usize, scale: f32) -> Self {
        Self { width, height, scale, pixels: vec![[255; 3]; width * height], font: Arimo::new() }
    }

    fn paint(&mut self, shape: &Shape) {
        match shape {
            Shape::Rect { frame, round, fill, edge } => {
                let path = self.rounded(*frame, *round);
                fill.iter().for_each(|ink| self.fill(&path, *ink));
                edge.iter().for_each(|pen| self.stroke(&path, *pen));
            }
            Shape::Line { points, pen } => {
                let path = self.through(points);
                self.stroke(&path, *pen);
            }
            Shape::Lines { ends, pen } => {
                let mut path: Vec<Command> = Vec::new();
                for [x0, y0, x1, y1] in ends {
                    path.move_to(self.at(*x0, *y0));
                    path.line_to(self.at(*x1, *y1));
                }
                self.stroke(&path, *pen);
            }
            Shape::Curve { from, to, pen } => {
                let middle = (from[1] + to[1]) / 2.0;
                let mut path: Vec<Command> = Vec::new();
                path.move_to(self.at(from[0], from[1]));
                path.curve_to(self.at(from[0], middle), self.at(to[0], middle), self.at(to[0], to[1]));
                self.stroke(&path, *pen);
            }
            Shape::Area { points, fill } => {
                let mut path = self.through(points);
                path.close();
                self.fill(&path, *fill);
            }
            Shape::Disc { middle, radius, fill, edge } => {
                let mut path: Vec<Command> = Vec::new();
                path.add_circle(self.at(middle[0], middle[1]), *radius as f32 * self.scale);
                self.fill(&path, *fill);
                edge.iter().for_each(|pen| self.stroke(&path, *pen));
            }
            Shape::Text { place, size, anchor, ink, text } => self.text(*place, *size, *anchor, *ink, text),
            Shape::Open(_) | Shape::Close => {}
        }
    }

    fn at(&self, x: f64, y: f64) -> [f32; 2] {
        [x as f32 * self.scale, y as f32 * self.scale]
    }

    fn through(&self, points: &[[f64; 2]]) -> Vec<Command> {
        let mut path: Vec<Command> = Vec::new();
        for (i, [x, y]) in points.iter().enumerate() {
            if i == 0 {
                path.move_to(self.at(*x, *y))
            } else {
                path.line_to(self.at(*x, *y))
            };
        }
        path
    }

    fn rounded(&self, [x, y, width, height]: [f64; 4], round: f64) -> Vec<Command> {
        let mut path: Vec<Command> = Vec::new();
        let [w, h] = self.at(width, height);
        if round <= 0.0 {
            path.add_rect(self.at(x, y), w, h);
        } else {
            let round = round as f32 * self.scale;
            path.add_round_rect(self.at(x, y), w, h, round, round);
        }
        path
    }

    fn fill(&mut self, path: &Vec<Command>, ink: Ink) {
        self.blend(path, Style::default(), ink);
    }

    fn stroke(&mut self, path: &Vec<Command>, pen: Pen) {
        let dashes = [4.0 * self.scale, 3.0 * self.scale];
        let mut stroke = Stroke::new(pen.width as f32 * self.scale);
        if pen.dashed {
            stroke.dash(&dashes, 0.0);
        }
        self.blend(path, Style::Stroke(stroke), pen.ink);
    }

    /// Paints what is inside a path.
    fn blend(&mut self, path: &Vec<Command>, style: Style, ink: Ink) {
        if path.is_empty() {
            return;
        }
        let (mask, place) = Mask::new(path).style(style).render();
        let rgb = ink.rgb();
        let (left, top, wide) = (place.left as isize, place.top as isize, place.width as usize);
        for (row, coverage) in mask.chunks_exact(wide.max(1)).enumerate() {
            let y = top + row as isize;
            if y < 0 || y >= self.height as isize {
                continue;
            }
            for (column, &alpha) in coverage.iter().enumerate() {
                let x = left + column as isize;
                if alpha > 0 && x >= 0 && x < self.width as isize {
                    let pixel = &mut self.pixels[y as usize * self.width + x as usize];
                    for (old, new) in pixel.iter_mut().zip(rgb) {
                        let (old_part, new_part) =
                            (u32::from(*old) * u32::from(255 - alpha), u32::from(new) * u32::from(alpha));
                        *old = ((old_part + new_part + 127) / 255) as u8;
                    }
                }
            }
        }
    }

    fn text(&mut self, [x, y]: [f64; 2], size: f64, anchor: Anchor, ink: Ink, text: &str) {
        let width = self.font.width(text, size);
        let mut pen = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        let mut path: Vec<Command> = Vec::new();
        for c in text.chars() {
            let advance = self.font.advance(c) * size;
            match (self.font.glyph(c), self.font.face()) {
                (Some(glyph), Some(face)) => {
                    let [left, base] = self.at(pen, y);
                    let unit = size as f32 * self.scale / f32::from(face.units_per_em());
                    let mut outline = Outline { path: &mut path, left, base, unit };
                    // A space has no outline.
                    let _ = face.outline_glyph(glyph, &mut outline);
                }
                _ if advance > 0.0 => {
                    // Clockwise outside, counterclockwise inside: a frame.
                    let (inner, high) = (0.08 * size, 0.7 * size);
                    let corners = |by: f64| {
                        let (right, top) = (pen + advance - by, y - high + by);
                        [[pen + by, y - by], [pen + by, top], [right, top], [right, y - by]]
                    };
                    path.extend(self.through(&corners(inner / 2.0)));
                    path.close();
                    let mut inside = corners(1.5 * inner);
                    inside.reverse();
                    path.extend(self.through(&inside));
                    path.close();
                }
                _ => {}
            }
            pen += advance;
        }
        self.fill(&path, ink);
    }

    /// The file: its head, the pixels to a metre, the packed rows.
    fn encoded(&self, scale: f64) -> std::io::Result<Vec<u8>> {
        let mut head = Vec::new();
        head.extend((self.width as u32).to_be_bytes());
        head.extend((self.height as u32).to_be_bytes());
        head.extend([8, 2, 0, 0, 0]); // bits, colours without alpha, the usual packing and filters, not interlaced
        let metre = (scale * 96.0 / 0.0254).round() as u32;
        let mut density = [metre.to_be_bytes(), metre.to_be_bytes()].concat();
        density.push(1);
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::new(6));
        for row in self.pixels.chunks_exact(self.width) {
            packed.write_all(&[0])?; // not filtered: large surfaces of one colour pack best so
            packed.write_all(row.as_flattened())?;
        }
        let packed = packed.finish()?;
        let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
        for (name, data) in [(b"IHDR", &head), (b"pHYs", &density), (b"IDAT", &packed), (b"IEND", &vec![])] {
            out.extend((data.len() as u32).to_be_bytes());
            let mut crc = Crc::new();
            crc.update(name);
            crc.update(data);
            out.extend(name);
            out.extend(data);
            out.extend(crc.sum().to_be_bytes());
        }
        Ok(out)
    }
}

/// A letter on its way into a path.
struct Outline<'a> {
    path: &'a mut Vec<Command>,
    left: f32,
    base: f32,
    unit: f32,
}

impl Outline<'_> {
    fn at(&self, x: f32, y: f32) -> [f32; 2] {
        [self.left + x * self.unit, self.base - y * self.unit]
    }
}

impl OutlineBuilder for Outline<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let to = self.at(x, y);
        self.path.move_to(to);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let to = self.at(x, y);
        self.path.line_to(to);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (by, to) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(by, to);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (one, two, to) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.curve_to(one, two, to);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    /// The pixels of a file, read back without the code that wrote it.
    fn decoded(bytes: &[u8]) -> (usize, Vec<[u8; 3]>) {
        let (mut width, mut packed, mut rest) = (0, Vec::new(), &bytes[8..]);
        while rest.len() >= 12 {
            let length = u32::from_be_bytes(rest[..4].try_into().unwrap()) as usize;
            let data = &rest[8..8 + length];
            match &rest[4..8] {
                b"IHDR" => width = u32::from_be_bytes(data[..4].try_into().unwrap()) as usize,
                b"IDAT" => packed.extend_from_slice(data),
                _ => {}
            }
            rest = &rest[12 + length..];
        }
        let mut rows = Vec::new();
        flate2::read::ZlibDecoder::new(packed.as_slice()).read_to_end(&mut rows).unwrap();
        let mut pixels = Vec::new();
        for row in rows.chunks_exact(1 + 3 * width) {
            pixels.extend(row[1..].chunks_exact(3).map(|pixel| [pixel[0], pixel[1], pixel[2]]));
        }
        (width, pixels)
    }

    #[test]
    fn boxes_lines_and_letters_are_where_they_belong() {
        let mut drawing = Drawing::new(40.0, 20.0, "");
        drawing.filled([10.0, 5.0, 4.0, 4.0], Ink::Rgb([10, 20, 30]));
        drawing.line([[0.0, 15.0], [40.0, 15.0]], Pen::new(Ink::Rgb([200, 0, 0]), 2.0));
        drawing.text(30.0, 10.0, 10.0, Anchor::Middle, Ink::Rgb([0, 0, 0]), "I");
        let (width, pixels) = decoded(&png(&drawing, 2.0).unwrap());
        let at = |x: f64, y: f64| pixels[(2.0 * y) as usize * width + (2.0 * x) as usize];
        assert_eq!((width, pixels.len()), (80, 3200));
        assert_eq!(at(12.0, 7.0), [10, 20, 30]);
        assert_eq!((at(9.0, 7.0), at(15.0, 7.0), at(12.0, 10.0)), ([255; 3], [255; 3], [255; 3]));
        assert_eq!((at(1.0, 15.0), at(38.0, 14.5), at(20.0, 17.0)), ([200, 0, 0], [200, 0, 0], [255; 3]));
        assert!(at(30.0, 6.0)[0] < 60, "{:?}", at(30.0, 6.0));
    }

    #[test]
    fn shapes_outside_and_odd_numbers_do_no_harm() {
        let mut drawing = Drawing::new(10.0, 10.0, "");
        drawing.filled([-5.0, -5.0, 100.0, 100.0], Ink::Accent);
        drawing.line([[3.0, 3.0]], Pen::new(Ink::Text, 1.0));
        drawing.line([], Pen::new(Ink::Text, 1.0));
        drawing.filled([2.0, 2.0, 0.0, 0.0], Ink::Text);
        drawing.text(-3.0, 200.0, 12.0, Anchor::End, Ink::Text, "日\u{301}\u{0}");
        let (_, pixels) = decoded(&png(&drawing, 1.0).unwrap());
        assert_eq!(pixels[0], Ink::Accent.rgb());
        assert!(png(&Drawing::new(f64::NAN, 1.0, ""), 1.0).is_err());
    }
}
