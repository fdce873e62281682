//! A tidy drawing: nodes of one depth on one level, parents over the middle of their children, equal subtrees drawn alike, and
//! as narrow as that allows.
//!
//! E. Reingold, J. Tilford: Tidier drawings of trees (1981), for any number of children in linear time by C. Buchheim, M. Jünger
//! and S. Leipert (2002). Its two walks over the tree are a loop backward and a loop forward over the places of the part.

use super::ShownNodes;

/// The space between nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gaps {
    /// Between the children of one node.
    pub siblings: f64,
    /// Between other neighbours of one level.
    pub cousins: f64,
    /// Between two levels.
    pub levels: f64,
}

/// Where the nodes of a part are, for every place.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The middle of the node, from left to right. The leftmost edge is at 0.
    pub x: Vec<f64>,
    /// The upper edge of the node's level, from top to bottom. The root's is 0.
    pub y: Vec<f64>,
    /// The width of the drawing.
    pub width: f64,
    /// The height of the drawing.
    pub height: f64,
}

/// Places the nodes of a part that have these sizes (width, height; a place without one has none). The width of a node is that of its
/// box or of what is written on the edge to it, whichever is larger: nodes of one level never overlap.
pub fn tidy(part: &ShownNodes, sizes: &[(f64, f64)], gaps: Gaps) -> Placed {
    let size = |place: usize| sizes.get(place).copied().unwrap_or((0.0, 0.0));
    let widths: Vec<f64> = (0..part.len()).map(|place| size(place).0).collect();
    let mut walk = Walk::new(part, &widths, gaps);
    for place in (0..part.len()).rev() {
        walk.place_children(place);
    }
    let mut x = walk.positions();
    let left = x.iter().zip(&widths).map(|(x, w)| x - w / 2.0).fold(f64::INFINITY, f64::min);
    x.iter_mut().for_each(|x| *x -= left);
    let width = x.iter().zip(&widths).map(|(x, w)| x + w / 2.0).fold(0.0, f64::max);
    let mut tops: Vec<f64> = Vec::new();
    for (place, &depth) in part.depths().iter().enumerate() {
        let depth = depth as usize;
        if tops.len() <= depth {
            tops.resize(depth + 1, 0.0);
        }
        tops[depth] = tops[depth].max(size(place).1);
    }
    // From the heights of the levels to their upper edges.
    let mut next = 0.0;
    for top in &mut tops {
        let below = next + *top;
        *top = next;
        next = below + gaps.levels;
    }
    let y = part.depths().iter().map(|&depth| tops[depth as usize]).collect();
    Placed { x, y, width, height: next - gaps.levels }
}

/// No node.
const NONE: u32 = u32::MAX;

/// What the walk upward knows of every place.
struct Walk<'a> {
    part: &'a ShownNodes,
    widths: &'a [f64],
    gaps: Gaps,
    /// The middle of its children, in the frame of what is below it.
    middle: Vec<f64>,
    /// Its position among its siblings.
    near: Vec<f64>,
    /// What is added to the positions of everything below it.
    offset: Vec<f64>,
    /// What is yet to be added to a child, and to the children between two that were moved apart.
    shift: Vec<f64>,
    change: Vec<f64>,
    /// The next place of the outline below a place without children.
    thread: Vec<u32>,
    /// The highest node below the common parent to which a place of the outline belongs.
    ancestor: Vec<u32>,
}

impl<'a> Walk<'a> {
    fn new(part: &'a ShownNodes, widths: &'a [f64], gaps: Gaps) -> Self {
        let zeros = || vec![0.0; part.len()];
        Self {
            part,
            widths,
            gaps,
            middle: zeros(),
            near: zeros(),
            offset: zeros(),
            shift: zeros(),
            change: zeros(),
            thread: vec![NONE; part.len()],
            ancestor: (0..part.len() as u32).collect(),
        }
    }

