from quadrille_core.api import Result as Result
from quadrille_core.api import RuleSet as RuleSet
from quadrille_core.api import compare as compare
from quadrille_core.api import deal as deal
from quadrille_core.api import diff as diff
from quadrille_core.api import explain as explain
from quadrille_core.api import load as load
from quadrille_core.api import matters as matters
from quadrille_core.api import run as run
from quadrille_core.api import settle as settle
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

def list(what: str = "profiles", *names: str, facts: bool = False) -> Result: ...  # noqa: A001

__all__: tuple[str, ...]

__version__: str
PROJECT: str
DISTRIBUTION: str
