"""What kind of thing a name stands for, said only where the words make it safe.

The closed list: Person, Organization, Place, Work, Event, Concept. Dates, numbers and metrics are values. The
evidence is a noun that the sentence applies to the thing ("X is a physicist"), a part of the name itself
(University, River, Dr.), or a place that the name has in the sentence ("was born in X"). What a thing is said
to be is a Concept.
"""

from __future__ import annotations

import re

from provgraph.extraction.model_free.word_classes import words

TYPES = ("Person", "Organization", "Place", "Work", "Event", "Concept")

_NOUNS = {
    "Person": """actor actress architect artist astronaut astronomer athlete attorney author banker baron
        baseball-player biologist bishop botanist boxer brother businessman businesswoman captain
        cardinal chef chemist child coach comedian commander composer conductor countess cricketer
        critic cyclist dancer daughter designer diplomat director doctor drummer duchess duke
        dramatist economist editor emperor empress engineer entrepreneur executive explorer farmer
        father filmmaker footballer founder geologist golfer governor guitarist historian husband
        inventor investor journalist judge king lawyer leader linguist lyricist man manager
        mathematician mayor merchant minister missionary monarch monk mother musician naturalist
        novelist nurse officer painter philosopher photographer physician physicist pianist
        playwright poet politician pope presenter president priest prince princess producer
        professor prophet psychologist queen rapper ruler saint scholar scientist sculptor
        screenwriter senator singer sister skater soldier son songwriter statesman student surgeon
        swimmer teacher theologian trader translator violinist warrior wife woman wrestler writer
        goalkeeper midfielder striker defender activist surfer sailor chairman botanist zoologist
        bassist vocalist swimmer economist feminist""",
    "Organization": """agency airline army association band bank board broadcaster brewery bureau business
        charity church club college committee commission company congress corporation council court
        department division duo enterprise faculty federation firm foundation government group
        institute institution league library manufacturer ministry museum network newspaper
        nonprofit office organisation organization orchestra parliament party publisher regiment
        retailer school senate society startup studio subsidiary team trio union university workshop
        hospital academy legislature seminary choir ensemble squad""",
    "Place": """airport area bay borough bridge building canal capital castle cathedral city commune
        community continent country county desert district farm forest fort gulf hamlet harbor
        harbour highway hill island islands kingdom lake moon mountain municipality neighborhood
        neighbourhood ocean palace park parish peninsula planet port prefecture province region
        republic reservoir river road sea settlement stadium state stream street suburb territory
        town township valley village volcano ward waterfall woreda crater residence temple""",
    "Work": """album anime ballad book comedy documentary drama episode essay film game journal magazine
        manga movie musical novel novella opera painting poem sculpture sitcom soap-opera song
        soundtrack symphony thriller trilogy videogame mixtape series show franchise single sequel
        track programme statue drawing portrait photograph""",
    "Event": """accident assassination battle campaign ceremony championship coup crisis disaster earthquake
        election epidemic festival final flood games genocide hurricane invasion massacre olympics
        pandemic rebellion referendum revolt revolution riot siege summit tournament trial uprising
        war""",
}
_TYPE_OF_NOUN = {noun: kind for kind, nouns in _NOUNS.items() for noun in nouns.split()}
_SUFFIXES = (
    ("ist", "Person"),
    ("ologist", "Person"),
    ("grapher", "Person"),
    ("wright", "Person"),
    ("ician", "Person"),
)
_NOT_A_PERSON = frozenset(["list", "waist", "twist", "wrist", "mist", "exist", "artist-run"])

