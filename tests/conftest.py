"""Shared by every test module."""

import sys

import pytest


def pytest_sessionstart(session: pytest.Session) -> None:
    """Begin with empty caches.

    Mutation testing forks its test runs from a process that has already run the tests: what that one cached would hide
    a mutant from them.
    """
    del session
    for name, module in list(sys.modules.items()):
        if name.startswith("quadrille_core"):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
