"""Sentences drawn at random from PDFs: whether they are the printed words, with nothing spliced in.

    python benchmarks/printed_sentences.py --data DIR [--sentences 200] [--seed 1]

`--data` holds pdf/ and finance/pdf/. A sentence is whole where its characters, white space and hyphens aside, follow
one another in MuPDF's plain text of the page, in the order of its blocks. Those that do not are printed for a person to
judge, for a sentence may rightly go over a column's end. Printed last: how many of the sentences were whole.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pymupdf

from provgraph.documents.reading import open_documents
from provgraph.documents.tables import row_spans
from provgraph.errors import ProvGraphError
from provgraph.language.sentences import sentence_spans

LEAST_WORDS = 5
_PASSED_OVER = re.compile(r"[\W_]+")


def sentences(path: Path) -> Iterator[tuple[Path, int, str]]:
    """Sentences of a file outside of its tables, each with its page; none of one that cannot be read."""
    try:
        for document in open_documents(path.read_bytes(), path.name):
            for page in document.pages():
                rows = list(row_spans(page.text))
                for start, end in sentence_spans(page.text):
                    in_table = any(first < end and start < last for first, last in rows)
                    text = page.text[start:end]
                    if not in_table and len(text.split()) >= LEAST_WORDS:
                        yield path, page.number, text
    except ProvGraphError:
        return


def is_whole(path: Path, number: int, text: str) -> bool:
    with pymupdf.open(path) as document:  # type: ignore[no-untyped-call]
        printed = document[number - 1].get_text("text")
    return _bare(text) in _bare(printed)


def _bare(text: str) -> str:
    return _PASSED_OVER.sub("", text)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder that holds pdf/ and finance/")
    parser.add_argument("--sentences", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    files = sorted([*(options.data / "pdf").glob("*.pdf"), *(options.data / "finance" / "pdf").glob("*.pdf")])
    every = [each for path in files for each in sentences(path)]
    chosen = random.Random(options.seed).sample(every, min(options.sentences, len(every)))
    parted = [each for each in chosen if not is_whole(*each)]
    for path, number, text in parted:
        print(f"{path.name}, page {number}: {text}")
    print(json.dumps({"sentences": len(chosen), "whole": len(chosen) - len(parted)}))


if __name__ == "__main__":
    main()
