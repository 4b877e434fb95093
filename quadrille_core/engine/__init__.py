"""The readable engine: it executes a RuleSet, and its behaviour is the definition of the rules."""
