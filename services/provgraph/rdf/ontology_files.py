"""The ontology's files, in the package as it is installed or in a checkout."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Final

import provgraph

_CHECKOUT: Final = Path(provgraph.__file__).parents[2] / "ontology"


def ontology_text(name: str) -> str:
    """The text of a file in `ontology/`, such as `provgraph.ttl`.

    A wheel carries the files inside the package; an editable install leaves them in the checkout's `ontology/`.
    """
    packaged = resources.files(provgraph) / "ontology" / name
    return packaged.read_text("utf-8") if packaged.is_file() else (_CHECKOUT / name).read_text("utf-8")
