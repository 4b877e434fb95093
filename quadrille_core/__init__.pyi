# ruff: noqa: A001
import collections.abc
import fractions
import os
from typing import Any, Literal

from quadrille_core.diagnostics import Place as Place
from quadrille_core.diagnostics import Problem as Problem
from quadrille_core.errors import IllegalActionError as IllegalActionError
from quadrille_core.errors import NotationError as NotationError
from quadrille_core.errors import PluginError as PluginError
from quadrille_core.errors import ProfileError as ProfileError
from quadrille_core.errors import QuadrilleError as QuadrilleError
from quadrille_core.errors import RecordError as RecordError
from quadrille_core.errors import ResultError as ResultError
from quadrille_core.errors import UnreadableError as UnreadableError
from quadrille_core.errors import UnwrittenError as UnwrittenError
from quadrille_core.errors import UsageError as UsageError
from quadrille_core.features import FeatureError as FeatureError

class Result:
    @property
    def command(self) -> str: ...
    def to_dict(
        self,
    ) -> Any: ...
    @property
    def rows(self) -> tuple[collections.abc.Mapping[str, Any], ...]: ...
    @property
    def columns(self) -> tuple[str, ...]: ...
    @property
    def answer(self) -> str: ...
    def to_pandas(
        self,
    ) -> Any: ...
    def to_polars(
        self,
    ) -> Any: ...

class RuleSet(Result):
    @property
    def reference(self) -> str: ...
    @property
    def settings(self) -> collections.abc.Mapping[str, Any]: ...
    @property
    def readings(self) -> collections.abc.Mapping[str, str]: ...
    @property
    def title(self) -> str: ...
    @property
    def digest(self) -> str: ...
    @property
    def rules(self) -> collections.abc.Mapping[str, Any]: ...
    @property
    def sources(self) -> collections.abc.Mapping[str, str]: ...
    @property
    def points(self) -> collections.abc.Mapping[str, str]: ...
    def explain(
        self,
        path: str,
    ) -> Result: ...
    def diff(
        self,
        other: RuleSet | str | os.PathLike[str],
        *,
        all: bool = False,
    ) -> Result: ...

