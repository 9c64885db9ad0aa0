"""What children of the service are given of its environment: what they need to run, and no secret."""

from __future__ import annotations

import os
from typing import Final

_NEEDED: Final = frozenset(
    "PATH PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX VIRTUAL_ENV LD_LIBRARY_PATH "
    "DYLD_LIBRARY_PATH LANG LANGUAGE TZ TMPDIR TEMP TMP HOME SYSTEMROOT TESSDATA_PREFIX".split()
)


def child_environment(**more: str) -> dict[str, str]:
    """Tokens, keys and addresses with passwords stay behind: who takes a child over finds none."""
    kept = {name: value for name, value in os.environ.items() if name in _NEEDED or name.startswith("LC_")}
    return {**kept, **more}
