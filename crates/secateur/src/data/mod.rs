//! Tables: what a file on disk becomes, and the coded form that growing works on.

#[doc(hidden)]
pub mod arrow;
mod beyond_exact;
pub(crate) mod bins;
mod builder;
pub mod builtin;
mod cell;
mod coded;
pub(crate) mod codes;
mod coding;
pub(crate) mod floats;
mod intern;
mod joined;
mod matrix;
mod matrix_coding;
pub(crate) mod natural;
mod note;
pub(crate) mod notice;
mod part;
mod plan;
mod rank;
pub mod read;
mod roles;
mod settle;
mod side_files;
mod summary;
mod table;

pub use beyond_exact::BeyondExact;
pub use bins::Bins;
pub use builder::{NumberCell, TableBuilder, TextCell};
pub use coded::{CodedColumn, CodedTable, CodedTarget, Scale};
pub use codes::Codes;
pub(crate) use coding::NumberCoding;
pub use joined::{joined, joined_by};
pub use matrix::{Matrix, Numbers};
pub(crate) use natural::natural_order;
pub use note::{Note, NoteKind};
pub use notice::{Noticed, check_attributes, notice, other_target};
pub use plan::{ColumnPlan, ColumnType, DateOrder, Plan};
pub use rank::ranks;
pub(crate) use rank::{key, rows_in_order, unkey};
pub use read::{Format, ReadOptions, Reading, read, read_bytes, read_bytes_noted, read_noted};
pub use roles::{Cast, Roles};
pub use side_files::{read_costs, read_folds};
pub use summary::Span;
pub use table::{Column, MISSING, Nominal, Table, Values};
