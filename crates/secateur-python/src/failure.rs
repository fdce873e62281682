//! Errors of the library as the exceptions Python programmers expect.

use pyo3::PyErr;
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyOSError, PyValueError};
use secateur::Error;

use crate::allocator;

/// What is wrong with an input or a parameter is a `ValueError`, what a disk says an `OSError`, too little memory a `MemoryError`.
pub fn exception(error: Error) -> PyErr {
    match error {
        Error::Read { file, source } | Error::Write { file, source } => match source.raw_os_error() {
            // With a number and a file name Python picks the subclass, such as FileNotFoundError.
            Some(number) => PyOSError::new_err((number, source.to_string(), file.display().to_string())),
            None => PyOSError::new_err(format!("{}: {source}", file.display())),
        },
        Error::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        Error::Cancelled if allocator::is_lacking() => PyMemoryError::new_err(
            "there is not enough memory; leave out columns or rows, or keep fewer values of numbers apart (the option bins)",
        ),
        Error::Cancelled => PyKeyboardInterrupt::new_err("stopped on request"),
        other => PyValueError::new_err(other.to_string()),
    }
}
