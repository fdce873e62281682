//! A table of text cells, and the formats it is written in.