def compare(
    *refs: RuleSet | str | os.PathLike[str],
    deals: int | None = None,
    sessions: int | None = None,
    at_most: int | None = None,
    seats: bool = False,
    seed: int = 1,
    players: str | collections.abc.Sequence[str] = "family",
    engine: Literal["auto", "readable", "fast"] = "auto",
    double_dummy: bool = False,
    decompose: bool = False,
    attribute: bool = False,
    group: str | os.PathLike[str] | None = None,
    exact: bool = False,
    bots: str | collections.abc.Sequence[str] | None = None,
    length: int | None = None,
    smallest: str | float | fractions.Fraction | os.PathLike[str] = "10",
    power: str | float | fractions.Fraction | os.PathLike[str] | None = None,
    examples: int = 5,
    save: str | os.PathLike[str] | None = None,
    table: str | os.PathLike[str] | None = None,
    executor: str | float | fractions.Fraction | os.PathLike[str] | None = None,
    workers: int | None = None,
    manifest: str | os.PathLike[str] | None = None,
    deposit: str | os.PathLike[str] | None = None,
    report: str | os.PathLike[str] | None = None,
    pictures: str | os.PathLike[str] | None = None,
    details: bool = False,
    reading: str | collections.abc.Sequence[str] | None = None,
    set: str | collections.abc.Sequence[str] | None = None,
    progress: collections.abc.Callable[[int, int], object] | None = None,
) -> Result: ...
def deal(
    *refs: RuleSet | str | os.PathLike[str],
    seed: int = 1,
    session: int = 0,
    deal: int = 0,
    players: str | collections.abc.Sequence[str] = "steady",
    replay: str | float | fractions.Fraction | os.PathLike[str] | None = None,
    line: int | None = None,
    cite: bool = False,
    solve: bool = False,
    pool: str | float | fractions.Fraction | os.PathLike[str] | None = None,
    favourite: str | float | fractions.Fraction | os.PathLike[str] | None = None,
    player: str | float | fractions.Fraction | os.PathLike[str] | None = None,
    bid: str | float | fractions.Fraction | os.PathLike[str] | None = None,
    best_play: bool = False,
    means: str | os.PathLike[str] | None = None,
    by: str | collections.abc.Sequence[str] = ("contract",),
    of: str | float | fractions.Fraction | os.PathLike[str] = "net_hombre",
    out: str | os.PathLike[str] | None = None,
    deals: int = 400,
    length: int | None = None,
    form: Literal["jsonl", "parquet", "both"] = "both",
    workers: int | None = None,
    engine: Literal["auto", "readable", "fast"] = "auto",
    reading: str | collections.abc.Sequence[str] | None = None,
    set: str | collections.abc.Sequence[str] | None = None,
    progress: collections.abc.Callable[[int, int], object] | None = None,
) -> Result: ...
def diff(
    ref_1: RuleSet | str | os.PathLike[str],
    ref_2: RuleSet | str | os.PathLike[str],
    *words: RuleSet | str | os.PathLike[str],
    all: bool = False,
    by: str | os.PathLike[str] | None = None,
    reading: str | collections.abc.Sequence[str] | None = None,
    set: str | collections.abc.Sequence[str] | None = None,
    progress: collections.abc.Callable[[int, int], object] | None = None,
) -> Result: ...
def explain(
    *words: RuleSet | str | os.PathLike[str],
    cite: bool = False,
    reading: str | collections.abc.Sequence[str] | None = None,
    set: str | collections.abc.Sequence[str] | None = None,
    progress: collections.abc.Callable[[int, int], object] | None = None,
) -> Result: ...
def list(
    what: Literal["profiles", "plugins", "witnesses"] = "profiles",
    *names: RuleSet | str | os.PathLike[str],
    facts: bool = False,
    progress: collections.abc.Callable[[int, int], object] | None = None,
) -> Result: ...
def load(
    ref: str | os.PathLike[str],
    *,
    set: collections.abc.Mapping[str, Any] | None = None,
    readings: collections.abc.Mapping[str, str] | None = None,
) -> RuleSet: ...
def matters(
    ref: RuleSet | str | os.PathLike[str],
    *other: RuleSet | str | os.PathLike[str],
    all: bool = False,
    over: str | collections.abc.Sequence[str] | None = None,
    deals: int | None = None,
    precision: float = 0.0001,
    smallest: str | float | fractions.Fraction | os.PathLike[str] = "10",
    within: str | float | fractions.Fraction | os.PathLike[str] | None = None,
    power: str | float | fractions.Fraction | os.PathLike[str] | None = None,
    decompose: bool = False,
    seats: bool = False,
    seed: int = 1,
    players: str | collections.abc.Sequence[str] = "family",
    engine: Literal["auto", "readable", "fast"] = "auto",
    table: str | os.PathLike[str] | None = None,
    executor: str | float | fractions.Fraction | os.PathLike[str] | None = None,
    workers: int | None = None,
    manifest: str | os.PathLike[str] | None = None,
    deposit: str | os.PathLike[str] | None = None,
    report: str | os.PathLike[str] | None = None,
    pictures: str | os.PathLike[str] | None = None,
    details: bool = False,
    reading: str | collections.abc.Sequence[str] | None = None,
    set: str | collections.abc.Sequence[str] | None = None,
    progress: collections.abc.Callable[[int, int], object] | None = None,
) -> Result: ...
def means(
    table: str | os.PathLike[str],
    **options: Any,
) -> Result: ...
def run(
    command: str,
    *arguments: Any,
    progress: collections.abc.Callable[[int, int], object] | None = None,
    **options: Any,
) -> Result: ...
def settle(
    result: collections.abc.Mapping[str, Any] | str | os.PathLike[str],
    *,
    rules: RuleSet | str | None = None,
) -> Result: ...

__all__: tuple[str, ...]
__version__: str
PROJECT: str
DISTRIBUTION: str
