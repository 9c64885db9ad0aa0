"""Questions with answers, and claims with labels, from SQuAD's paragraphs:
`python training/comprehension/examples.py --squad train-v1.1.json --to examples.json [--paragraphs 8000]`.

A question stands beside sentences that answer it, or beside others of its article that do not. A claim is a question
and its answer as one statement (`statements.py`) or a sentence of the paragraph; it is made false, or more than is
said, by one change. Labels: 0 supported, 1 refuted, 2 neither, 3 not supported (nobody knows which of the two).
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import spacy
from statements import statement

SUPPORTED, REFUTED, NEITHER, NOT_SUPPORTED = range(4)
COUNTS = {"CARDINAL", "MONEY", "PERCENT", "QUANTITY", "ORDINAL"}
PLACES = {"GPE", "LOC", "FAC", "NORP", "ORG"}
CHANGED = 0.6
"""How often a number or date is changed by its digits rather than for another of the text."""
DOUBTS = {
    "was": (" may have been ", " was expected to be ", " was rumoured to be "),
    "were": (" may have been ", " were expected to be "),
    "is": (" may be ", " is planned to be ", " is said to be "),
    "are": (" may be ", " are planned to be "),
}


SHARES = {
    "true": 34, "another answer": 24, "denied": 5, "not said near": 15, "not said elsewhere": 6, "another subject": 7,
    "more is said": 4, "doubted": 2.5, "sharper": 2.5,
}  # fmt: skip
"""How often a question is made a claim of each kind."""


def group(label: str) -> str:
    return "NUMBER" if label in COUNTS else "PLACE" if label in PLACES else label


@dataclass
class Paragraph:
    title: str
    document: Any
    sentences: Sequence[Any]
    questions: Sequence[dict[str, Any]]
    names: list[tuple[str, str]] = field(default_factory=list)
    words: set[str] = field(default_factory=set)

    @property
    def text(self) -> str:
        return str(self.document.text)

    def sentence_at(self, place: int) -> int | None:
        return next((i for i, s in enumerate(self.sentences) if s.start_char <= place < s.end_char), None)


def paragraphs_of(path: Path, most: int, pipeline: Any) -> list[list[Paragraph]]:
    """About `most` paragraphs, as many of each article, article by article."""
    articles = json.loads(path.read_text("utf-8"))["data"]
    random.shuffle(articles)
    each = most // len(articles) + 1
    chosen = [
        (a["title"].replace("_", " "), random.sample(a["paragraphs"], min(each, len(a["paragraphs"]))))
        for a in articles
    ]
    parsed = iter(pipeline.pipe((p["context"] for _, some in chosen for p in some), batch_size=64))
    found = []
    for title, some in chosen:
        article = []
        for paragraph in some:
            document = next(parsed)
            names = [(e.text, group(e.label_)) for e in document.ents]
            sentences = [s for s in document.sents if s.text.strip()]
            article.append(Paragraph(title, document, sentences, paragraph["qas"], names, content(document)))
        found.append(article)
    return found


def content(tokens: Any) -> set[str]:
    return {t.lemma_.lower() for t in tokens if t.is_alpha and not t.is_stop}


def window(paragraph: Paragraph, at: int, most: int) -> tuple[str, int]:
    """A sentence with up to two before and two after, at most `most` words; where it begins in the paragraph."""
    first = last = at
    counts = [len(s.text.split()) for s in paragraph.sentences]
    words = counts[at]
    for step, steps in ((-1, random.choice((0, 0, 1, 1, 2))), (1, random.choice((0, 0, 1, 1, 2)))):
        for _ in range(steps):
            following = (first if step < 0 else last) + step
            if not 0 <= following < len(counts) or words + counts[following] > most:
                break
            words += counts[following]
            first, last = min(first, following), max(last, following)
    start = paragraph.sentences[first].start_char
    return paragraph.text[start : paragraph.sentences[last].end_char], start


def titled(paragraph: Paragraph, text: str) -> str:
    return f"{paragraph.title}. {text}" if random.random() < 0.6 else text


@dataclass
class Examples:
    questions: list[dict[str, Any]] = field(default_factory=list)
    claims: list[dict[str, Any]] = field(default_factory=list)

    def claim(self, text: str | None, paragraph: Paragraph, beside: str, label: int, kind: str) -> None:
        if text and 3 <= len(text.split()) <= 40:
            self.claims.append(
                {"claim": text, "text": titled(paragraph, beside), "label": label, "kind": kind}
            )

    def question(self, text: str, paragraph: Paragraph, beside: str, start: int, length: int) -> None:
        whole = titled(paragraph, beside)
        at = start + len(whole) - len(beside) if start >= 0 else -1
        end = at + length if start >= 0 else -1
        self.questions.append({"question": text, "text": whole, "start": at, "end": end})


class Maker:
    """Makes the examples of one article."""

    def __init__(self, article: Sequence[Paragraph], examples: Examples) -> None:
        self.article, self.examples = article, examples
        self.names = [name for paragraph in article for name in paragraph.names]

    def of_question(self, paragraph: Paragraph, record: dict[str, Any], question: Any) -> None:
        answer = record["answers"][0]
        text, place = answer["text"], answer["answer_start"]
        at = paragraph.sentence_at(place)
        if at is None:
            return
        if random.random() < 0.3:
            beside = self.without(paragraph, at, text, question)
            if beside:
                self.examples.question(question.text, paragraph, beside, -1, 0)
        else:
            beside, start = window(paragraph, at, 95)
            if beside[place - start : place - start + len(text)] == text:
                self.examples.question(question.text, paragraph, beside, place - start, len(text))
        claim = statement(question, text)
        if claim:
            self.of_claim(paragraph, at, claim, question, text, place)

    def of_claim(
        self, paragraph: Paragraph, at: int, claim: str, question: Any, text: str, place: int
    ) -> None:
        """One claim made of a question and its answer: true, false by one change, or not said."""
        kind = random.choices(list(SHARES), list(SHARES.values()))[0]
        beside, _ = window(paragraph, at, 80)
        made: str | None = claim
        label = NOT_SUPPORTED
        match kind:
            case "true":
                label = SUPPORTED
            case "another answer":
                other, known = self.other_answer(paragraph, question, text, place)
                made, label = (statement(question, other) if other else None), REFUTED if known else label
            case "denied":
                made, label = denied(claim), REFUTED
            case "not said near" | "not said elsewhere":
                elsewhere = self.without(paragraph, at, text, question, near=kind == "not said near")
                made, beside, label = claim if elsewhere else None, elsewhere or "", NEITHER
            case "another subject":
                made = self.other_name(paragraph, question, claim)
            case "more is said":
                made = self.with_more(paragraph, claim)
            case "doubted":
                beside = doubted(paragraph.sentences[at].text) or ""
                made = claim if beside else None
            case "sharper":
                made = sharper(claim)
        self.examples.claim(made, paragraph, beside, label, kind)

    def with_more(self, paragraph: Paragraph, claim: str) -> str | None:
        """The claim with a time or place that the paragraph does not have."""
        new = [
            name
            for name, kind in self.names
            if kind in ("DATE", "PLACE") and name not in paragraph.text and len(name.split()) < 4
        ]
        return f"{claim[:-1]} in {random.choice(new)}." if new else None

    def other_answer(
        self, paragraph: Paragraph, question: Any, text: str, place: int
    ) -> tuple[str | None, bool]:
        """Another answer of the same kind, and whether the kind is known."""
        kinds = [
            group(e.label_) for e in paragraph.document.ents
            if (e.start_char <= place and place + len(text) <= e.end_char + 1)
            or (e.start_char >= place - 4 and e.end_char <= place + len(text) + 1)
        ]  # fmt: skip
        if not kinds:
            phrases = [
                n.text for n in paragraph.document.noun_chunks
                if len(n.text.split()) <= 5 and n.root.pos_ != "PRON" and not shares(n.text, text, question.text)
            ]  # fmt: skip
            return (random.choice(phrases) if phrases else None), False
        other = digits_changed(text) if kinds[0] in ("NUMBER", "DATE") and random.random() < CHANGED else None
        return other or self.of_kind(kinds[0], paragraph, text, question.text), True

    def of_kind(self, kind: str, paragraph: Paragraph, *said: str) -> str | None:
        for names in (paragraph.names, self.names):
            new = [n for n, g in names if g == kind and not shares(n, *said)]
            if new:
                return random.choice(new)
        return None

    def other_name(self, paragraph: Paragraph, question: Any, claim: str) -> str | None:
        names = [e for e in question.ents if e.text in claim]
        if not names:
            return None
        name = random.choice(names)
        kind = group(name.label_)
        other = digits_changed(name.text) if kind in ("NUMBER", "DATE") and random.random() < 0.5 else None
        other = other or self.of_kind(kind, paragraph, name.text, claim)
        return claim.replace(name.text, other, 1) if other else None

    def without(
        self, paragraph: Paragraph, at: int, text: str, question: Any, near: bool | None = None
    ) -> str | None:
        """Sentences that speak of what the question does and do not have the answer."""
        asked = content(question)

        def nearest(some: Paragraph, places: Sequence[int]) -> int:
            return max(places, key=lambda i: len(content(some.sentences[i]) & asked) + 0.4 * random.random())

        if near is None:
            near = random.random() < 0.4
        chosen, places = paragraph, [i for i in range(len(paragraph.sentences)) if i != at]
        if not near:
            others = [
                p
                for p in self.article
                if p is not paragraph and text.lower() not in p.text.lower() and p.sentences
            ]
            if not others:
                return None
            chosen = max(others, key=lambda p: len(p.words & asked) + 0.9 * random.random())
            places = list(range(len(chosen.sentences)))
        if not places:
            return None
        beside, _ = window(chosen, nearest(chosen, places), 60)
        hidden = text.lower() not in beside.lower() and paragraph.sentences[at].text not in beside
        return beside if hidden else None

    def of_sentence(self, paragraph: Paragraph) -> None:
        """A sentence as a claim: as it is, with one change, or beside another text."""
        good = [i for i, s in enumerate(paragraph.sentences) if is_claim(s)]
        if not good:
            return
        at = random.choice(good)
        sentence = paragraph.sentences[at]
        beside, _ = window(paragraph, at, 80)
        add, chance, text = self.examples.claim, random.random(), sentence.text.strip()
        if chance < 0.3:
            add(shortened(text), paragraph, beside, SUPPORTED, "sentence")
        elif chance < 0.6:
            name = random.choice(list(sentence.ents))
            kind = group(name.label_)
            other = (
                digits_changed(name.text)
                if kind in ("NUMBER", "DATE")
                else self.of_kind(kind, paragraph, name.text, text)
            )
            add(
                text.replace(name.text, other, 1) if other else None,
                paragraph,
                beside,
                REFUTED,
                "sentence, one name",
            )
        elif chance < 0.7:
            add(denied(text), paragraph, beside, REFUTED, "sentence, denied")
        elif chance < 0.8:
            add(exchanged(sentence), paragraph, beside, REFUTED, "sentence, exchanged")
        elif len(self.article) > 1:
            other_one = random.choice([p for p in self.article if p is not paragraph])
            if other_one.sentences:
                beside, _ = window(other_one, random.randrange(len(other_one.sentences)), 80)
                add(text, paragraph, beside, NEITHER, "sentence, elsewhere")


def shares(one: str, *others: str) -> bool:
    return any(one.lower() in other.lower() or other.lower() in one.lower() for other in others)


def digits_changed(text: str) -> str | None:
    """Another number or year in the place of one."""
    numbers = list(re.finditer(r"\d[\d,.]*\d|\d", text))
    if not numbers:
        return None
    match = random.choice(numbers)
    old = match.group()
    if re.fullmatch(r"1[5-9]\d\d|20[0-3]\d", old):
        new = str(int(old) + random.choice((-30, -11, -10, -5, -3, -2, -1, 1, 2, 3, 4, 9, 10, 12, 20)))
    else:
        at = random.choice([i for i, c in enumerate(old) if c.isdigit()][:2])
        digit = str((int(old[at]) + random.randint(1, 9)) % 10)
        new = old[:at] + ("4" if digit == "0" and at == 0 else digit) + old[at + 1 :]
    return text[: match.start()] + new + text[match.end() :] if new != old else None


def denied(text: str) -> str | None:
    match = re.search(r"\b(?:was|were|is|are|had|has|have|can|could|will|would|did|does)\b(?! not)", text)
    return f"{text[: match.end()]} not{text[match.end() :]}" if match else None


def doubted(text: str) -> str | None:
    match = re.search(r" (was|were|is|are) ", text)
    return text[: match.start()] + random.choice(DOUBTS[match[1]]) + text[match.end() :] if match else None


def sharper(text: str) -> str | None:
    match = re.search(r"\b(?:an?|one of the) ", text[1:])
    if match is None:
        return None
    word = random.choice(("the only ", "the first ", "the largest "))
    return text[: match.start() + 1] + word + text[match.end() + 1 :]


def is_claim(sentence: Any) -> bool:
    open_start = sentence[0].pos_ in ("PRON", "DET", "ADV", "SCONJ", "CCONJ")
    return 6 <= len(sentence.text.split()) <= 26 and not open_start and len(sentence.ents) > 0


def shortened(text: str) -> str:
    """Without what stands in brackets and without a last clause that adds something."""
    bare = re.sub(r" \([^)]*\)", "", text)
    return re.sub(r", (?:which|who|where|with|including|such as|although|while)\b[^,]*[.,]?$", ".", bare)


def exchanged(sentence: Any) -> str | None:
    """Two names of one kind in each other's place, where they are not members of one list."""
    text = sentence.doc.text
    names = [e for e in sentence.ents if group(e.label_) in ("PERSON", "PLACE")]
    pairs = [
        (a, b) for a in names for b in names
        if a.start < b.start and group(a.label_) == group(b.label_) and a.text != b.text
        and not re.fullmatch(r"[\s,]*(?:and|or|&)?[\s,]*(?:the )?", text[a.end_char : b.start_char])
    ]  # fmt: skip
    if not pairs:
        return None
    a, b = random.choice(pairs)
    before, after = text[sentence.start_char : a.start_char], text[b.end_char : sentence.end_char]
    return (before + b.text + text[a.end_char : b.start_char] + a.text + after).strip()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--squad", type=Path, required=True)
    options.add_argument("--to", type=Path, required=True)
    options.add_argument("--paragraphs", type=int, default=8000)
    options.add_argument("--pipeline", default="en_core_web_sm")
    options.add_argument("--seed", type=int, default=7)
    chosen = options.parse_args()
    random.seed(chosen.seed)
    pipeline = spacy.load(chosen.pipeline)
    articles = paragraphs_of(chosen.squad, chosen.paragraphs, pipeline)
    texts = (q["question"].strip() for article in articles for p in article for q in p.questions)
    questions = iter(pipeline.pipe(texts, batch_size=256))
    examples = Examples()
    for article in articles:
        maker = Maker(article, examples)
        for paragraph in article:
            for record in paragraph.questions:
                maker.of_question(paragraph, record, next(questions))
            maker.of_sentence(paragraph)
    random.shuffle(examples.questions)
    random.shuffle(examples.claims)
    chosen.to.write_text(json.dumps({"questions": examples.questions, "claims": examples.claims}), "utf-8")
    kinds = Counter(each["kind"] for each in examples.claims)
    print(len(examples.questions), len(examples.claims), dict(kinds))


if __name__ == "__main__":
    main()
