"""Deals by the readable engine: a seat's view, players by name, sessions, records."""
