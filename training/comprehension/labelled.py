"""Claims that people labelled, each beside the sentences that decide it or that are nearest to it:
`python training/comprehension/labelled.py --data DATA --to labelled.json`. Every other row; the rest measures."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from verdicts import LABELS, UNKNOWN, Case, fever, fever_gold, scifact

from provgraph.comprehension.windows import around
from provgraph.language.sentences import sentence_spans
from provgraph.language.terms import content_terms

NEAREST = 2


def nearest(claim: str, text: str) -> str:
    """The sentences that share most words with a claim."""
    spans, asked = list(sentence_spans(text)), set(content_terms(claim))
    number = max(range(len(spans)), key=lambda i: len(asked & set(content_terms(text[slice(*spans[i])]))))
    start, end = around(text, spans, number)
    return text[start:end]


def rows(case: Case, texts: int) -> Iterator[dict[str, Any]]:
    for evidence in case.evidence[:texts]:
        if evidence.text.strip():
            text = nearest(case.claim, evidence.text)
            yield {"claim": case.claim, "text": text, "label": LABELS.index(case.label), "kind": "labelled"}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--to", type=Path, required=True)
    options = arguments.parse_args()
    folder, claims = options.data / "verify", []
    unknown = [case for case in list(fever(folder))[::2] if case.label == UNKNOWN]
    given = [case for case in fever_gold(folder) if case.looked_at]
    for case in given + list(scifact(folder))[::2]:
        claims += rows(case, 1)
    for case in unknown:
        claims += rows(case, NEAREST)
    options.to.write_text(json.dumps({"claims": claims}), "utf-8")
    print(len(claims))


if __name__ == "__main__":
    main()