    /// Places the children of a node side by side; what is below them is placed already.
    fn place_children(&mut self, place: usize) {
        let children = self.part.children(place);
        if children.is_empty() {
            return;
        }
        let (first, last) = (children.start, children.end - 1);
        let mut default = first;
        for child in children.clone() {
            if child == first {
                self.near[child] = self.middle[child];
                continue;
            }
            self.near[child] = self.near[child - 1] + self.distance(child - 1, child);
            if !self.part.children(child).is_empty() {
                self.offset[child] = self.near[child] - self.middle[child];
            }
            default = self.move_apart(first, child, default);
        }
        let (mut shift, mut change) = (0.0, 0.0);
        for child in children.rev() {
            self.near[child] += shift;
            self.offset[child] += shift;
            change += self.change[child];
            shift += self.shift[child] + change;
        }
        self.middle[place] = (self.near[first] + self.near[last]) / 2.0;
    }

    /// Moves a child to the right until what is below it is clear of what is below its siblings on the left.
    fn move_apart(&mut self, first: usize, child: usize, mut default: usize) -> usize {
        // Inner and outer outlines, on the left and on the right, and the sums of their offsets.
        let (mut in_left, mut in_right, mut out_left, mut out_right) = (child - 1, child, first, child);
        let [mut sum_in_left, mut sum_in_right] = [in_left, in_right].map(|p| self.offset[p]);
        let [mut sum_out_left, mut sum_out_right] = [out_left, out_right].map(|p| self.offset[p]);
        while let (Some(left), Some(right)) = (self.last_below(in_left), self.first_below(in_right)) {
            (in_left, in_right) = (left, right);
            out_left = self.first_below(out_left).unwrap_or(out_left);
            out_right = self.last_below(out_right).unwrap_or(out_right);
            self.ancestor[out_right] = child as u32;
            let overlap = (self.near[in_left] + sum_in_left) - (self.near[in_right] + sum_in_right)
                + self.distance(in_left, in_right);
            if overlap > 0.0 {
                let from = self.ancestor[in_left] as usize;
                let from = if (first..child).contains(&from) { from } else { default };
                self.move_subtree(from, child, overlap);
                sum_in_right += overlap;
                sum_out_right += overlap;
            }
            sum_in_left += self.offset[in_left];
            sum_in_right += self.offset[in_right];
            sum_out_left += self.offset[out_left];
            sum_out_right += self.offset[out_right];
        }
        if let (Some(next), None) = (self.last_below(in_left), self.last_below(out_right)) {
            self.thread[out_right] = next as u32;
            self.offset[out_right] += sum_in_left - sum_out_right;
        }
        if let (Some(next), None) = (self.first_below(in_right), self.first_below(out_left)) {
            self.thread[out_left] = next as u32;
            self.offset[out_left] += sum_in_right - sum_out_left;
            default = child;
        }
        default
    }

    /// Moves a child away from one on its left; those between them will follow in equal steps.
    fn move_subtree(&mut self, from: usize, child: usize, by: f64) {
        let steps = (child - from) as f64;
        self.change[child] -= by / steps;
        self.shift[child] += by;
        self.change[from] += by / steps;
        self.near[child] += by;
        self.offset[child] += by;
    }

    fn first_below(&self, place: usize) -> Option<usize> {
        let children = self.part.children(place);
        if children.is_empty() { self.thread_of(place) } else { Some(children.start) }
    }

    fn last_below(&self, place: usize) -> Option<usize> {
        let children = self.part.children(place);
        if children.is_empty() { self.thread_of(place) } else { Some(children.end - 1) }
    }

    fn thread_of(&self, place: usize) -> Option<usize> {
        (self.thread[place] != NONE).then_some(self.thread[place] as usize)
    }

    /// The least distance between the middles of two neighbours.
    fn distance(&self, left: usize, right: usize) -> f64 {
        let is_family = self.part.parent(left) == self.part.parent(right);
        let gap = if is_family { self.gaps.siblings } else { self.gaps.cousins };
        (self.widths[left] + self.widths[right]) / 2.0 + gap
    }

    /// Positions from the root down.
    fn positions(self) -> Vec<f64> {
        let (mut x, mut moved) = (self.near, vec![0.0; self.part.len()]);
        x[0] = self.middle[0];
        for place in 1..x.len() {
            let above = moved[self.part.parent(place).unwrap_or(0)];
            x[place] += above;
            moved[place] = above + self.offset[place];
        }
        x
    }
}
