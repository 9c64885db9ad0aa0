"""Pages of PDFs as pictures, and where words stand on them: each drawn in a process that cannot harm this one."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.child_environment import child_environment
from provgraph.errors import TimedOut, UnreadableDocument

MEDIA_TYPE: Final = "image/png"
_PROGRAM: Final = "provgraph.documents.readers.pdf_drawing"
_SECONDS: Final = 30
_AT_ONCE: Final = 2


@dataclass(frozen=True)
class FoundWords:
    """The page's `text` as this reader makes it, None where it cannot tell places; `rectangles` are left, top, right
    and bottom, in the units of `width` and `height`."""

    text: str | None
    width: float
    height: float
    rectangles: Sequence[tuple[float, float, float, float]]


class DrawnPages:
    """`index` counts pages from 0. Raises `UnreadableDocument` for a page that cannot be drawn, `TimedOut` for one that
    takes too long."""

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(_AT_ONCE)

    async def draw(self, content: bytes, index: int, width: int) -> bytes:
        """The page as PNG."""
        return await self._made(content, "draw", index, width)

    async def regions(self, content: bytes, index: int, width: int) -> bytes:
        """The page as PNG, with the regions and cells that the reader finds drawn over it."""
        return await self._made(content, "regions", index, width)

    async def find(self, content: bytes, index: int, start: int, end: int) -> FoundWords:
        """Where the characters `start` to `end` of the page's text stand."""
        loads = json.loads(await self._made(content, "find", index, start, end))
        rectangles = [tuple(rectangle) for rectangle in loads["rectangles"]]
        return FoundWords(loads["text"], loads["width"], loads["height"], rectangles)

    async def _made(self, content: bytes, *arguments: str | int) -> bytes:
        async with self._turns:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                _PROGRAM,
                *map(str, arguments),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=child_environment(),
                start_new_session=True,  # Ctrl-C is for the service alone
            )
            try:
                async with asyncio.timeout(_SECONDS):
                    made, _ = await process.communicate(content)
            except TimeoutError as error:
                raise TimedOut(
                    "The page takes too long to draw. Its text is there: read that, or open the file itself."
                ) from error
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
        if process.returncode:
            raise UnreadableDocument(
                "The page cannot be drawn. Its text is there: read that, or open the file itself."
            )
        return made
