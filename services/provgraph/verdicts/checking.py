"""The claims of an answer judged one by one, by the texts that were found for each.

The sources that a claim cites are asked first, the others where these do not decide. Pronouns stand for what the
answer, or the question that it answers, names before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from provgraph.reading.syntax import Parser
from provgraph.verdicts.answers import AnswerClaim, SplitAnswer, cited_sources, names_of, split_answer
from provgraph.verdicts.attributable import attributable
from provgraph.verdicts.claims import Claim
from provgraph.verdicts.judgement import EvidenceText, Judgement
from provgraph.verdicts.judging import Judge, judge_read
from provgraph.verdicts.masking import bare_title, shared_names, titles_of
from provgraph.verdicts.text_reading import text_meaning
from provgraph.verdicts.texts import TextMeaning
from provgraph.verdicts.verbatim import CONFIDENCE, said_verbatim

NOT_A_CLAIM: Final = "not a claim"
OTHERWISE: Final = "Another source says otherwise."
_SAYING: Final = frozenset(("VERB", "AUX"))
_NAME: Final = re.compile(
    r"[A-Z][\w'’.-]*(?:(?: (?:of|the|de|la|von|van|and|for|&|in|on))* [A-Z0-9][\w'’.-]*)*"
)
_POSSESSIVE: Final = re.compile(r"['’]s\Z|(?<![.?!])[.?!]+\Z")
_MOST_KEPT: Final = 1_024


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim with its verdict. `cited_alone` is the verdict by the sources that it cites, None where it cites none.

    `attributable` is how likely a reader would say that the claim is from these sources, 0 to 1.
    """

    claim: AnswerClaim
    judgement: Judgement
    cited_alone: Judgement | None = None
    attributable: float = 0.0


class AnswerJudge:
    """Judges the claims of one answer. `texts` are all that may be asked: names are told by them.

    Not for two threads at once. `step` is called before each text that is read.
    """

    def __init__(
        self,
        answer: SplitAnswer,
        parser: Parser,
        texts: Sequence[EvidenceText] = (),
        question: str = "",
        step: Callable[[], None] = lambda: None,
    ) -> None:
        self._answer = answer
        self._parser = parser
        self._texts = texts
        self._question = question
        self._judge = Judge(parser, keep=_MOST_KEPT)
        self.step = step

    def judged(
        self, number: int, cited: Sequence[EvidenceText], others: Sequence[EvidenceText]
    ) -> CheckedClaim:
        """The claim of that number, by the texts that it cites, and where these do not decide by all of them."""
        claim = self._answer.claims[number]
        if not claim.why_no_claim and (verbatim := said_verbatim(claim.text, cited or others, claim.start)):
            return CheckedClaim(claim, verbatim, verbatim if cited else None, CONFIDENCE)
        if reason := claim.why_no_claim or self._nothing_said(number):
            return CheckedClaim(claim, _no_claim(reason))
        read = Claim(self._answer.plain, _sentence(self._read, number + self._first))
        by_cited = judge_read(read, self._meanings(cited)) if cited else None
        texts = list(cited)
        if by_cited is not None and (by_cited.label == "SUPPORTS" or not others):
            judgement = by_cited
        else:
            texts += others
            by_all = judge_read(read, self._meanings(texts))
            judgement = by_all
            if by_cited is not None and by_cited.label != "NOT ENOUGH INFO":
                notes = (OTHERWISE,) if by_all.label == "SUPPORTS" else ()
                judgement = replace(by_cited, notes=(*by_cited.notes, *notes))
        chance = attributable(claim.text, self._meanings(texts), judgement)
        return CheckedClaim(claim, judgement, by_cited, chance)

    def _meanings(self, texts: Sequence[EvidenceText]) -> list[TextMeaning]:
        meanings = []
        for text in texts:
            self.step()
            meanings.append(self._judge.meaning(text, self._quoted))
        self.step()
        return meanings

    def _nothing_said(self, number: int) -> str:
        sentence = self._read.parsed[number + self._first]
        if any(token.pos in _SAYING for token in sentence.tokens):
            return ""
        return "It is not a sentence: it has no verb."

    # the answer as one text

    @property
    def _first(self) -> int:
        """How many sentences are read before those of the answer."""
        return 1 if self._topic else 0

    @cached_property
    def _read(self) -> TextMeaning:
        self.step()
        plain, spans = self._answer.plain, [(claim.start, claim.end) for claim in self._answer.claims]
        if self._topic:
            begins = len(plain) + 1
            plain += f"\n{self._topic} exists."
            spans = [(begins, len(plain)), *spans]
        named = [name for text in self._texts for name in (bare_title(text), *titles_of(text.text))]
        names = [name for name in named if name and name in plain]
        return text_meaning(EvidenceText("", plain, sentences=spans), self._parser, [*names, *self._shared])

    @cached_property
    def _shared(self) -> tuple[str, ...]:
        return tuple(shared_names(self._answer.plain, [text.text for text in self._texts]))

    @cached_property
    def _quoted(self) -> tuple[str, ...]:
        return (*titles_of(self._answer.plain), *self._shared)

    @cached_property
    def _topic(self) -> str:
        """What the question is about: the title of a text that it names, else the first name in it."""
        titles = [bare_title(text) for text in self._texts]
        named = [title for title in titles if len(title) > 3 and title in self._question]
        return max(named, key=len, default="") or next(_names(self._question), "")


def _names(question: str) -> Iterator[str]:
    """The names in a question: runs of capitalised words, but for the word that it begins with."""
    for match in _NAME.finditer(question):
        name = match.group()
        if match.start() == 0:
            _, _, name = name.partition(" ")
        if name[:1].isupper() and len(name) > 1:
            yield _POSSESSIVE.sub("", name)


def _no_claim(reason: str) -> Judgement:
    return Judgement("NOT ENOUGH INFO", 1.0, missing=reason, notes=(NOT_A_CLAIM,))


def _sentence(whole: TextMeaning, number: int) -> TextMeaning:
    """What one sentence of the answer says, with what its pronouns stand for."""
    meanings = [meaning for meaning in whole.meanings if meaning.number == number]
    statements = [statement for statement in whole.statements if statement.sentence == number]
    return TextMeaning(whole.evidence, [whole.parsed[number]], meanings, statements)


def check_answer(
    answer: str, sources: Sequence[EvidenceText], parser: Parser, question: str = ""
) -> Iterator[CheckedClaim]:
    """The claims of an answer by sources that are read whole, each as soon as it is judged."""
    split = split_answer(answer)
    judge, names = AnswerJudge(split, parser, sources, question), [names_of(text) for text in sources]
    for number, claim in enumerate(split.claims):
        cited = cited_sources(claim, split.notes, names)
        others = [source for at, source in enumerate(sources) if at not in cited]
        yield judge.judged(number, [sources[at] for at in cited], others)
