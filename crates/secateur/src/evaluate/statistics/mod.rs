//! Tests, intervals and ranks for comparing methods.
