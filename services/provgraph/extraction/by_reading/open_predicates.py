"""Predicates beside the vocabulary of relations that are worth storing: verbs that tell an event or a lasting state.

Verbs that need their whole sentence to be understood ("allow", "see", "take") are none of them.
"""

from __future__ import annotations

from typing import Final

_NAMES: Final = frozenset(
    """accuse acquit adapt administer adopt advise affiliate air ally annex appear appoint arrest associate
    attack audit base beat besiege block bombard border broadcast build buy bypass campaign capture cede certify
    coach collaborate collide commission compete connect conquer construct contain convert convict cooperate
    cover credit criticize cross crown debut dedicate defeat defend deliver depict deport develop direct
    distribute draft edit elect endorse enter evacuate exile explore export feature fight finance follow form
    found fund govern honor honour host house import imprison indict induct inherit inspire interview introduce
    invade join launch lease lend liberate license link list locate lose manage manufacture map measure meet
    mentor merge model name negotiate nominate occupy operate oppose originate outperform oversee own partner
    perform play portray praise premiere present promote publish purchase rank ratify rebuild receive record
    register regulate release rename replace represent rescue result sample sell sentence serve settle sign sing
    sink situate sponsor star stream study succeed sue supersede supply support surrender surround survey teach
    test tour trade train transfer transform translate transmit travel treat twin venerate
    vest visit vote write""".split()
)
_VALUES: Final = frozenset(
    """appear average award collect contain cost cover donate earn employ gross house last measure own pay publish
    receive record release score sell serve ship span spend stretch weigh win""".split()
)
_PREPOSITIONS: Final = frozenset("about against at by for from in into of on over to under with as".split())
_NOT_OF_VALUES: Final = frozenset({"as", "about", "of", "with"})


def with_name(relation: str) -> bool:
    """Whether an open predicate ("play with") tells something of two names."""
    return _is_among(relation, _NAMES)


def with_value(relation: str) -> bool:
    """Whether it tells how much of something."""
    return _is_among(relation, _VALUES) and relation.partition(" ")[2] not in _NOT_OF_VALUES


def _is_among(relation: str, verbs: frozenset[str]) -> bool:
    verb, _, preposition = relation.partition(" ")
    return verb in verbs and (not preposition or preposition in _PREPOSITIONS)
