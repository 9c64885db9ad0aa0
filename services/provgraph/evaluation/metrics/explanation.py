"""The quality of an explanation: what the citations of an answer are worth.

Whether words support a sentence is told by `answering.overlap`: the share of its content words that they have is at
least 0.6, and they have all of its names and numbers. It is the check that the service makes of what a model writes,
made anew here from what a client gets to see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from provgraph.evaluation.metrics.case import Case
from provgraph.evaluation.metrics.correctness import refuses
from provgraph.evaluation.questions import GoldEvidence
from provgraph.evaluation.replies import FAILED, WITHOUT, Cited, ReplySentence
from provgraph.evaluation.wording import normalised, without_notes
from provgraph.language.overlap import ENOUGH, overlap
from provgraph.language.terms import content_terms, terms


def grounding(case: Case) -> float | None:
    """Share of the answer's sentences that the characters they cite support; a sentence without citations counts as
    unsupported (citation recall of ALCE, Gao et al. 2023, section 4; attribution, Rashkin et al. 2023)."""
    sentences = _sentences(case)
    return _share(_supported(case, each, each.cited) for each in sentences)


def explanation_precision(case: Case) -> float | None:
    """Of the sentences that cite, the share that the cited characters support: is an explanation that is given true?"""
    return _share(_supported(case, each, each.cited) for each in _sentences(case) if each.cited)


def citation_precision(case: Case) -> float | None:
    """Of all citations, the share that is needed: the sentence is supported, and the citation supports it alone or the
    others do not without it (ALCE, Gao et al. 2023, section 4)."""
    return _share(
        _supported(case, sentence, sentence.cited)
        and (
            _supported(case, sentence, [cited])
            or not _supported(case, sentence, [*sentence.cited[:index], *sentence.cited[index + 1 :]])
        )
        for sentence in _sentences(case)
        for index, cited in enumerate(sentence.cited)
    )


def explanation_recall(case: Case) -> float | None:
    """Share of the gold evidence that is cited: of a gold sentence, at least 0.6 of its content words are in the
    characters cited from its passage; of a gold passage without a sentence, anything is (the recall of rationales of
    ERASER, DeYoung et al. 2020, section 4, and of HotpotQA's supporting facts). 0 for a refusal."""
    if case.reply.sentences is None or case.reply.outcome == FAILED:
        return None
    return _share(_is_cited(gold, case.reply.cited) for gold in case.question.evidence)


def faithfulness(case: Case) -> float | None:
    """Whether the answer changes when the cited edges are taken away: it is refused, another label, or another text.
    What does not change was not made from what it cites (comprehensiveness of ERASER, DeYoung et al. 2020, section 4,
    in the graph and not in the input). None for a refusal, and where a flow cannot leave anything out."""
    other = case.others.get(WITHOUT)
    if other is None or FAILED in (other.outcome, case.reply.outcome) or refuses(case.reply):
        return None
    if case.reply.label and other.label:
        return float(case.reply.label != other.label or _said(case.reply.text) != _said(other.text))
    return float(refuses(other) or _said(case.reply.text) != _said(other.text))


def span_exactness(case: Case) -> float | None:
    """Share of citations whose page, fetched from the service, has the cited text exactly from `start` to `end`."""
    return _share(cited.exact for cited in case.reply.cited if cited.exact is not None)


def _sentences(case: Case) -> Sequence[ReplySentence]:
    """What words can support: of a verdict, not the sentence that states the label."""
    if case.reply.sentences is None or case.reply.outcome == FAILED or refuses(case.reply):
        return ()
    label = case.reply.label
    return [
        each
        for each in case.reply.sentences
        if not label or not case.reply.sentence_text(each).lstrip().startswith(label)
    ]


def _supported(case: Case, sentence: ReplySentence, cited: Sequence[Cited]) -> bool:
    known = {term for each in cited for text in (each.title, each.text) for term in terms(text)}
    return bool(cited) and overlap(without_notes(case.reply.sentence_text(sentence)), known)[1]


def _is_cited(gold: GoldEvidence, cited: Sequence[Cited]) -> bool:
    own = [each for each in cited if not gold.passage or each.passage == gold.passage]
    if not gold.text:
        return bool(own)
    wanted = set(content_terms(gold.text))
    said = {term for each in own for term in terms(each.text)}
    return bool(wanted) and len(wanted & said) / len(wanted) >= ENOUGH


def _said(text: str) -> str:
    return normalised(without_notes(text))


def _share(found: Iterable[bool]) -> float | None:
    values = list(found)
    return sum(values) / len(values) if values else None
