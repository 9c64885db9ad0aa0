"""Phrases that questions and claims are made of, drawn from statements, names and lists of words."""

from __future__ import annotations

import random
from collections.abc import Sequence

from clauses import Clause, Piece, joined, word

ROLES = (
    "director author founder president capital mother father spouse wife husband child son daughter sibling "
    "brother sister owner producer screenwriter composer performer singer publisher developer manufacturer "
    "chairman leader head mayor governor editor creator designer inventor architect population area height "
    "length cost price revenue budget name nationality religion occupation birthplace headquarters location "
    "language currency genre record label company team club league country continent county state city river "
    "lake date year cause effect function purpose size age number percentage role result symptom treatment "
    "dose winner star narrator host sponsor rival successor predecessor"
).split()
KINDS = (
    "film book band song album company person country city town river team club university school magazine "
    "newspaper actor actress writer singer politician scientist player king queen building station island "
    "animal disease drug gene protein award war battle event organization government party game series show "
    "character author state"
).split()


class Phrases:
    """Draws phrases; all chance comes from one seed."""

    def __init__(self, clauses: list[Clause], names: list[Piece], seed: int) -> None:
        self.chance = random.Random(seed)
        self.clauses, self.names = clauses, names

    def pick(self, options: Sequence[str]) -> str:
        return self.chance.choice(options)

    def name(self) -> Piece:
        return self.chance.choice(self.names)

    def subject(self, piece: Piece) -> Piece:
        if self.chance.random() < 0.12:
            return self.role(self.chance.choice(self.clauses))
        return self.name() if piece.tags[-1] == "PRP" or self.chance.random() < 0.25 else piece

    def asked(self, parts: list[tuple[Piece, str, int]], mark: str = "?") -> Piece:
        root = next(place for place, (_, _, anchor) in enumerate(parts) if anchor == -1)
        if self.chance.random() < 0.88:
            parts = [*parts, (word(mark, "."), "punct", root)]
        return joined(parts)

    def some(self, after: list[tuple[Piece, str]]) -> list[tuple[Piece, str]]:
        return [part for part in after if part[1] != "obl" or self.chance.random() < 0.6]

    def which(self, kind: str | None = None) -> Piece:
        noun = kind or self.pick(KINDS)
        return joined([(word(self.pick(("which", "what")), "WDT"), "det", 1), (word(noun, "NN"), "", -1)])

    def finite(self, clause: Clause, verb_at: int) -> list[tuple[Piece, str, int]]:
        return [(word(*clause.auxiliary), "aux:pass", verb_at)] if clause.auxiliary else []

    def asked_of(self, asker: Piece) -> Piece:
        """ "which member of the band"."""
        return joined([(asker, "", -1), (self.of(self.name()), "nmod", 0)])

    def of(self, piece: Piece, preposition: str = "of") -> Piece:
        return joined([(word(preposition, "IN"), "case", 1), (piece, "", -1)])

    def helped(self, clause: Clause) -> tuple[tuple[str, str], tuple[str, str], str, str]:
        """The auxiliary of a question, its verb, and their relations: "did … found", "was … founded"."""
        if clause.auxiliary:
            return clause.auxiliary, (clause.verb, clause.tag), "aux:pass", "nsubj:pass"
        do = {"VBD": "did", "VBZ": "does", "VBP": "do"}[clause.tag]
        return (do, clause.tag), (clause.lemma, "VB"), "aux", "nsubj"

    def inverted(
        self, clause: Clause, asker: Piece | None, relation: str, after: list[tuple[Piece, str]]
    ) -> list[tuple[Piece, str, int]]:
        helper, verb, helping, subject = self.helped(clause)
        verb_at = 3 if asker else 2
        parts = [(asker, relation, verb_at)] if asker else []
        parts += [
            (word(*helper), helping, verb_at),
            (clause.subject, subject, verb_at),
            (word(*verb), "root", -1),
        ]
        return parts + [(piece, own, verb_at) for piece, own in after]

    def role(self, clause: Clause) -> Piece:
        """ "the director of Jaws", "Ada Novak's mother", "the mother of the woman who founded …"."""
        noun, draw = word(self.pick(ROLES), "NN"), self.chance.random()
        if draw < 0.25:
            owner = joined([(self.name(), "", -1), (word("'s", "POS"), "case", 0)])
            return joined([(owner, "nmod:poss", 1), (noun, "", -1)])
        inner = self.name() if draw < 0.5 else self.related(clause) if draw < 0.85 else self.role(clause)
        return joined([(word("the", "DT"), "det", 1), (noun, "", -1), (self.of(inner), "nmod", 1)])

    def related(self, clause: Clause) -> Piece:
        """ "the woman who founded the lab", "the city where the lab was founded", "the lab founded in Rome"."""
        if clause.passive and self.chance.random() < 0.5:
            inner = [(word(clause.verb, clause.tag), "", -1), *((p, r, 0) for p, r in clause.after[:2])]
            noun = word(self.pick(KINDS), "NN")
            return joined([(word("the", "DT"), "det", 1), (noun, "", -1), (joined(inner), "acl", 1)])
        helper = [(word(*clause.auxiliary), "aux:pass", 2)] if clause.auxiliary else []
        verb = word(clause.verb, clause.tag)
        after = [(piece, relation) for piece, relation in clause.after][:2]
        subject = "nsubj:pass" if clause.passive else "nsubj"
        if self.chance.random() < 0.5:
            at = 1 + len(helper)
            parts = [(word(self.pick(("who", "that", "which")), "WP"), subject, at)]
            relation = "acl:relcl"
        else:
            at = 2 + len(helper)
            parts = [(word("where", "WRB"), "advmod", at), (clause.subject, subject, at)]
            after = [part for part in after if part[1] != "obl"]
            relation = "acl:relcl"
        if parts[0][0].words[0] in {"that", "which"}:
            parts[0] = (word(parts[0][0].words[0], "WDT"), subject, at)
        inner = [*parts, *((p, r, at) for p, r, _ in helper), (verb, "", -1), *((p, r, at) for p, r in after)]
        noun = word(self.pick(KINDS), "NN")
        return joined([(word("the", "DT"), "det", 1), (noun, "", -1), (joined(inner), relation, 1)])

    def pair(self) -> Piece:
        second = joined([(word("or", "CC"), "cc", 1), (self.name(), "", -1)])
        return joined([(self.name(), "", -1), (second, "conj", 0)])
