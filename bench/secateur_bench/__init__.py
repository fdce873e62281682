"""Secateur beside its peers: the same tables, in turn, in one run. Only the standard library."""
