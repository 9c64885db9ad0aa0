"""The clauses of a sentence: each verb or predicate noun with its roles, whether it is denied, and how it is meant.

Passive and active give the same roles: "A" does, "P" is done to, "R" receives, "C" is what it is made into or called,
"@in" and its like are the complements of prepositions. What a clause leaves out (the subject of a relative clause, of
a coordinated verb, of a participle) is filled in from the clause above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from provgraph.reading.clause_manner import ClauseManner, is_denied_alone
from provgraph.reading.clause_subjects import RELATIVE_WORDS, ClauseSubjects
from provgraph.reading.phrases import Phrases
from provgraph.reading.propositions import Modality, Tense
from provgraph.reading.relations import vocabulary
from provgraph.reading.syntax import ParsedSentence, Token

_PLAIN_ROLES: Final = {"iobj": "R", "obl:agent": "A", "obl:tmod": "@"}
_MOST_JOINED: Final = 8
"""Verbs that share what stands behind the last of them."""
_ASKING: Final = {"where": "@in", "when": "@in", "why": "@because of", "how": "@by"}


@dataclass(frozen=True)
class Clause:
    """`lemma` includes the particle ("set up"); of a copula it is "be", and `complement` what the subject is said to
    be. `roles` hold phrases' heads. `loose` are prepositional phrases inside the object or another phrase, which a
    parser may have hung too low: they count where nothing better is there. `governs` says that another clause is
    its object."""

    head: Token
    lemma: str
    roles: dict[str, list[Token]] = field(default_factory=dict)
    loose: dict[str, list[Token]] = field(default_factory=dict)
    complement: Token | None = None
    passive: bool = False
    words: tuple[Token, ...] = ()
    polarity: bool = True
    modality: Modality = "asserted"
    tense: Tense = ""
    speaker: Token | None = None
    inherited: bool = False
    main: bool = True
    governs: bool = False


class ClauseReader:
    """Reads the clauses of one parsed sentence."""

    def __init__(self, phrases: Phrases) -> None:
        self._phrases = phrases
        self._sentence: ParsedSentence = phrases.sentence
        self._subjects = ClauseSubjects(phrases)
        self._manner = ClauseManner(phrases, self._subjects)

    def clauses(self) -> Iterator[Clause]:
        for token in self._sentence.tokens:
            if self._is_predicate(token):
                yield self._clause(token)

    def _is_predicate(self, token: Token) -> bool:
        if token.index in self._phrases.runs:
            return False
        if token.index in self._subjects.copulas:
            return True
        if token.pos == "AUX" and token.relation in ("root", "conj", "ccomp", "advcl", "acl:relcl"):
            return any(c.relation.startswith("nsubj") for c in self._phrases.children(token))
        if token.pos != "VERB" or token.relation in (
            "amod",
            "compound",
            "case",
            "cop",
            "mark",
            "fixed",
            "flat",
        ):
            return False
        return not (token.relation in ("obl", "nmod") and token.lemma.lower() == "accord")

    def _clause(self, head: Token) -> Clause:
        copula = self._subjects.copulas.get(head.index)
        passive = copula is None and self._subjects.is_passive(head)
        roles, loose = self._roles(head, passive, copula is not None)
        subject = self._subjects.subject(head)
        if subject is not None:
            roles.setdefault("P" if passive else "A", self._group(head, subject))
        modality, speaker = self._manner.manner(head)
        own = any(child.relation.startswith("nsubj") for child in self._phrases.children(head))
        return Clause(
            head, "be" if copula is not None else self._lemma(head), roles, loose,
            head if copula is not None else None, passive, self._words(head, copula),
            self._manner.polarity(head), modality, self._manner.tense(head), speaker, not own, head.relation == "root",
            self.has_clause(head),
        )  # fmt: skip

    def _group(self, head: Token, noun: Token) -> list[Token]:
        """The noun and what is coordinated with it; of "Ann, who won, and Mike" with the clause "who won" Ann alone."""
        group = self._phrases.conjuncts(noun)
        if head.relation.startswith("acl"):
            group = [token for token in group if token.index < head.index or token is noun]
        return group

    def has_clause(self, head: Token) -> bool:
        """Whether another clause is its object: "plans to open", "said that"."""
        return any(
            c.relation in ("ccomp", "xcomp") and c.pos in ("VERB", "AUX")
            for c in self._phrases.children(head)
        )

    def _lemma(self, head: Token) -> str:
        children = self._phrases.children(head)
        particles = [c.text.lower() for c in children if c.relation == "compound:prt"]
        fixed = [c.lemma.lower() for c in children if self._is_fixed(head, c)]
        return " ".join([head.lemma.lower(), *particles, *fixed])

    def _is_fixed(self, head: Token, child: Token) -> bool:
        """ "take place", "take part"."""
        noun = (
            head.lemma.lower() == "take"
            and child.lemma.lower() in ("place", "part")
            and child.relation == "obj"
        )
        return noun and not self._phrases.determiner(child)

    def _words(self, head: Token, copula: Token | None) -> tuple[Token, ...]:
        children = self._phrases.children(head)
        helpers = [c for c in children if c.relation in ("aux", "aux:pass", "cop", "compound:prt")]
        if copula is not None:
            return tuple(helpers)
        return tuple(sorted([*helpers, head], key=lambda token: token.index))

    # roles

    def _roles(
        self, head: Token, passive: bool, copular: bool
    ) -> tuple[dict[str, list[Token]], dict[str, list[Token]]]:
        roles: dict[str, list[Token]] = {}
        loose: dict[str, list[Token]] = {}
        fixed = [c for c in self._phrases.children(head) if self._is_fixed(head, c)]
        inside = [below for noun in fixed for below in self._phrases.children(noun)]
        for child in [*self._phrases.children(head), *inside]:
            role = self._role(child, passive, copular)
            if not role or is_denied_alone(child, self._sentence):
                continue
            target = self._subjects.antecedent(child, head)
            if target is not None:
                group = self._phrases.conjuncts(target) if target is child else self._group(head, target)
                roles.setdefault(role, []).extend(group)
                if role != "A" or copular:
                    self._collect_loose(target, loose)
        self._fill_gap(head, roles, passive, copular)
        self._share(head, roles, passive)
        return roles, loose

    def _share(self, head: Token, roles: dict[str, list[Token]], passive: bool) -> None:
        """What stands behind the last of joined verbs and is said of each: "written and directed by Ada Novak", "wrote
        and directed the film"."""
        role = "A" if passive else "P"
        if (
            role in roles
            or head.pos != "VERB"
            or head.text.lower() == "born"
            or not (passive or self._takes_object(head))
        ):
            return
        verb = head
        for _ in range(_MOST_JOINED):
            joined = self._joined(verb)
            if joined is None:
                return
            verb = joined
            for child in self._phrases.children(verb):
                if child.index > verb.index and self._role(child, passive, copular=False) == role:
                    roles[role] = self._group(verb, child)
                    return

    def _joined(self, verb: Token) -> Token | None:
        """The verb of the same form that follows behind a comma or "and" alone."""
        tokens = self._sentence.tokens
        first = tokens[verb.head] if verb.relation == "conj" and verb.head >= 0 else verb
        for other in (*self._phrases.children(verb), *self._phrases.children(first)):
            if other.relation == "conj" and self._of_one_form(other, verb) and other.index > verb.index:
                between = tokens[verb.index + 1 : other.index]
                return other if all(t.text in (",", "and", "or") for t in between) else None
        return None

    @staticmethod
    def _of_one_form(one: Token, other: Token) -> bool:
        return one.tag == other.tag or {one.tag, other.tag} == {"VBD", "VBN"}

    def _takes_object(self, verb: Token) -> bool:
        """Whether a relation of the vocabulary needs the object of the verb."""
        triggers = vocabulary().find("verb", verb.lemma.lower())
        return any("P" in (*trigger.subject, *trigger.object) for trigger in triggers)

    def _role(self, child: Token, passive: bool, copular: bool) -> str:
        relation = child.relation
        if child.lemma.lower() == "accord" or self._is_fixed(self._sentence.tokens[child.head], child):
            return ""
        if relation.startswith("nsubj"):
            return "P" if passive else "A"
        if relation == "obj":
            linking = self._sentence.tokens[child.head].lemma.lower() in ("become", "remain")
            return "C" if passive or linking else "P"
        if (
            relation == "advmod"
            and self._phrases.asking
            and child.text.lower() in _ASKING
            and not self._phrases.children(child)
        ):
            return _ASKING[child.text.lower()]
        if relation == "xcomp":
            return "C" if child.pos in ("NOUN", "PROPN") else ""
        if relation == "obl:npmod":
            return "measure" if self._phrases.value_at(child) else "@"
        return _PLAIN_ROLES.get(relation) or self._oblique(child, passive, copular)

    def _oblique(self, child: Token, passive: bool, copular: bool) -> str:
        """The role of a prepositional phrase: "@in"; of the "by" of a passive "A"."""
        if not child.relation.startswith(("obl", "nmod")):
            return ""
        case = self._phrases.case(child)
        if copular and child.relation == "nmod" and case == "of":
            return ""
        return "A" if passive and case == "by" and self._phrases.value_at(child) is None else f"@{case}"

    def _collect_loose(self, token: Token, loose: dict[str, list[Token]]) -> None:
        for child in self._phrases.children(token):
            case = self._phrases.case(child)
            if child.relation in ("nmod", "obl") and case and case != "of":
                loose.setdefault(f"@{case}", []).extend(self._phrases.conjuncts(child))
                self._collect_loose(child, loose)
            elif child.relation in ("obl:tmod", "nmod:tmod"):
                loose.setdefault("@", []).append(child)

    def _fill_gap(self, head: Token, roles: dict[str, list[Token]], passive: bool, copular: bool) -> None:
        """The noun of "the film she wrote", "the town where he died"."""
        if not head.relation.startswith("acl:relcl") or copular:
            return
        noun = self._sentence.tokens[head.head]
        words = {c.text.lower() for c in self._phrases.children(head) if c.pos in ("ADV", "SCONJ", "PRON")}
        if "where" in words:
            roles.setdefault("@in", []).append(noun)
        elif "A" in roles and "P" not in roles and not passive and not words & RELATIVE_WORDS:
            roles["P"] = [noun]
