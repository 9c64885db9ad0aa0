"""Text in pictures by Tesseract: its program, given a picture, tells each word with its place and its confidence.

The program is started for each picture, so that one that crashes or hangs takes nothing with it, and nothing has to
be installed for Python. One thread for each: the same picture then gives the same text, and pages do not fight for
processors.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean
from typing import Final

from provgraph.child_environment import child_environment
from provgraph.errors import TimedOut, Unavailable
from provgraph.ports.text_recogniser import RecognisedText, RecogniserProfile

PROGRAM: Final = "tesseract"
SECONDS: Final = 120
_LAYOUT: Final = "3"  # page segmentation: fully automatic, without orientation
_VERSION: Final = re.compile(r"^tesseract v?(\d\S*)", re.MULTILINE)
_COLUMNS: Final = 12  # level, page, block, paragraph, line, word, left, top, width, height, confidence, text
_WORD: Final = "5"  # the level of a word
_CUT_WORD: Final = re.compile(r"[^\W\d_]-\Z")


@dataclass(frozen=True)
class RecognisedWord:
    """`paragraph` and `line` number where the word stands; `confidence` is in per cent."""

    paragraph: tuple[str, ...]
    line: str
    confidence: float
    text: str


@dataclass(frozen=True)
class TesseractRecogniser:
    """Recognises in `languages`, as Tesseract names them ("eng", "deu"), with the program found on the path."""

    languages: tuple[str, ...] = ("eng",)
    seconds: float = SECONDS

    def profile(self) -> RecogniserProfile:
        """Version and languages. Raises `Unavailable` where the program or the data of a language is missing."""
        version = _VERSION.search(self._output_of("--version"))
        there = self._output_of("--list-langs").split("\n")[1:]
        missing = [language for language in self.languages if language not in there]
        if missing:
            raise Unavailable(
                f"Tesseract cannot read the language {missing[0]!r}. Install its data (Debian: apt install "
                f"tesseract-ocr-{missing[0].replace('_', '-')}), or set PROVGRAPH_OCR_LANGUAGES."
            )
        settings = f"languages={'+'.join(self.languages)} layout={_LAYOUT}"
        return RecogniserProfile(PROGRAM, f"{version[1] if version else 'unknown'} {settings}")

    def recognise(self, picture: bytes) -> RecognisedText:
        """The words of a PNG as paragraphs, parted by blank lines, and the mean of their confidences."""
        told = self._run(
            ["stdin", "stdout", "-l", "+".join(self.languages), "--dpi", "300", "--psm", _LAYOUT, "tsv"],
            picture,
        )
        recognised_words = words(told)
        return RecognisedText(
            text(recognised_words),
            fmean(word.confidence for word in recognised_words) / 100 if recognised_words else 0,
        )

    def _output_of(self, option: str) -> str:
        return self._run([option], b"")

    def _run(self, arguments: Sequence[str], given: bytes) -> str:
        program = shutil.which(PROGRAM)
        if program is None:
            raise Unavailable(
                "Text in pictures is recognised by Tesseract, which is not installed. Install it (Debian: apt install "
                "tesseract-ocr; macOS: brew install tesseract), or give a file with text in it."
            )
        try:
            ran = subprocess.run(
                [program, *arguments],
                input=given,
                capture_output=True,
                timeout=self.seconds,
                check=True,
                env=child_environment(OMP_THREAD_LIMIT="1"),
            )
        except subprocess.TimeoutExpired as error:
            raise TimedOut(
                f"Tesseract was not done with a picture after {self.seconds:g} s. Split the file, or scan it again."
            ) from error
        except (OSError, subprocess.CalledProcessError) as error:
            raise Unavailable(
                f"Tesseract failed ({_last_words(error)}). See whether it reads the file by itself: "
                "tesseract FILE stdout."
            ) from error
        return ran.stdout.decode(errors="replace")


def words(table: str) -> list[RecognisedWord]:
    """The words of Tesseract's table (TSV), in reading order."""
    rows = (row.split("\t") for row in table.split("\n"))
    return [
        RecognisedWord(tuple(row[1:4]), row[4], max(float(row[10]), 0), row[11].strip())
        for row in rows
        if len(row) == _COLUMNS and row[0] == _WORD and row[11].strip()
    ]


def text(recognised_words: Sequence[RecognisedWord]) -> str:
    """Words as paragraphs: lines joined by a space, and a word that a line end cuts made whole.

    Its hyphen stays where the page has the same word with one elsewhere.
    """
    whole = {word.text.casefold().strip(".,;:()") for word in recognised_words}
    paragraphs = []
    for _, standing in groupby(recognised_words, key=lambda word: word.paragraph):
        lines = [
            " ".join(word.text for word in line)
            for _, line in groupby(standing, key=lambda recognised_word: recognised_word.line)
        ]
        paragraphs.append(_joined(lines, whole))
    return "\n\n".join(paragraphs)


def _joined(lines: Sequence[str], whole: set[str]) -> str:
    said = lines[0]
    for line in lines[1:]:
        if not (_CUT_WORD.search(said) and line[0].islower()):
            said += f" {line}"
        elif f"{said.split()[-1]}{line.split()[0]}".casefold().strip(".,;:()") in whole:
            said += line
        else:
            said = said[:-1] + line
    return said


def _last_words(error: OSError | subprocess.CalledProcessError) -> str:
    if isinstance(error, OSError):
        return error.strerror or "it cannot be started"
    said = error.stderr.decode(errors="replace").strip().splitlines()
    return said[-1][:200] if said else f"exit status {error.returncode}"
