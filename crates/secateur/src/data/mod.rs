//! Tables: what a file on disk becomes, and the coded form that growing works on.

pub mod builtin;
mod coded;
pub(crate) mod codes;
mod rank;
mod roles;
mod table;

pub use coded::{CodedColumn, CodedTable, CodedTarget, Scale};
pub use codes::Codes;
pub use rank::ranks;
pub use roles::{Cast, Roles, Task};
pub mod read;
mod table;

pub use read::{Format, ReadOptions, read, read_bytes};
pub use table::{Column, MISSING, Nominal, Table, Values};
