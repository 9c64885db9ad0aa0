"""A claim laid on evidence: the sentence that meets most of it, a second one beside it, and what they leave open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from provgraph.reading.syntax import Token
from provgraph.verdicts.claims import ONLY, Claim
from provgraph.verdicts.coverage import Covering
from provgraph.verdicts.covers import MET, Cover, Rival, union
from provgraph.verdicts.lexicon import word_set
from provgraph.verdicts.narrowing import narrowing
from provgraph.verdicts.portions import portions_not_met
from provgraph.verdicts.restricting import BOUNDS, is_but_for, is_of_every_other, says_alone, tells_rule
from provgraph.verdicts.role_agreement import GovernedUnit, pairs
from provgraph.verdicts.sentence_words import SentenceWords, denials, denies
from provgraph.verdicts.texts import TextMeaning
from provgraph.verdicts.things import Statement
from provgraph.verdicts.units import Unit, units_of

_SWEEPING: Final = frozenset("all every each both entire".split())
_WANTING: Final = word_set("withholding") | frozenset("ask apply beg petition wish need pray bid".split())

_PORTIONS: Final = frozenset("part portion fraction none".split())
_OPINIONS: Final = frozenset("call hail deem regard describe rate view".split())
_CHANGES: Final = frozenset("rise fall increase decrease grow shrink drop climb decline double sink".split())


@dataclass(frozen=True)
class Reading:
    """A claim laid on one text: the best sentence alone, with a second one, and with all of the text."""

    claim: Claim
    meaning: TextMeaning
    best: Cover
    two: Cover
    whole: Cover

    @cached_property
    def pairs(self) -> list[GovernedUnit]:
        return pairs(self.best, self.claim.meaning.parsed)

    @cached_property
    def complement(self) -> int:
        """What the claim says that something is, where nothing of that kind is met: the number of its unit, or -1."""
        for number, unit in enumerate(self.best.units):
            sentence = self.claim.sentence_at(unit.start)
            cop = any(c.relation == "cop" for c in sentence.children[unit.head.index])
            if cop and unit.kind == "noun" and unit.head.head < 0:
                return number if number in self.unmet else -1
        return -1

    @cached_property
    def said_kind(self) -> Token | None:
        """What the best sentence says that its subject is."""
        if self.best.sentence is None:
            return None
        parsed = self.best.sentence.parsed
        for root in parsed.roots:
            if root.pos == "NOUN" and any(c.relation == "cop" for c in parsed.children[root.index]):
                return root
        return None

    @cached_property
    def unmet(self) -> list[int]:
        """The units that neither the best sentence nor a second one meets."""
        return [i for i, link in enumerate(self.two.links) if link is None or link.worth < MET]

    @cached_property
    def rivals(self) -> dict[int, Rival]:
        return {i: each for i, each in self.best.rivals.items() if i in self.unmet}

    @cached_property
    def denied(self) -> bool:
        told = sum(denials(each) for each in self.claim.meaning.parsed)
        return told > 0 and (told - self._denials_met) % 2 == 1

    @cached_property
    def _denials_met(self) -> int:
        """How many words like "unaware" or "declined" of the claim are met by words that are no denials, or say as
        much: "refused"."""
        links = zip(self.best.units, self.best.links, strict=True)
        tokens = self.best.sentence.parsed.tokens if self.best.sentence is not None else ()
        return sum(
            denies(unit.head)
            and link is not None
            and link.at >= 0
            and link.worth >= MET
            and (not denies(tokens[link.at]) or (unit.kind == "verb" and link.way in ("same", "alike")))
            for unit, link in links
        )

    @cached_property
    def said_denied(self) -> bool:
        """Whether the sentence denies what it shares with the claim."""
        if self.best.sentence is None:
            return False
        if any(each.over for each in self._asserting):
            return not self._past
        if self.best.sentence.denial_near(self._predicates | self._governing, besides=self._plainly_met):
            return True
        return bool(self._asserting) and not any(each.positive for each in self._asserting)

    @cached_property
    def _governing(self) -> set[int]:
        """The verbs over what is met, where the claim's own verb is a light one that none meets: "must not take"."""
        units, links, sentence = self.best.units, self.best.links, self.best.sentence
        light = [
            i
            for i, u in enumerate(units)
            if u.above < 0 and u.kind == "verb" and u.light and links[i] is None
        ]
        if sentence is None or not light:
            return set()
        tokens = sentence.parsed.tokens
        return {
            tokens[i].head
            for i in self.best.at
            if tokens[i].head >= 0 and tokens[tokens[i].head].pos == "VERB"
        }

    @cached_property
    def _plainly_met(self) -> frozenset[int]:
        """Words like "declined" that meet a verb of the claim, as "turned down" or "refused"."""
        return frozenset(
            link.at
            for unit, link in zip(self.best.units, self.best.links, strict=True)
            if link is not None and link.way in ("same", "alike") and unit.kind == "verb"
        )

    @cached_property
    def _asserted(self) -> set[int]:
        """What meets the main word of the claim; where that is light or unmet, all that its words meet."""
        main = {
            link.at
            for unit, link in zip(self.best.units, self.best.links, strict=True)
            if unit.above < 0 and not unit.light and link is not None and link.worth >= MET and link.at >= 0
        }
        return main or self._predicates

    @cached_property
    def _asserting(self) -> list[Statement]:
        """What the best sentence states with the verbs that meet the main word of the claim."""
        number = self.best.sentence.number if self.best.sentence is not None else -1
        return [
            each
            for each in self.meaning.statements
            if each.sentence == number and each.clause in self._asserted
        ]

    @cached_property
    def _predicates(self) -> set[int]:
        found = {
            link.at
            for unit, link in zip(self.best.units, self.best.links, strict=True)
            if link is not None
            and link.worth >= MET
            and unit.kind in ("verb", "noun", "adjective")
            and link.at >= 0
        }
        return found or self.best.at

    @cached_property
    def doubted(self) -> bool:
        mine = any(each.over for each in self.claim.meaning.statements) or any(
            word.doubt_near({t.index for t in word.parsed.tokens})
            for word in (SentenceWords(0, each, ()) for each in self.claim.meaning.parsed)
        )
        sentence = self.best.sentence
        if self._still_to_come:
            return True
        if mine or sentence is None:
            return False
        words = frozenset(t.text.lower() for each in self.claim.meaning.parsed for t in each.tokens)
        if self._past:
            words |= {"former", "ex"}
        future = (self._past or self._is_state) and sentence.future_near(self._asserted)
        return (
            future or sentence.doubt_near(self._asserted) or sentence.lessened(self._predicates, words)
            or self._wanted(sentence) or self._planned or self._called_so(sentence)
            or self._is_rule
        )  # fmt: skip

    @property
    def _is_rule(self) -> bool:
        return self._past and bool(self._asserting) and all(map(tells_rule, self._asserting))

    def _called_so(self, sentence: SentenceWords) -> bool:
        """Whether somebody calls it the best or good, which the claim says that it is."""
        tokens, children = sentence.parsed.tokens, sentence.parsed.children
        for at in self._asserted:
            valued = tokens[at].pos == "ADJ" or _is_superlative(children[at])
            above = {tokens[each].lemma.lower() for each in sentence.chain(at) if tokens[each].pos == "VERB"}
            if valued and (above & _OPINIONS) - self.claim.lemmas:
                return True
        return False

    @property
    def only_alleged(self) -> bool:
        """Whether the sentence tells it as planned only, or as what somebody claims or denies: it may be so or not."""
        alleged = bool(self._asserting) and all(each.modality == "alleged" for each in self._asserting)
        return alleged or bool(self.manners - {"over"})

    @cached_property
    def manners(self) -> frozenset[str]:
        """How the best sentence means what it states with the main word of the claim ("planned", "over"), where it
        nowhere states it plainly."""
        said = [each for each in self._asserting if each.positive]
        plain = any(each.modality == "asserted" and not each.over for each in said)
        return frozenset() if plain else frozenset("over" if each.over else each.modality for each in said)

    @cached_property
    def narrowed_by(self) -> str:
        """The words that narrow all that the best sentence states with the main word of the claim."""
        if self.best.sentence is None or not self._asserting:
            return ""
        parsed, lemmas = self.best.sentence.parsed, self.claim.lemmas
        narrow = [narrowing(each, parsed, lemmas) for each in self._asserting if each.clause >= 0]
        if not narrow or not all(narrow):
            return ""
        return self.meaning.evidence.text[narrow[0][0].start : narrow[0][-1].end]

    @cached_property
    def _is_state(self) -> bool:
        """Whether the claim says how something is: what is told as still to come does not say so."""
        return any(
            root.pos in ("ADJ", "NOUN", "PROPN")
            for each in self.claim.meaning.parsed
            for root in each.roots
            if any(c.relation == "cop" and c.text.lower() in ("is", "are") for c in each.children[root.index])
        )

    @cached_property
    def _planned(self) -> bool:
        """Whether what the claim says is only planned, nearly so, allowed, or what somebody says or is accused of."""
        open_ = {each.modality for each in self.claim.meaning.statements} - {"asserted"}
        return bool(self._asserting) and all(
            (each.modality not in ("asserted", *open_) or each.attributed or (each.over and not self._past))
            and each.positive
            for each in self._asserting
        )

    @cached_property
    def _still_to_come(self) -> bool:
        """Whether the claim tells what will be, and the sentence what was."""
        future = any(each.tense == "future" for each in self.claim.meaning.statements)
        return future and bool(self._asserting) and all(each.tense == "past" for each in self._asserting)

    @cached_property
    def _past(self) -> bool:
        """Whether the main verb of the claim, or the copula or auxiliary beside it, is in the past or perfect."""
        return any(
            token.tag == "VBD" or (token.lemma.lower() == "have" and token.relation.startswith("aux"))
            for each in self.claim.meaning.parsed
            for root in each.roots
            for token in (root, *each.children[root.index])
        )

    def _wanted(self, sentence: SentenceWords) -> bool:
        """Whether what somebody has, gets or makes in the claim is only asked for, refused or planned in the text."""
        for unit, link in zip(self.best.units, self.best.links, strict=True):
            above = self.best.units[unit.above] if unit.above >= 0 else None
            if above is None or not above.light or above.kind != "verb" or link is None or link.at < 0:
                continue
            head = sentence.parsed.tokens[link.at].head
            governor = sentence.parsed.tokens[head] if head >= 0 else None
            if unit.head.relation == "obj" and governor is not None and governor.lemma.lower() in _WANTING:
                return True
        return False

    @cached_property
    def says_only(self) -> bool:
        return any(token.text.lower() in ONLY for each in self.claim.meaning.parsed for token in each.tokens)

    @cached_property
    def said_only(self) -> bool:
        sentence = self.best.sentence
        return sentence is not None and says_alone(sentence.parsed, self.best.at)

    @cached_property
    def narrowed(self) -> bool:
        """Whether the claim says of all, or denies, what the text says of a part; of all times what of one."""
        if self._becomes or self._bounded or self._partly or self._excepted:
            return True
        if (sentence := self.best.sentence) is not None:
            text = self.meaning.evidence.text[sentence.parsed.start : sentence.parsed.end]
            if is_but_for(self.claim.text, text) or is_of_every_other(self.claim.text, text):
                return True
        every = any(unit.head.text.lower() in _SWEEPING for unit in self.best.units)
        if every and self.said_only and not self.says_only:
            return True
        return (every or self.denied) and any(
            link is not None and link.way == "narrower" and unit.kind in ("name", "noun")
            for unit, link in zip(self.best.units, self.best.links, strict=True)
        )

    @property
    def _bounded(self) -> bool:
        """Whether a number that the claim leaves out narrows what meets one of its words: "children over six"."""
        sentence = self.best.sentence
        if sentence is None:
            return False
        children, met = sentence.parsed.children, self.best.at
        return any(
            unit.kind == "number"
            and unit.head.index not in met
            and unit.head.head in met
            and any(c.relation == "case" and c.text.lower() in BOUNDS for c in children[unit.head.index])
            for unit in sentence.units
        )

    @property
    def _excepted(self) -> bool:
        """Whether the sentence takes out what the claim speaks of: "all damage except damage by water"."""
        sentence = self.best.sentence
        lemmas = {unit.head.lemma.lower() for unit in self.best.units}
        denied = sentence.denied if sentence is not None else ()
        return any(sentence.parsed.tokens[each].lemma.lower() in lemmas for each in denied)  # type: ignore[union-attr]

    @property
    def _partly(self) -> bool:
        """Whether the sentence says of a part of them what the claim says of them: "half of the members"."""
        sentence = self.best.sentence
        if sentence is None:
            return False
        tokens = sentence.parsed.tokens
        children = sentence.parsed.children
        above = [(tokens[tokens[at].head], at) for at in self.best.at if tokens[at].relation == "nmod"]
        return bool(self.other_portions) or any(
            (
                word.lemma.lower() in _PORTIONS
                or (word.text.lower() == "one" and _is_superlative(children[at]))
            )
            and word.index not in self.best.at
            for word, at in above
        )

    @cached_property
    def other_portions(self) -> set[str]:
        """What the portions of the sentence mean for those of the claim that they do not entail: "half" for "all"."""
        sentence = self.best.sentence
        links = zip(self.best.units, self.best.links, strict=True)
        met = [
            (unit.head, link.at) for unit, link in links
            if unit.kind in ("noun", "name") and link is not None and link.at >= 0
        ]  # fmt: skip
        return (
            portions_not_met(self.claim.meaning.parsed, met, sentence.parsed)
            if sentence is not None
            else set()
        )

    @property
    def _becomes(self) -> bool:
        """Whether the claim says that an amount is so without a time, and the text that it came to be so."""
        units, sentence = self.best.units, self.best.sentence
        timed = any(unit.kind in ("date", "ordinal") for unit in units)
        says_verb = any(unit.kind == "verb" and not unit.light for unit in units)
        if sentence is None or timed or says_verb or not any(unit.kind == "number" for unit in units):
            return False
        return any(root.lemma.lower() in _CHANGES for root in sentence.parsed.roots)


