"""What kind of thing a name or a noun stands for, said only where the words make it safe.

The types are those of `propositions.ENTITY_TYPES`. The evidence is a noun that is said of the thing ("a physicist"),
a part of the name itself (University, River, Dr.), or the parser's label where no other word speaks against it.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from provgraph.language import wordnet

_NOUNS: Final = {
    "Person": """actor actress architect artist astronaut astronomer athlete attorney author aunt banker baron biologist
        bishop botanist boxer boy brother businessman businesswoman captain cardinal chef chemist child
        coach comedian commander composer conductor countess cousin cricketer critic cyclist dancer
        daughter designer diplomat director doctor drummer duchess duke dramatist economist editor
        emperor empress engineer entrepreneur executive explorer farmer father filmmaker footballer
        founder girl golfer governor guitarist historian husband inventor investor journalist judge king
        knight lady lawyer leader linguist lyricist man manager mathematician mayor merchant minister
        missionary monarch monk mother musician naturalist nephew niece novelist nun nurse officer
        painter philosopher photographer physician physicist pianist playwright poet politician pope
        presenter president priest prince princess producer professor prophet psychologist queen rapper
        ruler saint scholar scientist sculptor screenwriter secretary senator singer sister skater
        soldier son songwriter statesman student surgeon swimmer teacher theologian trader translator
        uncle violinist vocalist warrior wife woman wrestler writer goalkeeper midfielder striker
        defender activist surfer sailor chairman zoologist bassist feminist researcher inhabitant
        employee worker person player winner host broadcaster singer-songwriter people victim migrant
        slave monk dramatist magician translator programmer lecturer spokesman spokesperson spokeswoman
        agent owner partner relative settler ambassador baseball-player passenger tourist visitor citizen
        couple parent spouse""",
    "Organization": """agency airline army association band bank board broadcaster brewery bureau business charity
        church clinic club laboratory college committee commission company congress corporation council court
        department division duo enterprise faculty federation firm foundation government institute
        institution league library manufacturer ministry museum navy newspaper nonprofit organisation
        organization orchestra parliament party publisher regiment retailer school senate society startup
        studio subsidiary team trio union university hospital academy legislature seminary choir ensemble
        squad label""",
    "Place": """airport area bay borough bridge building canal capital castle cathedral city commune community continent
        country county desert district farm forest fort gulf hamlet harbor harbour highway hill island
        islands kingdom lake moon mountain municipality neighborhood neighbourhood ocean palace park
        parish peninsula planet port prefecture province region republic reservoir river road sea
        settlement stadium state stream street suburb territory town township valley village volcano ward
        waterfall crater residence temple birthplace hometown location lighthouse tower factory mill
        hotel house hall station strait pass trail garden cemetery cave glacier canyon hamlet locality""",
    "Work": """album anime ballad book comedy documentary drama episode essay film game journal magazine manga movie
        musical novel novella opera painting poem sculpture sitcom song soundtrack symphony thriller
        trilogy videogame mixtape series show franchise single sequel track statue portrait photograph
        memoir play""",
    "Event": """accident assassination battle campaign ceremony championship coup crisis disaster earthquake election
        epidemic festival flood games genocide hurricane invasion massacre olympics pandemic rebellion
        referendum revolt revolution riot siege summit tournament trial uprising war wedding conference
        strike""",
    "Award": "award prize medal scholarship fellowship honour honor trophy accolade",
}  # fmt: skip
_TYPE_OF_NOUN: Final = {noun: kind for kind, nouns in _NOUNS.items() for noun in nouns.split()}
_NOT_PEOPLE: Final = frozenset("list waist twist wrist mist exist checklist playlist waitlist".split())
_HONORIFIC: Final = re.compile(
    r"(?:Dr|Mr|Mrs|Ms|Prof|Professor|Sir|Dame|Lord|Lady|President|King|Queen|Prince|Princess|Pope|Saint|Captain"
    r"|General|Colonel|Senator|Governor|Judge|Justice|Emperor|Chancellor|Rev|Gen|Col|Capt|Lt|Sgt|Sen|Gov)\b\.?\s+[A-Z]"
)
_PARTS: Final = {
    "Organization": """University College Institute Academy Company Corporation Inc Inc. Ltd Ltd. Corp Corp. LLC GmbH AG
        Association Society Foundation Ministry Department Bureau Agency Commission Committee Council
        Bank Party League Union Organization Organisation Group Records Orchestra Museum Hospital
        Airlines Motors Industries Studios Church Army Navy Parliament Congress Senate Library School
        Club FC F.C. Press Entertainment Pictures Broadcasting Railway Federation Laboratory Laboratories
        Technologies Systems Co. plc Brothers Bros Sons Holdings Partners Foods Pharmaceuticals Electronics Airways
        Insurance LLP S.A. S.p.A. A/S AB N.V. B.V. KG Pty Oy Consulting Solutions Services Networks Communications
        Enterprises Ventures Properties Logistics Labs Chemicals Petroleum Semiconductors Securities""",
    "Place": """River Lake Mountain Mountains Island Islands County City Province District Bay Sea Ocean Park Street
        Avenue Road Square Valley Peninsula Airport Bridge Castle Palace Cathedral Republic Kingdom
        States Territory Township Village Desert Forest Canyon Highway Stadium Gulf Strait Hills Creek
        Falls Mount Fort Cape Borough Parish Tower""",
    "Event": """War Battle Olympics Championship Championships Cup Festival Revolution Treaty Tournament Games
        Conference
        Massacre Uprising Siege Earthquake Hurricane Election Crisis""",
    "Award": "Prize Award Awards Medal Grammy Oscar Oscars",
}  # fmt: skip
_TYPE_OF_PART: Final = {part: kind for kind, parts in _PARTS.items() for part in parts.split()}
_LEADING: Final = frozenset(
    "River Lake Mount Fort Cape University Battle Bank Museum Ministry Republic Treaty Siege".split()
)
_LABELS: Final = {
    "PERSON": "Person", "ORGANIZATION": "Organization", "PLACE": "Place", "WORK": "Work", "EVENT": "Event",
    "GROUP": "Group",
}  # fmt: skip
_MALE: Final = frozenset(
    "actor baron boy brother businessman chairman duke emperor father husband king man monk nephew prince priest son "
    "statesman uncle".split()
)
_FEMALE: Final = frozenset(
    "actress aunt businesswoman countess daughter duchess empress girl lady mother niece nun princess queen sister "
    "wife woman chairwoman".split()
)

_MALE_TITLES: Final = frozenset("Mr Sir Lord King Prince".split())
_FEMALE_TITLES: Final = frozenset("Mrs Ms Miss Lady Dame Queen Princess".split())


@lru_cache(maxsize=16_384)
def type_of_noun(noun: str) -> str:
    """The type of what a common noun (its lemma) is said of; empty where the noun does not tell."""
    lower = noun.lower()
    for form in (lower, lower.removesuffix("s"), lower.rpartition("-")[2]):
        if form in _TYPE_OF_NOUN:
            return _TYPE_OF_NOUN[form]
    if lower in _NOT_PEOPLE or len(lower) < 6:
        return ""
    return (
        "Person" if lower.endswith(("ist", "ologer", "grapher", "wright", "ician")) or is_trade(lower) else ""
    )


@lru_cache(maxsize=4_096)
def is_trade(noun: str) -> bool:
    """Whether a common noun is first of all for somebody by what he does for a living: "bookbinder", "librarian"."""
    return any(wordnet.is_kind_of(noun, kind, "n", 1) for kind in _TRADES)


_TRADES: Final = ("worker", "professional", "artist", "entertainer")


def is_office_noun(noun: str) -> bool:
    """Whether a common noun is for somebody, also a chair, who is no piece of furniture where offices are told."""
    lower = noun.lower()
    return lower == "chair" or type_of_noun(lower) == "Person" or wordnet.is_person(lower)


@lru_cache(maxsize=16_384)
def type_of_name(name: str) -> str:
    """The type that a name shows by itself: "University of Warsaw", "Dr. Reed", "France", "Nobel Prize"."""
    if _HONORIFIC.match(name):
        return "Person"
    if name in places():
        return "Place"
    parts = name.split()
    if (
        2 <= len(parts) <= 4
        and gender_of_name(name)
        and all(word[:1].isupper() for word in parts)
        and parts[-1] not in _TYPE_OF_PART
    ):
        return "Person"
    head = name.partition(" of ")[0].split() or parts
    for word in (head[-1], parts[-1], parts[0]):
        inside = word is not parts[0] or word in _LEADING
        if len(parts) > 1 and word in _TYPE_OF_PART and inside:
            return _TYPE_OF_PART[word]
    return ""


def type_of_label(label: str) -> str:
    """The type of a parser's entity label ("B-PERSON"); empty for values and OTHER."""
    return _LABELS.get(label[2:], "")


