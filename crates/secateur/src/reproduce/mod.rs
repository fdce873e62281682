//! Published tables, run again.
