"""Turns of phrase straightened after the words are English: voice, complements, modals, tenses, appositions."""

from __future__ import annotations

from typing import Final

from provgraph.reading.entity_types import type_of_noun
from provgraph.reading.glosses.words import DROPS_SUBJECTS, KINDS_IN_NAMES, GlossedSentence, GlossedWord

_CHANGES: Final = frozenset({"die", "become", "come", "leave", "settle", "emigrate", "move"})
"""Verbs that French joins to "être" and that are active all the same."""
_GOALS: Final = frozenset(
    {"sell", "move", "emigrate", "belong", "dedicate", "award", "flee", "marry", "succeed"}
)
"""Verbs behind which French "à" is "to" and not "in"."""
_SCHOOLS: Final = frozenset({"study", "graduate", "teach", "educate", "work", "train", "lecture"})
"""Verbs behind which it is "at"."""
_RELATIVE: Final = frozenset({"who", "which", "that"})


def mend_voice(sentence: GlossedSentence) -> None:
    for verb in [word for word in sentence.words if word.pos == "VERB"]:
        helpers = [word for word in sentence.children(verb) if word.relation.startswith("aux")]
        be = next((word for word in helpers if word.lemma == "be"), None)
        participle = verb.tag == "VBN"
        passive = verb.is_turned or (be is not None and participle and verb.lemma not in _CHANGES)
        if verb.is_turned and be is None and not helpers and verb.tag in ("VBD", "VBZ"):
            be = sentence.insert(verb, "be", verb.tag)
        if be is not None:
            be.relation = "aux:pass" if passive else "aux"
            be.lemma = be.lemma if passive else "have"
            alone = len(helpers) <= 1
            be.tag = "VBD" if verb.tense == "Past" and alone and not be.mood_is_open else be.tag
        if verb.is_turned:
            verb.tag = "VBN"
        for word in sentence.children(verb):
            if word.relation in ("nsubj", "nsubj:pass"):
                word.relation = "nsubj:pass" if passive else "nsubj"
            if verb.relation == "acl" and word.lemma in _RELATIVE:
                verb.relation = "acl:relcl"


def mend_complements(sentence: GlossedSentence) -> None:
    """ "par" behind what is done is by whom; "à" is "to" behind some verbs; a complement with a preposition is none
    without one."""
    for case in [word for word in sentence.words if word.relation == "case" and word.head is not None]:
        noun = case.head
        assert noun is not None
        verb = noun.head
        if verb is None:
            continue
        if case.text in ("by", "for") and noun.relation in ("obj", "obl", "obl:agent"):
            passive = verb.tag == "VBN" and not any(
                word.lemma == "have" and word.relation == "aux" for word in sentence.children(verb)
            )
            noun.relation = "obl:agent" if passive and case.lemma == "by" else "obl"
        elif noun.relation in ("obj", "iobj", "xcomp"):
            noun.relation = "obl"
        if noun.pos == "NUM" and case.text in ("of", "in") and case.origin_text in ("de", "à", "a"):
            case.text = case.lemma = "from" if case.text == "of" else "to"
            noun.head, noun.relation = _verb_above(noun), "obl"
            continue
        if verb.lemma == "married" and case.text in ("in", "with"):
            case.text = case.lemma = "to"
        elif case.text == "in" and verb.lemma == "flow":
            case.text = case.lemma = "into"
        elif case.text == "in" and verb.lemma in _SCHOOLS:
            case.text = case.lemma = "at"
        elif case.text == "in" and case.origin_text == "à" and verb.lemma in _GOALS:
            case.text = case.lemma = "to"


def _verb_above(word: GlossedWord) -> GlossedWord | None:
    above = word.head
    while above is not None and above.pos != "VERB" and above.head is not None:
        above = above.head
    return above


def mend_modals(sentence: GlossedSentence) -> None:
    """ "peut fonder": the verb that says what is done carries the other."""
    for modal in [word for word in sentence.words if word.pos == "VERB" and word.lemma in ("may", "must")]:
        verb = next((word for word in sentence.children(modal) if word.relation in ("xcomp", "ccomp")), None)
        if verb is None:
            continue
        verb.head, verb.relation = modal.head, modal.relation
        for word in list(sentence.children(modal)):
            word.head = verb
        modal.head, modal.relation, modal.pos, modal.tag = verb, "aux", "AUX", "MD"