def gender_of_noun(noun: str) -> str:
    """ "male", "female" or empty, for a noun that is said of a person."""
    return "male" if noun in _MALE else "female" if noun in _FEMALE else ""


def gender_of_name(name: str) -> str:
    """ "male" or "female" by a first name or an honorific, empty where it does not tell."""
    first = name.split(" ")[0].rstrip(".")
    if first in _MALE_TITLES or first in _FEMALE_TITLES:
        return "male" if first in _MALE_TITLES else "female"
    return _first_names().get(first, "")


@cache
def _first_names() -> dict[str, str]:
    text = (files("provgraph.language") / "words" / "first_names.txt").read_text("utf-8")
    gender, genders = "", dict[str, str]()
    for word in (w for line in text.splitlines() if not line.startswith("#") for w in line.split()):
        if word.endswith(":"):
            gender = word.removesuffix(":")
        else:
            genders[word] = gender
    return genders


@cache
def demonyms() -> dict[str, str]:
    """What belongs to a place is called → the place: "Polish" → "Poland"."""
    table: dict[str, str] = {}
    for names, adjectives, _ in _rows():
        for adjective in adjectives:
            table.setdefault(adjective, names[0])
    return table


@cache
def places() -> frozenset[str]:
    """The names of the places of the list: countries, parts of them, large cities."""
    return frozenset(name for names, _, _ in _rows() for name in names)


@cache
def larger_places() -> dict[str, frozenset[str]]:
    """A place of the list → all names of all that it lies in: "Ohio" → "United States", "USA" …, "North America"."""
    names = {name: frozenset(row) for row, _, _ in _rows() for name in row}
    wholes = {name: whole for row, _, whole in _rows() for name in row}

    def above(name: str) -> frozenset[str]:
        whole = wholes.get(name, "")
        return names.get(whole, frozenset({whole})) | above(whole) if whole else frozenset()

    return {name: above(name) for name in wholes}


def _rows() -> list[tuple[list[str], list[str], str]]:
    text = (files("provgraph.language") / "words" / "places.txt").read_text("utf-8")
    rows = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            names, adjectives, whole, *_ = (line + "||").split("|")
            rows.append(
                (
                    [n.strip() for n in names.split(",")],
                    [a.strip() for a in adjectives.split(",") if a.strip()],
                    whole.strip(),
                )
            )
    return rows
