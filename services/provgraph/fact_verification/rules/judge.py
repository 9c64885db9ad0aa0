"""The judge without a model."""

from __future__ import annotations

from provgraph.fact_verification.judgement import Argument, Judged, Material
from provgraph.language.terms import content_terms
from provgraph.provenance.verification_trace import Judgement, Label, Stance


class RuleJudge:
    async def judged(self, material: Material) -> Judged:
        asked = set(content_terms(material.claim))
        best = max(
            (
                (len(asked & set(content_terms(words.text))) / (len(asked) or 1), -i, words)
                for i, p in enumerate(material.passages)
                for words in p.sentences
            ),
            key=lambda x: x[:2],
            default=None,
        )
        if best is None or best[0] < 0.6:
            return Judged(
                Judgement(Label.NOT_ENOUGH_INFO, 0.5, best[0] if best else 0.0), "nothing covers it."
            )
        a = Argument(Stance.FOR, -best[1], best[2], "words", best[0])
        return Judged(Judgement(Label.SUPPORTS, best[0], best[0]), "the words are there.", (a,))
