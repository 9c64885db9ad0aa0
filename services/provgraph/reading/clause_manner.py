"""How a clause is meant: denied or not, asserted, possible, planned or alleged, when, and who says so."""

from __future__ import annotations

from typing import Final

from provgraph.reading.clause_subjects import ClauseSubjects
from provgraph.reading.phrases import Phrases
from provgraph.reading.propositions import Modality, Tense
from provgraph.reading.syntax import ParsedSentence, Token

_NEGATIONS: Final = frozenset(
    "not n't n’t never neither nor hardly nowhere pas jamais guère nunca jamás tampoco".split()
)
"""English, French and Spanish; "no" of a Spanish verb is told by its relation."""
_NO_DENIAL: Final = frozenset("only just merely until least".split())
_POSSIBLE: Final = frozenset("may might could can should must ought".split())
_PERHAPS: Final = frozenset("perhaps possibly probably maybe presumably potentially likely".split())
_NEARLY: Final = frozenset(("almost", "nearly"))
_ALLEGEDLY: Final = frozenset("allegedly reportedly supposedly apparently purportedly".split())
_PLANS: Final = frozenset(
    "want plan intend hope try attempt seek aim wish propose expect agree promise threaten need decide prepare "
    "offer choose vote ask order tell instruct request urge advise invite encourage recommend demand beg "
    "schedule".split()
)
_FAILS: Final = frozenset("fail refuse decline neglect forget cease stop".split())
_PREVENTS: Final = frozenset(
    "prevent stop keep bar ban prohibit prohibition discourage dissuade deter exclude exempt refrain abstain".split()
)
_FORBIDS: Final = frozenset("prohibit forbid ban bar outlaw disallow".split())
_ACCUSES: Final = frozenset(
    "accuse acquit absolve exonerate clear suspect charge indict arrest sue blame prosecute try investigate "
    "warn capable incapable dream think talk afraid fearful consider interested accusation suspicion "
    "possibility risk danger threat chance prospect hope idea intention plan thought fear goal aim purpose "
    "option".split()
)
"""Words that leave open whether that is done which is said of them with a preposition: "accused of stealing"."""
_DOES: Final = frozenset(
    "manage begin start continue come get help proceed remember serve live grow cause force lead compel "
    "oblige let make see hear watch prove turn happen tend bother go find show know use be have resume "
    "persist stoop opt condemn drive induce prompt move inspire remain stand".split()
)
"""Verbs of which it follows that what they govern with "to" was done."""
_DOERS: Final = frozenset(
    "first second third last only next able proud happy glad sad lucky quick slow early late known fortunate "
    "surprised one ones".split()
)
_THOUGHTS: Final = frozenset(
    "evidence claim belief theory idea rumor rumour possibility suggestion fear hope doubt question "
    "assumption allegation myth notion hypothesis suspicion view argument proposal prediction expectation "
    "impression accusation speculation assertion contention legend opinion indication sign likelihood chance "
    "risk danger guarantee reason".split()
)
"""Nouns whose "that" is thought or said by somebody."""
_LEFT_OUT: Final = frozenset(("without", "against"))
_DENIES: Final = frozenset("deny doubt dispute disprove".split())
_ALLEGES: Final = frozenset(
    "allege claim believe think suppose suspect rumor rumour suggest assume speculate argue expect fear "
    "consider maintain contend insist assert testify swear protest guess presume reckon".split()
)
_SAYS: Final = frozenset(
    "say state report write note announce tell declare add explain mention describe estimate".split()
)
_WRITTEN: Final = frozenset(
    "report study survey source account record document legend tradition census estimate".split()
)
_OPEN: Final = _FAILS | _PREVENTS | _DENIES | _ALLEGES | _SAYS
_PROVIDED: Final = frozenset("provided providing supposing assuming".split())
_ANY: Final = frozenset(("", "a", "an", "any", "no"))
_CONDITIONS: Final = frozenset("if unless whether would provided".split())


def is_denied_alone(token: Token, sentence: ParsedSentence) -> bool:
    """Whether just this part of a clause is denied: "twinned with Sandmere, not with Pellbrook"."""
    return any(
        child.text.lower() == "not" and child.index < token.index and not not_only(child, sentence)
        for child in sentence.children[token.index]
    )


def not_only(negation: Token, sentence: ParsedSentence) -> bool:
    """ "not only A but also B" denies nothing."""
    following = sentence.tokens[negation.index + 1 : negation.index + 2]
    return bool(following) and following[0].text.lower() in _NO_DENIAL


