"""Run ``quadrille`` as ``python -m quadrille_core``, without importing from the current folder.

Python puts that folder first where it looks for modules.  A file there that bears the name of a
module imported below would run; so would a plugin that is installed there.
"""

import sys

if not sys.flags.safe_path and sys.path:
    import os  # Python has loaded it to get here

    try:
        unasked = os.path.samefile(sys.path[0] or ".", ".")
    except OSError:  # the folder is gone
        unasked = not sys.path[0]
    if unasked:
        del sys.path[0]

from quadrille_core.features import FeatureError, interface

try:
    main = interface("shell")
except FeatureError as e:
    sys.stderr.write(f"{e}\n")
    sys.exit(2)
main()
