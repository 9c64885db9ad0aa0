"""Pages → chunks: spans cut at natural boundaries that the content itself determines.

A boundary is a cut when it is the best within a fixed distance on both sides: "local maximum chunking"
(Bjørner, Blass, Gurevich, "Content-dependent chunking for differential compression, the local maximum
approach", 2010). So an edit moves the cuts near it and no others. Pieces that are still too long are parted
again at the best boundary in their middle, which looks at the piece alone.

Knows nothing of stores, facts or how chunks are named.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from provgraph.documents.boundaries import SENTENCE, Boundaries, boundaries
from provgraph.errors import InvalidInput

_SMALLEST = 100


@dataclass(frozen=True)
class ChunkingSettings:
    """`size`: the most characters in a chunk; `overlap`: the most of them that repeat the chunk before."""

    size: int = 1000
    overlap: int = 100

    def __post_init__(self) -> None:
        if self.size < _SMALLEST:
            raise InvalidInput(
                f"A chunk size of {self.size} is too small. Choose {_SMALLEST} characters or more."
            )
        if not 0 <= self.overlap <= self.size // 2:
            raise InvalidInput(
                f"An overlap of {self.overlap} does not fit chunks of {self.size} characters. "
                f"Choose one from 0 to {self.size // 2}."
            )

    @property
    def longest_piece(self) -> int:
        """The most characters of its own that a chunk may have."""
        return self.size - self.overlap


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """`text[start:end]` is the chunk; `text[start:own_start]` repeats the end of the chunk before."""

    start: int
    end: int
    own_start: int


def chunk_page(text: str, settings: ChunkingSettings) -> list[ChunkSpan]:
    """The chunks of one page in order; none for a page without text.

    Each is at most `settings.size` characters, begins and ends with a character that is no white space, and
    the regions from `own_start` to `end` hold every such character of the page exactly once.
    """
    places = boundaries(text, settings.longest_piece)
    spans: list[ChunkSpan] = []
    for start, end in _pieces(text, places, settings.longest_piece):
        before = spans[-1].own_start if spans else start
        spans.append(ChunkSpan(_overlap_start(text, places, (before, start), settings.overlap), end, start))
    return spans


def _pieces(text: str, places: Boundaries, longest: int) -> Iterator[tuple[int, int]]:
    """Own regions: from each cut to the next, without white space at their ends."""
    if not len(places):
        return
    end = len(text.rstrip())
    cuts = [*_local_maxima(places, longest // 2, end), len(places)]
    for first, last in zip([0, *cuts], cuts, strict=False):
        for start_index, stop_index in _parted(places, (first, last), end, longest):
            start = places.at[start_index]
            stop = places.at[stop_index] if stop_index < len(places) else end
            yield start, start + len(text[start:stop].rstrip())


def _local_maxima(places: Boundaries, reach: int, end: int) -> Iterator[int]:
    """Indices of the boundaries that are best within `reach` characters; none so near the text's ends.

    One pass with a queue of falling candidates (the sliding window maximum), so linear in their number.
    """
    window: deque[int] = deque()
    ahead = 0
    at, rank = places.at, places.rank
    for index, here in enumerate(at):
        while ahead < len(at) and at[ahead] <= here + reach:
            while window and rank[window[-1]] < rank[ahead]:
                window.pop()
            window.append(ahead)
            ahead += 1
        while at[window[0]] < here - reach:
            window.popleft()
        inside = at[0] + reach <= here <= end - reach
        if window[0] == index and inside:
            yield index


def _parted(places: Boundaries, piece: tuple[int, int], end: int, longest: int) -> Iterator[tuple[int, int]]:
    """The piece between two boundaries, parted as often as its length asks."""
    waiting = [piece]
    while waiting:
        first, last = waiting.pop()
        start = places.at[first]
        stop = places.at[last] if last < len(places) else end
        if stop - start <= longest or last - first < 2:
            yield first, last
            continue
        cut = _middle_cut(places, (first, last), (start, stop), longest)
        waiting += [(cut, last), (first, cut)]


def _middle_cut(places: Boundaries, piece: tuple[int, int], span: tuple[int, int], longest: int) -> int:
    """The best boundary in the piece's middle third; where there is none, the one nearest to its middle."""
    (first, last), (start, stop) = piece, span
    margin = max((stop - start) // 3, stop - start - longest if stop - start < 2 * longest else 0)
    margin = min(margin, (stop - start) // 2)
    at, rank = places.at, places.rank
    low = bisect_left(at, start + margin, first + 1, last)
    high = bisect_right(at, stop - margin, first + 1, last)
    middle = (start + stop) / 2
    if low < high:
        return max(range(low, high), key=lambda i: (rank[i], -abs(at[i] - middle)))
    return min(range(max(low - 1, first + 1), min(low + 1, last)), key=lambda i: abs(at[i] - middle))


def _overlap_start(text: str, places: Boundaries, region: tuple[int, int], overlap: int) -> int:
    """Where the repeated end of the piece before begins: its first sentence or word that fits the overlap."""
    before, start = region
    earliest = max(before, start - overlap)
    index = bisect_left(places.at, earliest)
    while index < len(places) and places.at[index] < start:
        if places.level(index) >= SENTENCE - 1:
            return places.at[index]
        index += 1
    return _first_word(text, earliest, start)


def _first_word(text: str, earliest: int, start: int) -> int:
    at = earliest
    if at and not text[at - 1].isspace():
        while at < start and not text[at].isspace():
            at += 1
    while at < start and text[at].isspace():
        at += 1
    return at
