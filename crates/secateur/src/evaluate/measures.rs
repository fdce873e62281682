//! What is measured of a tree on rows it was not grown from.