def mend_tenses(sentence: GlossedSentence) -> None:
    """What is to come and what would be have a word of their own in English."""
    for word in [word for word in sentence.words if word.pos in ("VERB", "AUX")]:
        lemma = "may" if word.mood == "Cnd" else "will" if word.tense == "Fut" else ""
        carrier = word.head if word.relation.startswith(("aux", "cop")) and word.head is not None else word
        if lemma and word.tag != "MD":
            added = sentence.insert(word, lemma, "MD", "aux")
            added.head = carrier
            word.tag = "VB"


def mend_appositions(sentence: GlossedSentence) -> None:
    """ "le chimiste Pierre Curie": the name carries the trade."""
    for name in [word for word in sentence.words if _may_follow_its_kind(sentence, word)]:
        trade = name.head
        if trade is None or trade.is_name or trade.pos not in ("NOUN", "ADJ"):
            continue
        own = [word for word in sentence.children(name) if word.relation == "compound"]
        before = sentence.words[max(0, sentence.index((own or [name])[0]) - 1)]
        if before is not trade and name.relation == "appos" and before.pos == "NOUN" and not before.is_name:
            name.head = trade = before
        if before is not trade:
            continue
        kind = type_of_noun(trade.lemma)
        if kind != "Person":
            entity = kind.upper() if kind in KINDS_IN_NAMES else name.entity.partition("-")[2] or "OTHER"
            trade.is_name, trade.text = True, trade.text.capitalize()
            for word in (trade, *own, name):
                word.entity = f"B-{entity}" if word is trade else f"I-{entity}"
        name.head, name.relation = trade.head, trade.relation
        for word in list(sentence.children(trade)):
            word.head = name
        trade.head, trade.relation = name, "compound"
        trade.pos, trade.tag = ("PROPN", "NNP") if trade.is_name else ("NOUN", "NN")


def _may_follow_its_kind(sentence: GlossedSentence, word: GlossedWord) -> bool:
    return (
        word.is_name
        and word.relation in ("appos", "flat", "nmod", "amod", "compound")
        and not any(other.relation == "case" for other in sentence.children(word))
    )


def mend_subjects(sentence: GlossedSentence) -> None:
    """ "Lise Orval, la fondatrice, a vendu …": a bare name before the verb is who does it, and its trade stands
    beside it; "Lise Orval, née …" is said of the name."""
    for verb in [word for word in sentence.words if word.pos == "VERB"]:
        subject = next((word for word in sentence.children(verb) if word.relation.startswith("nsubj")), None)
        name = next((word for word in sentence.children(verb) if _is_bare_name(sentence, word, verb)), None)
        if name is None or (subject is not None and subject.is_name):
            continue
        if subject is None and sentence.glossary.language not in DROPS_SUBJECTS:
            name.relation = "nsubj"
        elif subject is None:
            continue
        elif any(word.text == "," for word in sentence.between(name, subject)):
            name.relation, subject.head, subject.relation = subject.relation, name, "appos"
    for participle in [word for word in sentence.words if word.tag == "VBN" and word.relation == "advcl"]:
        at = sentence.index(participle)
        if at > 1 and sentence.words[at - 1].text == "," and sentence.words[at - 2].is_name:
            participle.head, participle.relation = sentence.words[at - 2], "acl"


def _is_bare_name(sentence: GlossedSentence, word: GlossedWord, verb: GlossedWord) -> bool:
    return (
        word.is_name
        and word.relation in ("obl", "nmod", "dislocated", "dep", "advmod", "obj")
        and word.entity != "I-DATE"
        and sentence.index(word) < sentence.index(verb)
        and not any(other.relation == "case" for other in sentence.children(word))
    )


def mend_participles(sentence: GlossedSentence) -> None:
    """ "Fondée en 1921, la société emploie …": what is done before the comma hangs on the clause behind it."""
    root = next((word for word in sentence.words if word.head is None), None)
    if (
        root is None
        or root.tag != "VBN"
        or any(w.relation.startswith(("nsubj", "aux")) for w in sentence.children(root))
    ):
        return
    clause = next((word for word in sentence.children(root) if word.relation in ("conj", "parataxis")), None)
    if clause is not None and any(word.relation.startswith("nsubj") for word in sentence.children(clause)):
        clause.head, clause.relation, root.head, root.relation = None, "root", clause, "advcl"
