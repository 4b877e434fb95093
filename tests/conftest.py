"""Shared by every test module."""

import sys

import hypothesis
import pytest

# how long a single example takes says more of the machine than of the product
hypothesis.settings.register_profile("quadrille", deadline=None)
hypothesis.settings.load_profile("quadrille")


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
