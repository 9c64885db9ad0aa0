"""Asks the teacher, a spaCy pipeline, for its reading of sentences cut by our own tokeniser:
`python training/teacher.py --sentences FILE --to FILE [--pipeline en_core_web_sm]`.

One JSON object a line: `source`, `document`, `words`, `spaces`, `tags` (Penn Treebank), `pos`, `lemmas`, `heads`,
`labels` (ClearNLP's; turned into Universal Dependencies when they are read) and `entities` (BIO, our coarse classes).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import spacy
from spacy.tokens import Doc

from provgraph.reading.parser.tokens import word_spans
from provgraph.reading.spacy_parser import entity_label, one_root

LONGEST = 80


def documents(vocab: Any, path: Path) -> Iterator[tuple[Doc, dict[str, str]]]:
    for line in path.read_text("utf-8").splitlines():
        item = json.loads(line)
        spans = word_spans(item["text"], 0, len(item["text"]))
        if 2 <= len(spans) <= LONGEST:
            words = [item["text"][start:end] for start, end in spans]
            spaces = [spans[i][1] < spans[i + 1][0] for i in range(len(spans) - 1)] + [False]
            starts = [True] + [False] * (len(words) - 1)
            yield Doc(vocab, words=words, spaces=spaces, sent_starts=starts), item


def reading(document: Doc) -> dict[str, Any]:
    heads = [-1 if token.head.i == token.i else token.head.i for token in document]
    heads, labels = one_root(heads, [token.dep_ for token in document])
    return {
        "words": [token.text for token in document],
        "spaces": [bool(token.whitespace_) for token in document],
        "tags": [token.tag_ for token in document],
        "pos": [token.pos_ for token in document],
        "lemmas": [token.lemma_ for token in document],
        "heads": heads,
        "labels": labels,
        "entities": [entity_label(token.ent_iob_, token.ent_type_) for token in document],
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sentences", type=Path, required=True)
    arguments.add_argument("--to", type=Path, required=True)
    arguments.add_argument("--pipeline", default="en_core_web_sm")
    options = arguments.parse_args()
    pipeline = spacy.load(options.pipeline)
    with options.to.open("w", encoding="utf-8") as file:
        for document, item in pipeline.pipe(
            documents(pipeline.vocab, options.sentences), as_tuples=True, batch_size=128
        ):
            silver = {"source": item["source"], "document": item["document"], **reading(document)}
            print(json.dumps(silver, ensure_ascii=False), file=file)


if __name__ == "__main__":
    main()
