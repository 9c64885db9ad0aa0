"""The network: a question and a text in, a score for each word piece of the text out.

The weights stand in `comprehension.onnx`, their numbers in eight bits (ONNX, run by ONNX Runtime on one thread).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

import numpy as np

from provgraph.language.word_pieces import BREAK, OPENING, WordPiece, WordPieces

FOLDER: Final = Path(__file__).parent
MODEL: Final = FOLDER / "comprehension.onnx"
VOCABULARY: Final = FOLDER / "vocabulary.txt"
LONGEST: Final = 192
"""Word pieces of a pair, the marks between them included; what is over is cut from the second text."""
LONGEST_FIRST: Final = 64
MOST_THREADS: Final = 4

Numbers = np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True)
class PairScores:
    """What the network says of a pair.

    `pieces` are those of the second text, `starts` and `ends` a score for each that the answer starts or ends with it,
    `nothing` the score that none of them answers.
    """

    pieces: Sequence[WordPiece]
    starts: Numbers
    ends: Numbers
    nothing: float


class Network:
    """The trained network; safe to use from several threads."""

    def __init__(self, model: Path = MODEL, vocabulary: Path = VOCABULARY) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.disable_prepacking", "1")  # the weights once, not twice
        # Without this, processors that have no VNNI instructions add up products of eight bits in sixteen and clip
        # them, so that the same question is answered otherwise on them.
        options.add_session_config_entry("session.x64quantprecision", "1")
        self._session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self._words = WordPieces.from_file(vocabulary)
        self._lock = Lock()
        self._threads = ThreadPoolExecutor(min(os.cpu_count() or 1, MOST_THREADS), "comprehension")

    def scores(self, pairs: Sequence[tuple[str, str]]) -> list[PairScores]:
        """One result a pair, in order. Each runs alone: in eight bits its neighbours would change it."""
        return list(self._threads.map(lambda pair: self._run(*pair), pairs))

    def _run(self, first: str, second: str) -> PairScores:
        with self._lock:
            asked = [piece.number for piece in self._words.pieces(first)[:LONGEST_FIRST]]
            pieces = self._words.pieces(second)[: LONGEST - len(asked) - 3]
        opening, mark = self._words.numbers[OPENING], self._words.numbers[BREAK]
        numbers = [opening, *asked, mark, *(piece.number for piece in pieces), mark]
        begins = len(asked) + 2
        types = [0] * begins + [1] * (len(numbers) - begins)
        feed = {
            name: np.array([each], np.int64)
            for name, each in (("ids", numbers), ("types", types), ("mask", [1] * len(numbers)))
        }
        (spans,) = self._session.run(None, feed)
        own = spans[0, begins : begins + len(pieces)]
        return PairScores(pieces, own[:, 0], own[:, 1], float(spans[0, 0, 0] + spans[0, 0, 1]))


@cache
def network() -> Network:
    """The network of this process, loaded when it is first asked for."""
    return Network()
