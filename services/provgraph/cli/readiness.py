"""`python -m provgraph.cli.readiness`: whether the service that has the data folder open is ready.

For the health of a container. It asks where the folder says that the service listens, over TLS where it does so; the
exit status is 1 if it is not ready.
"""

from __future__ import annotations

import json
import os
import ssl
import sys
import urllib.request
from pathlib import Path
from typing import Final

from provgraph.adapters.served_folder import announcement
from provgraph.tls import trusting_only

_TIMEOUT_S: Final = 4


def is_ready(folder: Path) -> bool:
    """Whether a service has left word in the folder, and `/ready` is answered by 200."""
    word = announcement(folder)
    if word is None:
        return False
    trust = trusting_only(word.certificate) if word.certificate else None
    direct = urllib.request.build_opener(
        urllib.request.ProxyHandler({}),
        urllib.request.HTTPSHandler(context=trust or ssl.create_default_context()),
    )
    try:
        with direct.open(f"{word.url}/ready", timeout=_TIMEOUT_S) as reply:
            json.load(reply)
            return bool(reply.status == 200)
    except (OSError, ValueError):
        return False


if __name__ == "__main__":
    sys.exit(not is_ready(Path(os.environ.get("PROVGRAPH_DATA", "provgraph-data"))))