_HONORIFIC = re.compile(
    r"(?:Dr|Mr|Mrs|Ms|Prof|Professor|Sir|Dame|Lord|Lady|President|King|Queen|Prince|Princess|Pope|Saint|Captain"
    r"|General|Colonel|Senator|Governor|Judge|Justice|Emperor|Chancellor|Rev|Gen|Col|Capt|Lt|Sgt|Sen|Gov)\b\.?\s+[A-Z]"
)
_NAME_PARTS = {
    "Organization": """University College Institute Academy Company Corporation Inc Inc. Ltd Ltd. Corp Corp.
        LLC GmbH AG Association Society Foundation Ministry Department Bureau Agency Commission
        Committee Council Bank Party League Union Organization Organisation Group Records Orchestra
        Museum Hospital Airlines Motors Industries Studios Church Army Navy Parliament Congress
        Senate Library School Club FC F.C. United Press Entertainment Pictures Broadcasting Railway
        Federation Laboratory Laboratories Technologies Systems""",
    "Place": """River Lake Mountain Mountains Island Islands County City Province District Bay Sea Ocean
        Park Street Avenue Road Square Valley Peninsula Airport Bridge Castle Palace Cathedral
        Republic Kingdom States Territory Township Village Desert Forest Canyon Highway Stadium Gulf
        Strait Hills Creek Falls Mount Fort Cape Borough Parish""",
    "Event": """War Battle Olympics Championship Championships Cup Festival Revolution Treaty Tournament
        Games Conference Massacre Uprising Siege Earthquake Hurricane Election Crisis""",
}
_LEADING_PARTS = words("River Lake Mount Fort Cape University Battle Bank Museum Ministry Republic")
_TYPE_OF_PART = {part: kind for kind, parts in _NAME_PARTS.items() for part in parts.split()}
_FIRST_NAMES = words(
    "Adam Albert Alexander Alfred Alice Andrew Anna Anne Anthony Arthur Barbara Benjamin Betty Brian Carl "
    "Caroline Catherine Charles Charlotte Christopher Daniel David Dennis Diana Donald Dorothy Edward "
    "Elizabeth Emily Emma Eric Ernest Francis Frank Frederick George Gerald Hannah Harold Harry Helen "
    "Henry Hugh Isaac Jack Jacob James Jane Janet Jason Jean Jennifer Jessica Joan Joe John Jonathan "
    "Joseph Joshua Judith Julia Karen Karl Kenneth Kevin Laura Lawrence Linda Lisa Louis Lucy Margaret "
    "Maria Marie Mark Martha Martin Mary Matthew Michael Michelle Nancy Nathan Nicholas Oliver Oscar Otto "
    "Pamela Patricia Patrick Paul Peter Philip Pierre Rachel Ralph Raymond Rebecca Richard Robert Roger "
    "Ronald Rose Russell Ruth Samuel Sandra Sarah Scott Sharon Simon Sophie Stephen Steven Susan Theodore "
    "Thomas Timothy Tom Victor Victoria Walter Wilhelm William"
)
_PERSON_VERBS = frozenset(
    (
        "was born",
        "died",
        "married",
        "graduated",
        "studied",
        "retired",
        "grew up",
        "was educated",
        "was raised",
    )
)


def type_of_noun(noun: str) -> str:
    """The type of what a common noun, in singular or plural, is said of; empty if it does not tell."""
    lower = noun.lower()
    for form in (lower, lower.removesuffix("s"), lower.removesuffix("ies") + "y", lower.removesuffix("es")):
        if form in _TYPE_OF_NOUN:
            return _TYPE_OF_NOUN[form]
    if lower in _NOT_A_PERSON or len(lower) < 6:
        return ""
    return next((kind for ending, kind in _SUFFIXES if lower.removesuffix("s").endswith(ending)), "")


def type_of_name(label: str) -> str:
    """The type that a proper name shows by itself: "University of Warsaw", "Dr. Who", "Marie Curie"."""
    if _HONORIFIC.match(label):
        return "Person"
    parts = label.split()
    head = label.partition(" of ")[0].split()
    for word in (head or parts)[-1:] + parts[-1:] + parts[:1]:
        last_only = word is parts[0] and word not in _LEADING_PARTS
        if len(parts) > 1 and word in _TYPE_OF_PART and not last_only:
            return _TYPE_OF_PART[word]
    if 2 <= len(parts) <= 4 and parts[0] in _FIRST_NAMES and all(word[0].isupper() for word in parts):
        return "Person"
    return ""


def type_of_subject(relation: str) -> str:
    """Person, where only a person can be the subject of `relation`."""
    return "Person" if any(relation.startswith(verb) for verb in _PERSON_VERBS) else ""


def type_of_object(relation: str) -> str:
    """Place, where only a place follows `relation`, if it is a name."""
    return "Place" if relation in ("was born in", "is located in", "lives in", "moved to", "died in") else ""
