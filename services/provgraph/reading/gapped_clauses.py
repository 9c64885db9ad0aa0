"""A clause whose verb is left out because the one before has it, said in full: "Ada bought the farm, Eric the mill" →
"Eric bought the mill."; "Water is included, gas is not" → "gas is not included."

Parsers hang the rest of such a clause anywhere, so it is told by the order of words (Ross 1970, "Gapping and the order
of constituents").
"""

from __future__ import annotations

from typing import Final

from provgraph.reading.syntax import ParsedSentence, Token

_JOINING: Final = frozenset((",", ";", "and", "while", "whereas", "but"))
_VERBAL: Final = ("VERB", "AUX")
_NOMINAL: Final = ("NOUN", "PROPN", "PRON")
_BEGINS: Final = ("DET", "ADP", "NUM")


def gapped_clause(text: str, sentence: ParsedSentence) -> str:
    """The last clause of a sentence of `text` in full; empty where nothing is left out."""
    tokens = [token for token in sentence.tokens if token.text not in ".!?"]
    root = next((t for t in sentence.roots if t.pos in _VERBAL), None)
    verbs = _verbs(sentence, root) if root is not None else []
    after = verbs[-1].index if verbs else len(tokens)
    joints = [i for i, token in enumerate(tokens) if token.text.lower() in _JOINING and token.index > after]
    denied = (_denied(text, tokens[:at], tokens[at + 1 :]) for at in joints)
    filled = (_filled(text, verbs, tokens[:at], tokens[at + 1 :]) for at in reversed(joints))
    said = next(filter(None, (*denied, *filled)), "")
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def _verbs(sentence: ParsedSentence, root: Token) -> list[Token]:
    """The verb of the first clause with its helping verbs, in a row; none where it has no subject before it."""
    children = sentence.children[root.index]
    has_subject = any(c.relation.startswith("nsubj") and c.index < root.index for c in children)
    helping = [c for c in children if c.relation.startswith(("aux", "cop")) and c.index < root.index]
    return [*helping, root] if has_subject else []


def _filled(text: str, verbs: list[Token], first: list[Token], rest: list[Token]) -> str:
    """ "Eric the mill" with the verb between its two phrases, of which the clause before has the like behind it."""
    if any(token.pos in _VERBAL for token in rest):
        return ""
    starts = (i for i in range(1, len(rest)) if rest[i].pos in _BEGINS and rest[i - 1].pos in _NOMINAL)
    cut = next((i for i in starts if rest[i].text.lower() != "of"), 0)
    if not cut or not any(token.pos in (*_NOMINAL, "NUM") for token in rest[cut:]):
        return ""
    behind = [token for token in first if token.index > verbs[-1].index]
    if not behind or not _is_like(behind, rest[cut]):
        return ""
    return " ".join((_text(text, rest[:cut]), _text(text, verbs), _text(text, rest[cut:])))


def _is_like(behind: list[Token], opening: Token) -> bool:
    """Whether a clause has a phrase that begins as another does: by the same preposition, or by none."""
    if opening.pos == "ADP":
        return any(token.text.lower() == opening.text.lower() for token in behind)
    return behind[0].pos in ("DET", "NUM", *_NOMINAL)


def _denied(text: str, first: list[Token], rest: list[Token]) -> str:
    """ "gas is not" with what the clause before says of the other thing."""
    helper = next((i for i, token in enumerate(rest) if token.pos == "AUX"), 0)
    tail = [token.text.lower() for token in rest[helper + 1 :]]
    if not helper or tail not in (["not"], []) or any(token.pos == "VERB" for token in rest):
        return ""
    helping = [token for token in first if token.pos == "AUX"]
    if not helping:
        return ""
    behind = [token for token in first if token.index > helping[0].index]
    return " ".join((_text(text, rest), _text(text, behind))) if behind else ""


def _text(text: str, tokens: list[Token]) -> str:
    return text[tokens[0].start : tokens[-1].end]
