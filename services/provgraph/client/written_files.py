"""Files that stand under their names only when they are complete."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from provgraph.errors import InvalidInput


@contextmanager
def written(path: Path) -> Iterator[BinaryIO]:
    """A file to write to. Raises `InvalidInput` where it cannot be written."""
    draft = path.with_name(f".{path.name}.part")
    try:
        with draft.open("wb") as file:
            yield file
        draft.replace(path)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written ({error.strerror}). Name another file.") from error
    finally:
        draft.unlink(missing_ok=True)
