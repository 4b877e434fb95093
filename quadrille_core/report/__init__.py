"""What was found, as tables, JSON and CSV."""
