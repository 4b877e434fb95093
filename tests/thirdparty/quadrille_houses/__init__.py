"""House rules of parties that do not exist, each by data and hooks alone."""
