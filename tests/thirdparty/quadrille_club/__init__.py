"""Rules of a club that does not exist, for testing that a plugin needs nothing but the hooks."""