def _is_superlative(children: Sequence[Token]) -> bool:
    return any(c.tag in ("JJS", "RBS") for c in children)


def claim_units(claim: Claim) -> list[Unit]:
    """The units of all sentences of a claim; what governs a unit is counted through."""
    found: list[Unit] = []
    for sentence in claim.meaning.parsed:
        units, before = units_of(sentence, claim.meaning.evidence.text), len(found)
        found += [replace(each, above=each.above + before) if each.above >= 0 else each for each in units]
    return found


def readings(claim: Claim, texts: Sequence[TextMeaning]) -> Iterator[Reading]:
    """The claim laid on each text that shares a word with it."""
    units = claim_units(claim)
    topics = frozenset(each for each in claim.topics if not _is_named(each, texts))
    for text in texts:
        sentences = text.words_of_sentences
        if not sentences or not units:
            continue
        covering = Covering(units, claim.meaning.evidence.text, topics, text)
        covers = sorted((covering.cover(each) for each in sentences), key=lambda c: -c.share)
        seconds = (union([covers[0], each]) for each in covers[1:6])
        two = max(seconds, key=lambda c: c.share, default=covers[0])
        yield Reading(claim, text, covers[0], two, union(covers))


def _is_named(name: str, texts: Sequence[TextMeaning]) -> bool:
    """Whether a text has the name: then what others leave unnamed is not it."""
    return len(texts) > 1 and any(name.casefold() in each.evidence.text.casefold() for each in texts)
