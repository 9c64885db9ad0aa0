"""What a question asks for is told by its question words, in six languages, and found in texts by its form."""

from __future__ import annotations

import pytest

from provgraph.language.asked_kinds import Kind, asked_kind, has_kind

ASKED: list[tuple[str, Kind]] = [
    ("Who designed the mill?", "person"),
    ("When was it built?", "date"),
    ("Since when has it stood there?", "date"),
    ("How long may the guests stay?", "duration"),
    ("How much does the ticket cost?", "money"),
    ("What percentage of the wood was sold?", "share"),
    ("How many trees were felled?", "number"),
    ("In which village does he live?", "place"),
    ("What did they agree on?", ""),
    ("Who was there when it burnt down?", "person"),
    ("Wer leitet den Betrieb?", "person"),
    ("Wie lange dauert die Fahrt?", "duration"),
    ("Wie hoch ist der Turm?", "number"),
    ("Où se trouve la gare ?", "place"),
    ("Combien coûte le billet ?", "money"),
    ("¿Cuándo abrió el museo?", "date"),
    ("¿Quién fundó la escuela?", "person"),
    ("Dove si trova il ponte?", "place"),
    ("Quanto costa l'ingresso?", "money"),
    ("这座桥是什么时候建成的？", "date"),
    ("门票多少钱？", "money"),
    ("谁设计了这座桥？", "person"),
]

SAID: list[tuple[str, Kind, bool | None]] = [
    ("It was opened on 3 May 1931.", "date", True),
    ("They may leave.", "date", False),
    ("It was opened by the mayor.", "date", False),
    ("Guests may stay for up to six weeks.", "duration", True),
    ("Die Frist beträgt vierzehn Tage.", "duration", True),
    ("Entry is €4.", "money", True),
    ("Der Eintritt kostet 4 Euro.", "money", True),
    ("Entry is free.", "money", False),
    ("A third of it was sold.", "share", True),
    ("Seven trees were felled.", "number", True),
    ("The trees were felled.", "number", False),
    ("The plans were drawn by Ada Novak.", "person", True),
    ("The plans were drawn in haste.", "person", False),
    ("门票十五元。", "money", True),
    ("桥建成于1931年。", "date", True),
    ("李明设计了这座桥。", "person", None),
    ("Anything at all.", "", None),
]


@pytest.mark.parametrize(("question", "kind"), ASKED)
def test_a_question_tells_what_it_asks_for(question: str, kind: Kind) -> None:
    assert asked_kind(question) == kind


@pytest.mark.parametrize(("text", "kind", "present"), SAID)
def test_a_text_has_it_or_has_it_not(text: str, kind: Kind, present: bool | None) -> None:
    assert has_kind(text, kind) is present