class ClauseManner:
    """Reads the manner of one sentence's clauses; what governs a clause counts for it too."""

    def __init__(self, phrases: Phrases, subjects: ClauseSubjects) -> None:
        self._phrases = phrases
        self._sentence: ParsedSentence = phrases.sentence
        self._subjects = subjects

    def manner(self, head: Token) -> tuple[Modality, Token | None]:
        """How the clause is meant, and who says it."""
        own = self._own_modality(head)
        speaker = self._according_to(head)
        if head.relation in ("conj", "parataxis", "advcl") and own == "asserted" and head.head >= 0:
            above, outer = self.manner(self._sentence.tokens[head.head])
            if head.relation == "conj" and not self._has_aux(head):
                return above, speaker or outer
        if self._is_only_charged(head) or self._is_only_thought(head):
            return "alleged", speaker
        if self._is_purpose(head):
            return "planned", speaker
        if self._is_whenever(head) or self._is_provided(head) or self._is_of_any(head):
            return "conditional", speaker
        if head.relation == "advcl" and head.tag == "VBG" and own == "asserted" and head.head >= 0:
            above, outer = self.manner(self._sentence.tokens[head.head])
            return above, speaker or outer
        if head.relation in ("xcomp", "ccomp", "acl") and head.head >= 0:
            return self._manner_of_complement(head, own, speaker)
        return own, speaker

    def _is_only_charged(self, head: Token) -> bool:
        """ "Accused of stealing", "the risk of losing": whether it was done is left open."""
        having = any(c.text.lower() == "having" for c in self._phrases.children(head) if c.relation == "aux")
        if (head.tag != "VBG" and not having) or head.head < 0:
            return False
        above = self._sentence.tokens[head.head]
        opened = {c.text.lower() for c in self._phrases.children(head) if c.relation in ("mark", "case")}
        return above.lemma.lower() in _ACCUSES and bool(opened & {"of", "with", "for", "in", "about", "over"})

    def _is_only_thought(self, head: Token) -> bool:
        """ "The belief that it was so", "there is no evidence that it was so"."""
        if not head.relation.startswith(("acl", "ccomp")) or head.head < 0:
            return False
        above = self._sentence.tokens[head.head]
        that = any(c.relation == "mark" and c.text.lower() == "that" for c in self._phrases.children(head))
        none = self._phrases.determiner(above) in ("no", "little", "any")
        return that and above.pos == "NOUN" and (none or above.lemma.lower() in _THOUGHTS)

    def _is_purpose(self, head: Token) -> bool:
        """ "Took aspirin to prevent strokes": what something is done for need not have come about."""
        if not self._subjects.is_infinitive(head) or head.head < 0:
            return False
        above = self._sentence.tokens[head.head]
        governed = (
            head.relation == "xcomp" and above.pos == "VERB" and above.lemma.lower() not in _DOES | _OPEN
        )
        if head.relation == "xcomp" and above.pos in ("NOUN", "ADJ"):
            return not self._did_it(above)
        return governed or (head.relation == "advcl" and above.pos == "VERB")

    def _did_it(self, noun: Token) -> bool:
        """Whether who is called so did it: "the first to win", "proud to win"; a "favourite to win" perhaps not."""
        words = {noun.text.lower(), *(c.text.lower() for c in self._phrases.children(noun))}
        return bool(words & _DOERS) or any(word.endswith("est") for word in words)

    def _is_provided(self, head: Token) -> bool:
        """ "Provided the firm agrees", "should the store grow hotter, the concert moves"."""
        first, last = self._sentence.tokens[0], self._sentence.tokens[-1]
        if first.text.lower() == "should" and last.text != "?":
            return True
        above = self._sentence.tokens[head.head] if head.head >= 0 else head
        stands_alone = not any(c.relation.startswith(("nsubj", "aux")) for c in self._phrases.children(above))
        return head.relation == "ccomp" and above.text.lower() in _PROVIDED and stands_alone

    def _is_of_any(self, head: Token) -> bool:
        """ "No refund is made for strikes that had been announced": of whatever there may be, where that is denied or
        only may be."""
        if head.relation != "acl:relcl" or head.head < 0:
            return False
        noun = self._sentence.tokens[head.head]
        if noun.pos != "NOUN" or self._phrases.determiner(noun) not in _ANY:
            return False
        verb = noun
        while verb.head >= 0 and verb.pos not in ("VERB", "AUX"):
            verb = self._sentence.tokens[verb.head]
        return verb.pos == "VERB" and (not self.polarity(verb) or self._own_modality(verb) != "asserted")

    def _is_whenever(self, head: Token) -> bool:
        """ "Pays when a thief steals": told of any time, and so of none; "until it has been paid": of one to come."""
        if head.relation != "advcl" or head.head < 0:
            return False
        words = {c.text.lower() for c in self._phrases.children(head)}
        finite = {c.tag for c in (*self._phrases.children(head), head)} & {"VBZ", "VBP"}
        if finite and words & {"until", "till"}:
            return True
        opened = words & {"when", "whenever", "once"}
        above = self._sentence.tokens[head.head]
        return bool(opened) and all(self.tense(token) in ("present", "future", "") for token in (head, above))

    def _has_aux(self, head: Token) -> bool:
        return any(c.relation.startswith(("aux", "nsubj")) for c in self._phrases.children(head))

    def _manner_of_complement(
        self, head: Token, own: Modality, speaker: Token | None
    ) -> tuple[Modality, Token | None]:
        above = self._sentence.tokens[head.head]
        lemma = above.lemma.lower()
        outer, outer_speaker = self.manner(above) if head.relation != "acl" else ("asserted", None)
        if (lemma in _PLANS and head.relation in ("xcomp", "acl")) or (
            head.relation == "acl" and self._subjects.is_infinitive(head)
        ):
            return "planned", speaker or outer_speaker
        if lemma in _ALLEGES | _DENIES and head.relation in ("ccomp", "xcomp"):
            return "alleged", speaker or self._sayer(above) or outer_speaker
        if lemma in _SAYS and head.relation in ("ccomp", "xcomp"):
            passive = self._subjects.is_passive(above)
            return ("alleged" if passive else own), speaker or self._sayer(above) or outer_speaker
        return (outer if own == "asserted" else own), speaker or outer_speaker

    def _sayer(self, above: Token) -> Token | None:
        if self._subjects.is_passive(above):
            return next((c for c in self._phrases.children(above) if c.relation == "obl:agent"), None)
        return self._subjects.subject(above)

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
                if word in _NEARLY and child.relation == "advmod" and head.pos == "VERB":
                    return "hypothetical"
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
                if child.lemma.lower() in ("accord", "according"):
                    below = [
                        c for c in self._phrases.children(child) if c.relation.startswith(("obl", "nmod"))
                    ]
                    return next(filter(self._can_speak, below), None)
                if self._phrases.case(child).startswith("according"):
                    return child if self._can_speak(child) else None
        return None

    def polarity(self, head: Token) -> bool:
        """False for a denial, by the clause's own words or by what governs it ("failed to open")."""
        children = self._phrases.children(head)
        for child in children:
            word = child.text.lower()
            if (
                word in _NEGATIONS
                and child.relation in ("advmod", "neg", "cc", "det")
                and not not_only(child, self._sentence)
                and not self._denies_what_follows(head, child)
            ):
                return False
            if word == "no" and child.relation == "advmod" and head.pos == "VERB":
                return False
            nominal = child.relation.split(":")[0] in ("nsubj", "obj", "obl", "xcomp")
            if nominal and self._is_negative_phrase(child):
                return False
        if head.index in self._subjects.copulas and self._phrases.determiner(head) in ("no", "neither"):
            return False
        return self._polarity_above(head)

    def _denies_what_follows(self, head: Token, negation: Token) -> bool:
        """ "Paid for by the bakery and not by the county": the verb is not denied."""
        before = self._sentence.tokens[negation.index - 1].text.lower() if negation.index else ""
        return negation.index > head.index and before in ("and", "but")

    def _polarity_above(self, head: Token) -> bool:
        if head.head < 0:
            return True
        above = self._sentence.tokens[head.head]
        if self._is_kept_from(head, above):
            return False
        if head.relation.startswith("csubj") and above.lemma.lower() in _FORBIDS:
            return not self.polarity(above)
        between = self._sentence.tokens[slice(*sorted((head.index, above.index)))]
        if head.relation in ("xcomp", "ccomp") and all(token.text != ";" for token in between):
            lemma = above.lemma.lower()
            if lemma == "have" and any(c.text.lower() == "yet" for c in self._phrases.children(above)):
                return False
            flipped = lemma in _FAILS or (lemma in _DENIES and head.relation == "ccomp")
            return (not flipped) if self.polarity(above) else lemma in _FAILS
        return True

    def _is_kept_from(self, head: Token, above: Token) -> bool:
        """Whether it is left undone: "without signing", "advised against signing", "prevented from signing"."""
        opened = {c.text.lower() for c in self._phrases.children(head) if c.relation in ("mark", "case")}
        kept = above.lemma.lower() in _PREVENTS and head.tag == "VBG"
        return bool(opened & _LEFT_OUT) or (kept and "from" in opened)

    def _is_negative_phrase(self, token: Token) -> bool:
        alone = token.text.lower() in ("nobody", "nothing", "none", "neither")
        both = any(
            c.text.lower() == "neither" and c.relation == "cc:preconj" for c in self._phrases.children(token)
        )
        return alone or both or self._phrases.determiner(token) in ("no", "neither")

    def tense(self, head: Token) -> Tense:
        """By the helping verbs and the verb's form, empty where they do not tell."""
        words = [c for c in self._phrases.children(head) if c.relation in ("aux", "aux:pass", "cop")]
        if any(c.text.lower() in ("will", "shall", "’ll", "'ll") for c in words):
            return "future"
        tags = {c.tag for c in [*words, head]}
        if "VBD" in tags or any(c.text.lower() in ("was", "were", "had", "did") for c in words):
            return "past"
        if tags & {"VBZ", "VBP"}:
            return "past" if head.tag == "VBN" and any(c.lemma == "have" for c in words) else "present"
        return "past" if head.tag == "VBN" else ""
