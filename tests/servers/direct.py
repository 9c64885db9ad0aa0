"""How tests reach the servers that they started: past any proxy, with certificates that are read once in a process."""

from __future__ import annotations

from typing import Any, Final

from provgraph.tls import trusted

DIRECT: Final[dict[str, Any]] = {"trust_env": False, "verify": trusted()}
