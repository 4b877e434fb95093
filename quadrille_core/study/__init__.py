"""Paired experiments: the same deals under several rule sets, and what can honestly be said of them."""
