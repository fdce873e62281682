//! Boxes that can be told apart without their colours.

use super::{CLASS_COLOURS, Drawing, Ink, Pen, Shape};

/// Fills a box with the colour of a class and its lines: none for the first, then rising, falling, upright, lying and crossed
/// ones. Where the colours begin again, the lines differ.
pub(crate) fn hatched(drawing: &mut Drawing, frame: [f64; 4], class: usize) {
    drawing.filled(frame, Ink::Class(class));
    let pattern = (class % CLASS_COLOURS.len() + class / CLASS_COLOURS.len()) % 6;
    let mut ends = Vec::new();
    if matches!(pattern, 1 | 5) {
        diagonals(frame, true, &mut ends);
    }
    if matches!(pattern, 2 | 5) {
        diagonals(frame, false, &mut ends);
    }
    let [x, y, width, height] = frame;
    let steps =
        |length: f64, gap: f64| (0..((length / gap) as usize).min(MOST)).map(move |i| (i as f64 + 0.5) * gap);
    match pattern {
        3 => ends.extend(steps(width, 3.0).map(|at| [x + at, y, x + at, y + height])),
        4 => ends.extend(steps(height, 3.0).map(|at| [x, y + at, x + width, y + at])),
        _ => {}
    }
    if !ends.is_empty() {
        drawing.shapes.push(Shape::Lines { ends, pen: Pen::new(Ink::Paper, 0.9) });
    }
}

/// Lines in one box at most.
const MOST: usize = 400;

/// Lines at 45° through a box, rising or falling, cut off at its edges.
fn diagonals([x, y, width, height]: [f64; 4], rising: bool, ends: &mut Vec<[f64; 4]>) {
    const GAP: f64 = 4.5;
    for step in 0..(((width + height) / GAP) as usize).min(MOST) {
        // Where the line enters on the left or upper edge and leaves on the right or lower one, as distances along both axes.
        let at = (step as f64 + 0.5) * GAP;
        let (x0, y0) = if at <= height { (0.0, at) } else { (at - height, height) };
        let (x1, y1) = if at <= width { (at, 0.0) } else { (width, at - width) };
        let flip = |down: f64| if rising { y + down } else { y + height - down };
        if x0 <= width {
            ends.push([x + x0, flip(y0), x + x1, flip(y1)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_inside_their_box_and_differ_between_classes_of_one_colour() {
        let mut seen = Vec::new();
        for class in 0..14 {
            for frame in [[3.0, 5.0, 60.0, 8.0], [3.0, 5.0, 0.4, 8.0], [0.0, 0.0, 12.0, 12.0]] {
                let mut drawing = Drawing::new(80.0, 20.0, "");
                hatched(&mut drawing, frame, class);
                let inside = |x: f64, y: f64| {
                    x >= frame[0] - 1e-9
                        && x <= frame[0] + frame[2] + 1e-9
                        && y >= frame[1] - 1e-9
                        && y <= frame[1] + frame[3] + 1e-9
                };
                for shape in &drawing.shapes {
                    if let Shape::Lines { ends, .. } = shape {
                        assert!(
                            ends.iter().all(|e| inside(e[0], e[1]) && inside(e[2], e[3])),
                            "{class} {frame:?}"
                        );
                    }
                }
                if frame[2] == 60.0 {
                    assert!(!seen.contains(&drawing.shapes), "{class} looks like one before");
                    seen.push(drawing.shapes);
                }
            }
        }
    }
}
