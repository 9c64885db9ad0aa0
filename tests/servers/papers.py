"""Papers of the suite's own: short, in the words that papers use, and as real PDFs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import pymupdf


@dataclass(frozen=True)
class WrittenPaper:
    """`number` is its id on arXiv, with a version; `pages` are its text."""

    number: str
    title: str
    creators: tuple[str, ...]
    published: str
    abstract: str
    pages: tuple[str, ...]

    @property
    def pdf(self) -> bytes:
        return _pdf((f"{self.title}\n\n{', '.join(self.creators)}\n\n{self.abstract}", *self.pages))


LAYNET: Final = WrittenPaper(
    "2101.00001v1",
    "LayFormer: Transformers for Document Layout Analysis",
    ("Ada Lindgren", "Boris Okafor", "Chen Wei"),
    "2021-01-04",
    "Document layout analysis finds the regions of a page: text, tables, figures and "
    "titles. We present LayFormer, "
    "a transformer for document layout analysis. LayFormer is based on ResNet-50 and "
    "is trained on PubLayNet. LayFormer "
    "outperforms Mask R-CNN on document pages.",
    (
        "Document layout analysis is a first step of reading documents. Regions of a page are found and named. "
        "LayFormer was trained on PubLayNet and DocBank for twelve hours. On PubLayNet "
        "the mean average precision of "
        "LayFormer is 95.1. Mask R-CNN is compared with Faster R-CNN in the same layout experiments. "
        "The layout of a page guides the reading order of its regions and tables.",
    ),
)
TABLES: Final = WrittenPaper(
    "2102.00002v2",
    "TabReader: Reading Tables in Document Pages",
    ("Dana Petrov", "Ada Lindgren"),
    "2021-02-11",
    "Tables are regions of document pages that hold rows and columns. We present "
    "TabReader, which reads tables of "
    "document pages. TabReader is based on LayFormer and is trained on PubTabNet. TabReader outperforms TableFormer.",
    (
        "Table regions of document pages are found by document layout analysis. "
        "TabReader uses LayFormer to find the "
        "tables of a page and reads their rows and columns. TabReader was evaluated on "
        "PubTabNet and FinTabNet. The accuracy of TabReader on the tables of FinTabNet is 91 "
        "percent. Regions of a page that hold no table are left.",
    ),
)
PROTEINS: Final = WrittenPaper(
    "2103.00003v1",
    "Folding of Small Proteins in Cold Water",
    ("Erik Solberg",),
    "2021-03-20",
    "Proteins fold slowly in cold water. We measured the folding rate of twelve "
    "small proteins between zero and ten "
    "degrees.",
    (
        "The folding rate fell by half for each three degrees. Enzymes from arctic fish "
        "folded faster than enzymes from "
        "cattle. Salt slowed the folding of helices and left sheets unchanged.",
    ),
)
HOSTILE: Final = WrittenPaper(
    "2104.00004v1",
    "<img src=x onerror=alert(1)> \u202eParsing of Documents & Tables",
    ("Mallory </a><script>alert(2)</script>",),
    "2021-04-01",
    "Document layout analysis reads the regions, tables and titles of document pages. <b>Bold</b> claims are "
    "compared with LayFormer on document pages.",
    (
        "Document layout analysis of document pages is hard. Regions of a page, tables "
        "and their titles are read. "
        "A table region of a document page holds rows and columns.",
    ),
)
ALL: Final = (LAYNET, TABLES, PROTEINS, HOSTILE)


@lru_cache(maxsize=32)
def _pdf(pages: tuple[str, ...]) -> bytes:
    """A page for each text, in lines that fit."""
    with pymupdf.open() as document:  # type: ignore[no-untyped-call]
        for text in pages:
            page = document.new_page(width=595, height=842)
            page.insert_textbox(pymupdf.Rect(60, 60, 535, 780), text, fontsize=11)  # type: ignore[no-untyped-call]
        content: bytes = document.tobytes(no_new_id=True)
    return content
