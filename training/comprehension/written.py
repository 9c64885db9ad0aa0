"""Examples from the documents that were written for training (`benchmarks/written_documents.py` tells what they have):
`python training/comprehension/written.py --to written.json [--held]`.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from written_documents import written_documents

from provgraph.comprehension.windows import around
from provgraph.language.sentences import sentence_spans
from provgraph.language.terms import content_terms

SUPPORTED, REFUTED, NEITHER = range(3)
NEAREST = 2
TITLED, SHORT = 0.9, 0.3
"""How often a window begins with the title of its document, and how often a claim stands beside one sentence alone."""


class Document:
    """A document in sentences; windows of them are what the network reads."""

    def __init__(self, row: dict[str, Any]) -> None:
        self.row, self.text = row, row["text"]
        self.spans = [span for span in sentence_spans(self.text) if self.text[slice(*span)].strip()]
        self.words = [set(content_terms(self.text[slice(*span)])) for span in self.spans]

    def sentence(self, near: str) -> int | None:
        place = self.text.find(near)
        return next((i for i, (start, end) in enumerate(self.spans) if start <= place < end), None)

    def window(self, number: int, short: bool = False) -> tuple[int, int]:
        return self.spans[number] if short else around(self.text, self.spans, number)

    def nearest(self, said: str, most: int, without: int | None = None) -> list[int]:
        """The sentences that share most words with a question or claim."""
        asked = set(content_terms(said))
        numbers = [i for i in range(len(self.spans)) if i != without]
        return sorted(numbers, key=lambda i: -len(self.words[i] & asked) - 0.3 * random.random())[:most]

    def beside(self, start: int, end: int) -> tuple[str, int]:
        """The window as it is read, and how many characters its title takes."""
        lead = f"{self.row['title']}. " if random.random() < TITLED else ""
        return lead + self.text[start:end], len(lead)


NAMED, NAMED_UNANSWERED = 0.55, 0.45
"""How often a question is put with a name that its document has: so that as many questions with an answer have one as
without. Who wrote them named things mostly where nothing is said of them."""
LEFT_OUT = 0.6
"""Of the questions without an answer that name something, where few of those with an answer do."""
MOSTLY_NAMED = 0.5
ELSEWHERE, LOOKED_AT = 0.25, 12
"""How often a question that names something is put to another document, the one of so many that is most like it."""
_NAME = re.compile(r"[a-z,;] ((?:[A-ZÀ-Þ][\w'’-]+)(?: (?:of |de |the )?[A-ZÀ-Þ][\w'’-]+){0,3})")
_KIND = re.compile(
    r"\bthe (?:company|firm|group|club|society|trust|council|museum|school|hospital|station|town|village|city|island"
    r"|film|book|album|band|ship|vessel|machine|device|study|trial|report|agreement|contract|programme|project|festival)\b"
)


def has_name(question: str) -> bool:
    return bool(re.search(r"\s[A-ZÀ-Þ]", question))


class Naming:
    """Puts names of a document into questions, as one asks who does not have the text before him."""

    def __init__(self, document: Document) -> None:
        title = re.split(r"[:,;–(]| - ", document.row["title"])[0].strip()
        common = Counter(_NAME.findall(document.text)).most_common(2)
        self.names = [title, *(name for name, _ in common)]

    def put(self, question: str, answer: str, share: float) -> str:
        name = random.choice(self.names)
        if (
            has_name(question)
            or random.random() > share
            or name.lower() in answer.lower()
            or answer.lower() in name.lower()
        ):
            return question
        if _KIND.search(question) and random.random() < 0.7:
            return _KIND.sub(name, question, count=1)
        if random.random() < 0.75:
            return f"{question.rstrip(' ?')} {random.choice(('at', 'in', 'of', 'by', 'for'))} {name}?"
        return f"{name}: {question}"


def asked(document: Document, others: Sequence[Document]) -> Iterator[dict[str, Any]]:
    naming = Naming(document)
    written = document.row["questions"]
    named = [each for each in written if has_name(each["q"])]
    are_named = len(named) >= MOSTLY_NAMED * len(written)
    for each in written if are_named else written + named:
        question = naming.put(each["q"], each["answer"], NAMED)
        yield from _answered(document, question, each["answer"], each["near"])
        if has_name(question) and random.random() < ELSEWHERE:
            yield _elsewhere(document, question, others)
    for each in document.row["unanswerable"]:
        if are_named or not has_name(each) or random.random() > LEFT_OUT:
            question = naming.put(each, "-", NAMED_UNANSWERED)
            for other in document.nearest(question, NEAREST):
                yield _unanswered(document, question, *document.window(other))


def _elsewhere(document: Document, question: str, others: Sequence[Document]) -> dict[str, Any]:
    """Beside the sentence of another document that is most like the question."""
    some = [
        (other, other.nearest(question, 1)[0])
        for other in random.sample(others, LOOKED_AT)
        if other is not document
    ]
    terms = set(content_terms(question))
    other, number = max(some, key=lambda each: len(each[0].words[each[1]] & terms))
    return _unanswered(other, question, *other.window(number))


def _answered(document: Document, question: str, answer: str, near: str) -> Iterator[dict[str, Any]]:
    """Beside the sentence that has the answer, and beside those that are most like the question and have it not."""
    number = document.sentence(near)
    place = document.text.find(answer, document.spans[number][0]) if number is not None else -1
    if number is None or not 0 <= place < document.spans[number][1]:
        return
    for short in (False, True):
        start, end = document.window(number, short)
        text, lead = document.beside(start, end)
        at = place - start + lead
        if text[at : at + len(answer)] == answer:
            yield {"question": question, "text": text, "start": at, "end": at + len(answer)}
    for other in document.nearest(question, NEAREST, number):
        start, end = document.window(other)
        if answer.lower() in document.text[start:end].lower():
            start, end = document.window(other, short=True)
        if answer.lower() not in document.text[start:end].lower():
            yield _unanswered(document, question, start, end)


def _unanswered(document: Document, question: str, start: int, end: int) -> dict[str, Any]:
    return {"question": question, "text": document.beside(start, end)[0], "start": -1, "end": -1}


def claimed(document: Document) -> Iterator[dict[str, Any]]:
    for each in document.row["claims"]:
        number = document.sentence(each["near"])
        if number is None:
            continue
        text, _ = document.beside(*document.window(number, short=random.random() < SHORT))
        yield {"claim": each["true"], "text": text, "label": SUPPORTED, "kind": "written"}
        yield {"claim": each["false"], "text": text, "label": REFUTED, "kind": "written"}
        claim = random.choice((each["true"], each["false"]))
        far = [i for i in document.nearest(claim, len(document.spans)) if abs(i - number) > NEAREST + 1]
        if far:
            text, _ = document.beside(*document.window(random.choice((far[0], random.choice(far)))))
            yield {"claim": claim, "text": text, "label": NEITHER, "kind": "written"}
    for claim in document.row["open"]:
        for number in document.nearest(claim, NEAREST):
            text, _ = document.beside(*document.window(number))
            yield {"claim": claim, "text": text, "label": NEITHER, "kind": "written"}


def examples(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    documents = [Document(row) for row in rows]
    return {
        "questions": [row for each in documents for row in asked(each, documents)],
        "claims": [row for each in documents for row in claimed(each)],
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    arguments.add_argument("--to", type=Path, required=True)
    arguments.add_argument("--seed", type=int, default=7, help="of the names that are put into questions")
    arguments.add_argument(
        "--held", action="store_true", help="of the documents that are kept from the training"
    )
    options = arguments.parse_args()
    random.seed(options.seed)
    rows = written_documents(options.held)
    found = examples(rows)
    options.to.write_text(json.dumps(found), "utf-8")
    print(len(rows), len(found["questions"]), len(found["claims"]))


if __name__ == "__main__":
    main()
