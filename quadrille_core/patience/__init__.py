"""Patience games that build suits on foundations from a stock turned card by card: cards, rules, course, proof."""
