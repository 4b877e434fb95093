"""Mechanics of the rules that profiles name: one small module for each."""
