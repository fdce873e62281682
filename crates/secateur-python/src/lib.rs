//! The Python package: tables come in from NumPy and Arrow, the work runs on threads of its own with the interpreter
//! free, models go out as arrays and text. What scikit-learn expects of an estimator is written in Python, on top of this.

mod allocator;
mod arrow;
mod cluster;
mod columns;
mod compare;
mod exchange;
mod explaining;
mod failure;
mod files;
mod fitting;
mod methods;
mod model;
mod nodes;
mod pictures;
mod predicting;
mod scoring;
mod shards;
mod work;

use pyo3::prelude::*;

/// The compiled part of the package `secateur`.
#[pymodule]
mod _native {
    /// The version of the package, which is that of the library and the program.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use crate::cluster::fit_elsewhere;
    #[pymodule_export]
    use crate::columns::{Columns, number_as_text};
    #[pymodule_export]
    use crate::compare::compare;
    #[pymodule_export]
    use crate::exchange::{export_formats, export_model, import_model};
    #[pymodule_export]
    use crate::files::fit_file;
    #[pymodule_export]
    use crate::fitting::{fit, page_of, path_of};
    #[pymodule_export]
    use crate::methods::{builtin, check_scheme, default_scheme, methods};
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::shards::{shard_bytes, shard_code, shard_columns, shard_count, shard_look, shard_sum};
}
