//! Where the nodes of a tree are drawn. One rule serves the page, the pictures and the Python plot.
//!
//! A [`ShownNodes`] says which nodes are shown: all, those down to a depth, or those below nodes that are open. `tidy` places its
//! nodes for a drawing with lines, `icicle` for one of bands whose width is the weight. Both are linear in the
//! nodes shown and need no recursion. Sizes come in the unit of the caller and positions go out in it; [`text_width`] is a
//! measure for those who have no font at hand.
//!
//! The page opens and closes nodes while it is read, so it places them itself, by the same rule in TypeScript.
//! `tests/layout.json` holds shapes with the positions computed here; both sides are tested against it, to the last bit.
//!
//! ```
//! use secateur::layout::{Gaps, ShownNodes, tidy};
//! # let json = r#"{"format": "secateur-model", "version": 1, "scheme": "cart",
//! #   "attributes": [{"name": "petal width", "type": "numeric"}],
//! #   "target": {"type": "classes", "name": "species", "classes": ["setosa", "other"]},
//! #   "nodes": [
//! #     {"split": {"attribute": "petal width", "less_than": 0.8}, "first_child": 1, "rows": 150, "weight": 150, "counts": [51, 99], "rank": 0},
//! #     {"parent": 0, "rows": 50, "weight": 50, "counts": [50, 0]},
//! #     {"parent": 0, "rows": 100, "weight": 100, "counts": [1, 99]}]}"#;
//! # let tree = secateur::tree::Model::from_json("m", json.as_bytes()).unwrap().tree;
//! let part = ShownNodes::whole(&tree);
//! let sizes = vec![(80.0, 30.0); part.len()];
//! let placed = tidy(&part, &sizes, Gaps { siblings: 10.0, cousins: 20.0, levels: 40.0 });
//! assert_eq!(placed.x, [85.0, 40.0, 130.0]); // the middle of every node
//! assert_eq!(placed.y, [0.0, 70.0, 70.0]); // its upper edge
//! assert_eq!((placed.width, placed.height), (170.0, 100.0));
//! ```

mod icicle;
mod shown_nodes;
#[cfg(test)]
mod tests;
mod text;
mod tidy;

pub use icicle::{Bands, icicle};
pub use shown_nodes::ShownNodes;
pub use text::{shortened, text_width};
pub use tidy::{Gaps, Placed, tidy};
