"""Shared by every test module."""

import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import hypothesis
import pytest
import yaml
from quadrille_plugins.shell.main import run
from support.catalogue import REWRITTEN, nonsense
from support.plugin import install
from support.slow import longest_first, mark

# a runner that sets how wide its own output is has not said how wide a report is to be
os.environ.pop("COLUMNS", None)

# a shell has what it runs in the background deaf to Ctrl-C, and so would be all that the tests
# start
if (
    threading.current_thread() is threading.main_thread()
    and signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):
    signal.signal(signal.SIGINT, signal.default_int_handler)

# each worker and each command that the tests start would compile every module anew; git ignores
# what is kept of them
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# how long a single example takes says more of the machine than of the product
hypothesis.settings.register_profile("quadrille", deadline=None)
hypothesis.settings.load_profile("quadrille")


def empty_caches() -> None:
    """Forget whatever the product has kept for a second use."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("quadrille_core", "quadrille_plugins")):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Begin with empty caches.

    Mutation testing forks its test runs from a process that has already run the tests: what that
    one cached would hide a mutant from them.
    """
    del session
    empty_caches()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what ``tests/slow.yaml`` lists, before ``-m`` chooses, and begin with what takes
    longest."""
    mark(items)
    longest_first(items)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Let the collector pass over what stays to the end: it took a tenth of the processor's time
    looking at it."""
    del session
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture
def quadrille(capsys):
    """Run a command in this process; returns exit status, standard output, standard error."""

    def quadrille(*args: str) -> tuple[int, str, str]:
        status = run(list(args))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return quadrille


@pytest.fixture
def write(tmp_path):
    def write(data, name="result.yaml") -> str:
        path = tmp_path / name
        path.write_text(
            data
            if isinstance(data, str)
            else yaml.safe_dump(data, sort_keys=False, allow_unicode=True)
        )
        return str(path)

    return write


if REWRITTEN in os.environ:

    @pytest.fixture(autouse=True, scope="session")
    def any_sentences() -> Iterator[None]:
        """Every sentence of the catalogue is without meaning (``tests/core/test_any_words.py``)."""
        with nonsense():
            yield


if "MUTANT_UNDER_TEST" in os.environ:

    @pytest.fixture(autouse=True)
    def fresh() -> None:
        """Under mutation testing, let every test reach the code itself, so that each is known to
        cover it."""
        empty_caches()


@pytest.fixture(scope="session")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The third-party distribution, really installed by pip into a folder of its own."""
    source = tmp_path_factory.mktemp("source") / "club"
    copytree(Path(__file__).parent / "thirdparty", source)
    return install(source, tmp_path_factory.mktemp("club"))
