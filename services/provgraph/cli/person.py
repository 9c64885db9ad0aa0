"""Who runs the command, for what is recorded of a change."""

from __future__ import annotations

import getpass


def own_name() -> str:
    """The name of the user of this machine; nothing where it has none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
