//! The program `secateur`.

fn main() {}
