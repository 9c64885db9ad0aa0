"""The clauses of a sentence: each verb or predicate noun with its roles, whether it is denied, and how it is meant.

Passive and active give the same roles: "A" does, "P" is done to, "R" receives, "C" is what it is made into or called,
"@in" and its like are the complements of prepositions. What a clause leaves out (the subject of a relative clause, of
a coordinated verb, of a participle) is filled in from the clause above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from provgraph.reading.phrases import Phrases
from provgraph.reading.propositions import Modality, Tense
from provgraph.reading.syntax import ParsedSentence, Token

_NEGATIONS: Final = frozenset("not n't n’t never neither nor hardly nowhere".split())
_POSSIBLE: Final = frozenset("may might could can should must ought".split())
_PERHAPS: Final = frozenset("perhaps possibly probably maybe presumably potentially likely".split())
_ALLEGEDLY: Final = frozenset("allegedly reportedly supposedly apparently purportedly".split())
_PLANS: Final = frozenset(
    "want plan intend hope try attempt seek aim wish propose expect agree promise threaten need decide prepare "
    "offer".split()
)
_FAILS: Final = frozenset("fail refuse decline neglect forget cease stop".split())
_DENIES: Final = frozenset("deny doubt dispute disprove".split())
_ALLEGES: Final = frozenset(
    "allege claim believe think suppose suspect rumor rumour suggest assume speculate argue expect fear "
    "consider".split()
)
_SAYS: Final = frozenset(
    "say state report write note announce tell declare add explain mention describe estimate".split()
)
_PLAIN_ROLES: Final = {"iobj": "R", "obl:agent": "A", "obl:tmod": "@"}
_BELOW: Final = frozenset({"nmod", "appos", "obl", "conj"})
_WRITTEN: Final = frozenset(
    "report study survey source account record document legend tradition census estimate".split()
)
_CONDITIONS: Final = frozenset("if unless whether would provided".split())
_RELATIVE: Final = frozenset("who whom which that whose where when".split())
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
        self._subjects: dict[int, tuple[Token, bool] | None] = {}

    def clauses(self) -> Iterator[Clause]:
        for token in self._sentence.tokens:
            if self._is_predicate(token):
                yield self._clause(token)

    @cached_property
    def _copulas(self) -> dict[int, Token]:
        return {token.head: token for token in self._sentence.tokens if token.relation == "cop"}

    def _is_predicate(self, token: Token) -> bool:
        if token.index in self._phrases.runs:
            return False
        if token.index in self._copulas:
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
        copula = self._copulas.get(head.index)
        passive = copula is None and self._is_passive(head)
        roles, loose = self._roles(head, passive, copula is not None)
        subject = self._subject(head)
        if subject is not None:
            roles.setdefault("P" if passive else "A", self._phrases.conjuncts(subject))
        modality, speaker = self._manner(head)
        own = any(child.relation.startswith("nsubj") for child in self._phrases.children(head))
        return Clause(
            head, "be" if copula is not None else self._lemma(head), roles, loose,
            head if copula is not None else None, passive, self._words(head, copula),
            self._polarity(head), modality, self._tense(head), speaker, not own, head.relation == "root",
            self.has_clause(head),
        )  # fmt: skip

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

    def _is_passive(self, head: Token) -> bool:
        children = self._phrases.children(head)
        if head.text.lower() == "born" or any(
            c.relation in ("nsubj:pass", "aux:pass", "obl:agent") for c in children
        ):
            return True
        participle = (
            head.tag == "VBN"
            or (head.tag == "VBD" and head.relation == "acl")
            or (not head.tag and head.text.lower().endswith(("ed", "en", "born")))
        )
        has_aux = any(c.relation in ("aux", "nsubj") for c in children)
        if not participle or has_aux:
            return False
        if head.relation == "conj":
            return self._is_passive(self._sentence.tokens[head.head])
        return head.relation in ("acl", "advcl", "amod", "xcomp", "root", "appos", "parataxis", "dep")

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
            if not role:
                continue
            target = self._antecedent(child, head)
            if target is not None:
                roles.setdefault(role, []).extend(self._phrases.conjuncts(target))
                if role != "A" or copular:
                    self._collect_loose(target, loose)
        self._fill_gap(head, roles, passive, copular)
        return roles, loose

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

    def _antecedent(self, child: Token, head: Token) -> Token | None:
        """What a relative pronoun stands for; other words stand for themselves."""
        if child.text.lower() not in _RELATIVE or child.pos not in ("PRON", "DET", "ADV", "SCONJ"):
            return child
        above = self._relative_head(head)
        return self._modified(self._clause_top(head), above) if above is not None else child

    def _modified(self, clause: Token, noun: Token) -> Token:
        """What a clause after a noun says something of. A clause hung on a name without a comma ("a hotel in Graz that
        opened"), or a participle after a comma on a name inside a phrase ("a hotel in Graz, located"), is of the noun
        above."""
        first = min(each.index for each in self._sentence.subtree(clause))
        comma = self._sentence.tokens[first - 1].text in (",", "(", "–", "-") if first else False
        climbs = comma if clause.relation == "acl" else not comma
        top = noun
        while (
            climbs and self._phrases.is_name(top) and top.relation.split(":")[0] in _BELOW and top.head >= 0
        ):
            top = self._sentence.tokens[top.head]
        if top.pos == "VERB":
            subject = self._subject(top)
            return noun if subject is None else subject
        return self._described(top if top.pos in ("NOUN", "PROPN") else noun)

    def _described(self, noun: Token) -> Token:
        """Of "Novak was a botanist who …" and "Novak, a botanist who …" Novak."""
        if self._phrases.is_name(noun) or noun.pos == "PRON":
            return noun
        if noun.index in self._copulas and self._phrases.determiner(noun) in ("a", "an", "the"):
            subject = self._subject(noun)
            return noun if subject is None else subject
        if (
            noun.relation == "appos"
            and noun.head >= 0
            and self._phrases.is_name(self._sentence.tokens[noun.head])
        ):
            return self._sentence.tokens[noun.head]
        return self._phrases.named(noun)

    def _clause_top(self, head: Token) -> Token:
        """The first of coordinated verbs."""
        while head.relation == "conj" and head.head >= 0:
            head = self._sentence.tokens[head.head]
        return head

    def _relative_head(self, head: Token) -> Token | None:
        """The noun that a relative clause says something of, also for the second verb of the clause."""
        head = self._clause_top(head)
        return (
            self._sentence.tokens[head.head] if head.relation.startswith("acl") and head.head >= 0 else None
        )

    def _fill_gap(self, head: Token, roles: dict[str, list[Token]], passive: bool, copular: bool) -> None:
        """The noun of "the film she wrote", "the town where he died"."""
        if not head.relation.startswith("acl:relcl") or copular:
            return
        noun = self._sentence.tokens[head.head]
        words = {c.text.lower() for c in self._phrases.children(head) if c.pos in ("ADV", "SCONJ", "PRON")}
        if "where" in words:
            roles.setdefault("@in", []).append(noun)
        elif "A" in roles and "P" not in roles and not passive and not words & _RELATIVE:
            roles["P"] = [noun]

    def _subject(self, head: Token) -> Token | None:
        """The subject of a clause that has none of its own, from the clause above."""
        own = next((c for c in self._phrases.children(head) if c.relation.startswith("nsubj")), None)
        if own is not None:
            return self._antecedent(own, head)
        if head.head < 0:
            return None
        above = self._sentence.tokens[head.head]
        if head.relation == "acl" or (head.relation == "acl:relcl" and not self._has_own_role(head)):
            return self._modified(head, above) if head.tag != "VB" and not self._infinitive(head) else None
        if head.relation == "xcomp":
            return self._controller(above)
        if head.relation in ("conj", "parataxis") or (head.relation == "advcl" and self._is_free(head)):
            return self._subject(above)
        return None

    def _is_free(self, head: Token) -> bool:
        """Whether an adverbial clause without subject shares that of the clause above; "as outlined in" does not."""
        marks = {c.text.lower() for c in self._phrases.children(head) if c.relation == "mark"}
        return not self._is_finite(head) and not marks & {"as", "than"}

    def _has_own_role(self, head: Token) -> bool:
        return any(c.text.lower() in _RELATIVE for c in self._phrases.children(head))

    def _infinitive(self, head: Token) -> bool:
        return any(c.relation == "mark" and c.text.lower() == "to" for c in self._phrases.children(head))

    def _is_finite(self, head: Token) -> bool:
        return head.tag in ("VBD", "VBZ", "VBP") or (
            any(
                c.relation == "mark" and c.text.lower() in ("when", "while", "because", "that")
                for c in self._phrases.children(head)
            )
            and head.tag not in ("VBG", "VBN")
        )

    def _controller(self, above: Token) -> Token | None:
        objects = [c for c in self._phrases.children(above) if c.relation in ("obj", "iobj")]
        return objects[0] if objects else self._subject(above)

    # polarity and modality

    def _polarity(self, head: Token) -> bool:
        children = self._phrases.children(head)
        for child in children:
            word = child.text.lower()
            if (
                word in _NEGATIONS
                and child.relation in ("advmod", "neg", "cc", "det")
                and not self._not_only(child)
            ):
                return False
            nominal = child.relation.split(":")[0] in ("nsubj", "obj", "obl", "xcomp")
            if nominal and self._is_negative_phrase(child):
                return False
        if head.index in self._copulas and self._phrases.determiner(head) in ("no", "neither"):
            return False
        return self._polarity_above(head)

    def _polarity_above(self, head: Token) -> bool:
        if head.head < 0:
            return True
        above = self._sentence.tokens[head.head]
        if any(c.relation == "mark" and c.text.lower() == "without" for c in self._phrases.children(head)):
            return False
        if head.relation in ("xcomp", "ccomp"):
            lemma = above.lemma.lower()
            flipped = lemma in _FAILS or (lemma in _DENIES and head.relation == "ccomp")
            return (not flipped) if self._polarity(above) else lemma in _FAILS
        return True

    def _not_only(self, negation: Token) -> bool:
        """ "not only A but also B" denies nothing."""
        following = self._sentence.tokens[negation.index + 1 : negation.index + 2]
        return bool(following) and following[0].text.lower() in ("only", "just", "merely", "until", "least")

    def _is_negative_phrase(self, token: Token) -> bool:
        return token.text.lower() in ("nobody", "nothing", "none", "neither") or self._phrases.determiner(
            token
        ) in (
            "no",
            "neither",
        )

    def _manner(self, head: Token) -> tuple[Modality, Token | None]:
        """How the clause is meant, and who says it."""
        own = self._own_modality(head)
        speaker = self._according_to(head)
        if head.relation in ("conj", "parataxis", "advcl") and own == "asserted" and head.head >= 0:
            above, outer = self._manner(self._sentence.tokens[head.head])
            if head.relation == "conj" and not self._has_aux(head):
                return above, speaker or outer
        if head.relation in ("xcomp", "ccomp", "acl") and head.head >= 0:
            return self._manner_of_complement(head, own, speaker)
        return own, speaker

    def _has_aux(self, head: Token) -> bool:
        return any(c.relation.startswith(("aux", "nsubj")) for c in self._phrases.children(head))

    def _manner_of_complement(
        self, head: Token, own: Modality, speaker: Token | None
    ) -> tuple[Modality, Token | None]:
        above = self._sentence.tokens[head.head]
        lemma = above.lemma.lower()
        outer, outer_speaker = self._manner(above) if head.relation != "acl" else ("asserted", None)
        if (lemma in _PLANS and head.relation in ("xcomp", "acl")) or (
            head.relation == "acl" and self._infinitive(head)
        ):
            return "planned", speaker or outer_speaker
        if lemma in _ALLEGES | _DENIES and head.relation in ("ccomp", "xcomp"):
            return "alleged", speaker or self._sayer(above) or outer_speaker
        if lemma in _SAYS and head.relation in ("ccomp", "xcomp"):
            passive = self._is_passive(above)
            return ("alleged" if passive else own), speaker or self._sayer(above) or outer_speaker
        return (outer if own == "asserted" else own), speaker or outer_speaker

    def _sayer(self, above: Token) -> Token | None:
        if self._is_passive(above):
            return next((c for c in self._phrases.children(above) if c.relation == "obl:agent"), None)
        return self._subject(above)

    def _own_modality(self, head: Token) -> Modality:
        for child in self._phrases.children(head):
            word = child.text.lower()
            if child.relation in ("aux", "mark", "advmod"):
                if word in _CONDITIONS:
                    return "hypothetical" if word == "would" else "conditional"
                if word in _POSSIBLE or word in _PERHAPS:
                    return "possible"
                if word in _ALLEGEDLY:
                    return "alleged"
        return "asserted"

    def _can_speak(self, token: Token) -> bool:
        """Whether somebody, or something written, can be meant: not "according to models of union"."""
        if token.pos == "PRON" or self._phrases.is_name(token):
            return True
        return (
            self._phrases.type_of(token) in ("Person", "Organization", "Work", "Group")
            or token.lemma in _WRITTEN
        )

    def _according_to(self, head: Token) -> Token | None:
        for child in self._phrases.children(head):
            if child.relation.startswith(("obl", "advcl", "nmod")):
                if child.lemma.lower() == "accord":
                    below = [
                        c for c in self._phrases.children(child) if c.relation.startswith(("obl", "nmod"))
                    ]
                    return next(filter(self._can_speak, below), None)
                if self._phrases.case(child).startswith("according"):
                    return child if self._can_speak(child) else None
        return None

    def _tense(self, head: Token) -> Tense:
        words = [c for c in self._phrases.children(head) if c.relation in ("aux", "aux:pass", "cop")]
        if any(c.text.lower() in ("will", "shall", "’ll", "'ll") for c in words):
            return "future"
        tags = {c.tag for c in [*words, head]}
        if "VBD" in tags or any(c.text.lower() in ("was", "were", "had", "did") for c in words):
            return "past"
        if tags & {"VBZ", "VBP"}:
            return "past" if head.tag == "VBN" and any(c.lemma == "have" for c in words) else "present"
        return "past" if head.tag == "VBN" else ""
