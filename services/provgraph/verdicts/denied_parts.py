"""What a sentence denies of one part of a statement, beside what is so: "six hens, but no cockerels"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from provgraph.reading.clause_manner import is_denied_alone
from provgraph.reading.phrase_words import is_set_against
from provgraph.reading.phrases import Phrases
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.verdicts.things import Statement, Thing


def denied_parts(
    statement: Statement, sentence: ParsedSentence, phrases: Phrases, thing: Callable[[Token], Thing]
) -> Iterator[Statement]:
    """The statement with what is denied in the place of what is so, denied: of "into the Duo but not into the Compact"
    the latter."""

    def denied(role: str, token: Token) -> Statement:
        slots = {**statement.slots, role: [replace(thing(token), denied=False)]}
        return replace(statement, slots=slots, positive=False)

    for role, some in statement.slots.items():
        for token in (c for each in some for c in phrases.children(each.token) if c.relation == "conj"):
            is_none = any(c.text.lower() == "no" and c.relation == "det" for c in phrases.children(token))
            if is_none or is_set_against(token, sentence):
                yield denied(role, token)
    if statement.clause >= 0 and not statement.lemma.startswith("rel:"):
        for token in phrases.children(sentence.tokens[statement.clause]):
            if token.relation == "obl" and is_denied_alone(token, sentence) and phrases.case(token):
                yield denied(f"@{phrases.case(token)}", token)
