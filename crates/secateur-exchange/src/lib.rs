//! Trees for other software, and proof that they answer the same there.
//!
//! [`export`] writes a tree in one of the formats of its list; [`verify`] runs what was written in its real consumer (a
//! database, a compiler, an interpreter) and holds the answers against those of the tree.

#![warn(unreachable_pub)]

pub mod export;
pub mod import;
pub mod verify;

/// The example of the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
