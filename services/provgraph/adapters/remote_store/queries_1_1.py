"""Queries of SPARQL 1.2 over a store of RDF 1.1: what asks for triple terms asks for the nodes that stand for them.

    ?subgraph tg:contains <<( ?s ?p ?o )>>

becomes

    GRAPH urn:provgraph:quotations { ?q1 rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o }
    ?subgraph tg:contains ?q1

and `SUBJECT(?edge)` becomes a variable that a like pattern binds where there is something to bind. A term without
variables is its node. Nothing is parsed: the query is tokens, of which some are put in others' place, and whatever
cannot be written so is refused with the reason.

The graph of quotations holds those of all collections. No `GRAPH ?g` of a user sees it, and no IRI may name it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pyoxigraph import NamedNode, QuerySolutions, Store, Triple

from provgraph.adapters.remote_store.connection import StoreConnection
from provgraph.adapters.remote_store.pattern_queries import OWN_GRAPHS
from provgraph.adapters.remote_store.quotations import DESCRIBED, Quotations, shown_term
from provgraph.adapters.remote_store.rdf_1_1 import NODES, QUOTATIONS, written_term
from provgraph.errors import Forbidden, InvalidQuery, NotProvided, TooLarge
from provgraph.ports.quad_store import Solution
from provgraph.rdf.terms import Term
from provgraph.rdf.vocabulary import PREFIXES, RDF
from provgraph.sparql.quad_data import with_values
from provgraph.sparql.query import SparqlQuery, read_query
from provgraph.sparql.tokens import QueryToken, declared_prefixes, resolved_iri, unescaped

_PROLOGUE: Final = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())
_PARTS: Final = {"SUBJECT": "qs", "PREDICATE": "qp", "OBJECT": "qo"}
_AGGREGATES: Final = ("COUNT", "SUM", "MIN", "MAX", "AVG", "SAMPLE", "GROUP_CONCAT")
_AFTER_WHERE: Final = ("ORDER", "HAVING", "GROUP")
_CLOSING: Final = {")": "(", "}": "{", "]": "[", ")>>": "<<("}
_MADE_UP_AT_MOST: Final = 600
"""Variables: for each of them the query is read back to where its triples begin."""
_OF_A_STORE: Final = ("bif:", "sql:")
"""Schemes by which Virtuoso calls functions of its own, which may read files and more."""


@dataclass(frozen=True)
class PlainQuery:
    """`text` is SPARQL 1.1. `composed` are variables that are three of its columns, put together; `hidden` are columns
    that the user did not ask for.
    """

    text: str
    reads_quotations: bool
    is_graph: bool
    composed: Mapping[str, tuple[str, str, str]]
    hidden: frozenset[str]

    def names(self, columns: Sequence[str]) -> list[str]:
        """The columns of the result, in the order of the query as far as they are the store's own."""
        return [*self.composed, *(name for name in columns if name not in self.hidden)]


def plain_query(query: SparqlQuery) -> PlainQuery:
    """The query for a store of RDF 1.1, without its FROM clauses: the dataset is chosen by the protocol.

    Raises `NotProvided` for what cannot be written so, and `Forbidden` for what only one store understands.
    """
    return _Rewriting(query).made()


@dataclass
class _Rewriting:
    """`texts` are the tokens that the grammar sees, as they are to stand; `before` is what comes before them."""

    query: SparqlQuery
    read: list[QueryToken] = field(init=False)
    texts: list[str] = field(init=False)
    before: dict[int, list[str]] = field(default_factory=dict)
    opened_by: dict[int, int] = field(default_factory=dict)
    closed_by: dict[int, int] = field(default_factory=dict)
    composed: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    looked_up: set[tuple[int, str]] = field(default_factory=set)
    made_up: set[str] = field(default_factory=set)
    inside: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.read = [token for token in self.query.tokens if token.is_read]
        star = self.query.triple_terms
        brackets = {"<<": "<<(", ">>": ")>>"}
        self.texts = [brackets[t.text] if t.start in star else t.text for t in self.read]
        self.prefixes = declared_prefixes(self.read)
        self._match_brackets()

    def made(self) -> PlainQuery:
        self._refuse()
        for at, text in enumerate(self.texts):
            if text == "<<(":
                self._term(at)
        for at, token in enumerate(self.read):
            if token.kind == "word" and self._opens(at + 1):
                self._function(at, token.text.upper())
            elif token.is_word("GRAPH"):
                self._named_graph(at)
            elif token.is_word("FROM"):
                self._drop_from(at)
        text = "".join(self._written())
        is_graph = any(token.is_word("CONSTRUCT", "DESCRIBE") for token in self.read)
        own = {token.text[1:] for token in self.read if token.kind == "variable"}
        parts = {part for parts in self.composed.values() for part in parts}
        hidden = frozenset((self.made_up | parts) - ({*self.composed} | (own - parts)))
        return PlainQuery(_PROLOGUE + text, QUOTATIONS.value in text, is_graph, self.composed, hidden)

    def _written(self) -> Iterator[str]:
        """The text, with the spaces of the user: Oxigraph reads no space after the name of a function."""
        at = 0
        for token in self.query.tokens:
            if token.is_read:
                yield from (f" {text} " for text in self.before.get(at, ()))
                yield self.texts[at]
                at += 1
            else:
                yield token.text if token.kind == "space" else "\n"
        yield from (f" {text} " for text in self.before.get(at, ()))

    def _match_brackets(self) -> None:
        open_at: list[int] = []
        for at, text in enumerate(self.texts):
            is_mark = self.read[at].kind == "mark"
            if is_mark and text in _CLOSING and open_at:
                self.opened_by[at] = open_at.pop()
                self.closed_by[self.opened_by[at]] = at
            self.inside.append(open_at[-1] if open_at else -1)
            if is_mark and text in _CLOSING.values():
                open_at.append(at)
        if open_at:
            raise InvalidQuery(f"The bracket {self.texts[open_at[-1]]} is not closed.")

    def _refuse(self) -> None:
        for at, token in enumerate(self.read):
            text = self.texts[at]
            if text in ("<<", "{|", "~") and token.kind == "mark":
                raise NotProvided(
                    f"The store knows RDF 1.1, and {text!r} cannot be asked of it. "
                    "Write the edge as ?quotation rdf:reifies <<( ?s ?p ?o )>> instead."
                )
            iri = resolved_iri(token, self.prefixes)
            if iri is None or (at and self.read[at - 1].is_word("PREFIX")):
                continue
            iri = unescaped(iri)
            if at and self.read[at - 1].is_word("BASE"):
                if iri.lower().startswith(("urn:", *_OF_A_STORE)):
                    raise Forbidden(
                        "BASE is for addresses such as http://example.org/. Write other IRIs in full."
                    )
                continue
            calls = self._opens(at + 1) and not iri.startswith(PREFIXES["xsd"])
            if calls or iri.lower().startswith(_OF_A_STORE) or iri == QUOTATIONS.value:
                raise Forbidden(
                    f"<{iri[:80]}> is not for queries of users. "
                    "Use the functions of SPARQL 1.1 and casts to the datatypes of XML Schema."
                )

    def _opens(self, at: int) -> bool:
        return at < len(self.texts) and self.texts[at] == "("

    def _term(self, at: int) -> None:
        """Put a node, or a variable for one, in the place of the term that begins here."""
        if not self.texts[at]:
            return
        end = self.closed_by[at]
        tokens = self.read[at + 1 : end]
        if not any(token.kind in ("variable", "blank") for token in tokens):
            self._replace(at, end, str(written_term(self._ground(at, end))))
            return
        variable = self._fresh()
        for inner in range(at + 1, end):  # inner terms first: their variables stand in this one's pattern
            if self.texts[inner] == "<<(":
                self._term(inner)
        inside = [text for text in self.texts[at + 1 : end] if text]
        subject, predicate, object_ = inside[0], inside[1], " ".join(inside[2:])
        pattern = (
            f"{RDF.subject} {subject} ; {RDF.predicate} {_verb(predicate)} ; "
            f"{RDF.object} {self._object(object_)}"
        )
        self._replace(at, end, variable)
        self._put_before(self._block_start(at), f"GRAPH {QUOTATIONS} {{ {variable} {pattern} }}")

    def _object(self, text: str) -> str:
        """The object of a term as the store has it."""
        if text.startswith("?") or text.startswith("$") or text.startswith("<"):
            return text
        return str(written_term(self._parsed(text)))

    def _ground(self, at: int, end: int) -> Term:
        return self._parsed(" ".join(self.texts[at : end + 1]))

    def _parsed(self, text: str) -> Term:
        declared = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in self.prefixes.items())
        try:
            rows = Store().query(f"{declared} SELECT ?t {{ VALUES ?t {{ {text} }} }}")
        except SyntaxError as error:
            raise InvalidQuery(f"{text[:80]} is no term.") from error
        assert isinstance(rows, QuerySolutions)
        (row,) = rows
        term: Term = row["t"]
        return term

    def _block_start(self, at: int) -> int:
        """Where the triples begin that have the term at this place as an object."""
        if not self._enclosing(at, "{"):
            raise NotProvided(
                "The store knows RDF 1.1, and a quoted edge with variables can be asked of it as an object only. "
                "Bind it by a pattern, and compare its SUBJECT, PREDICATE and OBJECT."
            )
        first = self.inside[at]
        if first < 0 or self._is_template(first):
            raise NotProvided(
                "The store knows RDF 1.1, and CONSTRUCT cannot make quoted edges of it. Use SELECT with TRIPLE."
            )
        start = at
        while start > first + 1:
            text = self.texts[start - 1]
            if text == "." or text == "}" or (text == ")" and self._is_call(self.opened_by[start - 1])):
                break
            start = self.opened_by.get(start - 1, start - 1)
        return start

    def _is_call(self, opening: int) -> bool:
        """Whether the parenthesis belongs to FILTER, BIND or a function, not to a path."""
        return opening > 0 and self.read[opening - 1].kind == "word"

    def _is_template(self, opening: int) -> bool:
        return opening > 0 and self.read[opening - 1].is_word("CONSTRUCT")

    def _enclosing(self, at: int, mark: str) -> bool:
        opening = self.inside[at]
        return opening >= 0 and self.read[opening].text == mark

    def _function(self, at: int, name: str) -> None:
        if name in _PARTS:
            self._part(at, name)
        elif name == "ISTRIPLE":
            self._is_triple(at)
        elif name == "TRIPLE":
            self._compose(at)

    def _part(self, at: int, name: str) -> None:
        variable, close = self._only_variable(at)
        plain = variable[1:]
        looked_up = f"?{plain}_{_PARTS[name]}"
        self._limit()
        self.made_up.update(f"{plain}_{part}" for part in _PARTS.values())
        described = DESCRIBED
        for part in _PARTS.values():
            described = described.replace(f"?{part}", f"?{plain}_{part}")
        place, is_of_select = self._place_of_lookup(at)
        if (place, variable) not in self.looked_up:
            self.looked_up.add((place, variable))
            node = self._fresh()  # always bound: a variable that is not would have the parts of every edge
            self._put_before(place, f"BIND(COALESCE({variable}, {QUOTATIONS}) AS {node})")
            self._put_before(place, f"OPTIONAL {{ GRAPH {QUOTATIONS} {{ {node} {described} }} }}")
        is_grouped = is_of_select and self._is_grouped(place) and not self._in_aggregate(at)
        self._replace(at, close, f"SAMPLE({looked_up})" if is_grouped else looked_up)

    def _only_variable(self, at: int) -> tuple[str, int]:
        close = self.closed_by[at + 1]
        inside = self.read[at + 2 : close]
        if len(inside) != 1 or inside[0].kind != "variable":
            raise NotProvided(
                f"The store knows RDF 1.1, and {self.read[at].text} takes one variable there. Bind the edge first."
            )
        return inside[0].text, close

    def _place_of_lookup(self, at: int) -> tuple[int, bool]:
        """Before which token the parts of a term are looked up; whether it is the end of a query's own WHERE."""
        outer = at
        while (opening := self.inside[outer]) >= 0 and self.read[opening].text == "(":
            outer = opening
        if self.read[outer - 1].is_word("BIND"):
            return outer - 1, False
        group = self.inside[outer]
        for before in range(outer, group, -1):
            if self.inside[before] != group:
                continue
            if self.read[before].is_word("SELECT"):
                return self.closed_by[self._next_group(before)], True
            if self.read[before].is_word(*_AFTER_WHERE):
                return self._group_before(before), True
        return self.closed_by[group], False

    def _next_group(self, at: int) -> int:
        while self.texts[at] != "{":
            at = self.closed_by.get(at, at) + 1
        return at

    def _group_before(self, at: int) -> int:
        while self.texts[at] != "}":
            at -= 1
        return at

    def _is_grouped(self, close: int) -> bool:
        for token in self.read[close + 1 :]:
            if token.is_word("GROUP"):
                return True
            if token.is_mark("}", "{"):
                break
        return False

    def _in_aggregate(self, at: int) -> bool:
        opening = self.inside[at]
        while opening > 0 and self.read[opening].text == "(":
            if self.read[opening - 1].is_word(*_AGGREGATES):
                return True
            opening = self.inside[opening]
        return False

    def _is_triple(self, at: int) -> None:
        variable, close = self._only_variable(at)
        self._replace(at, close, f'(isIRI({variable}) && STRSTARTS(STR({variable}), "{NODES}"))')

    def _compose(self, at: int) -> None:
        """`(TRIPLE(?s, ?p, ?o) AS ?t)` of the outermost SELECT: its parts are selected, and put together here."""
        close = self.closed_by[at + 1]
        parts = [token.text for token in self.read[at + 2 : close] if token.kind == "variable"]
        is_selected = self.inside[self.inside[at]] < 0 and self.read[close + 1].is_word("AS")
        if len(parts) != 3 or close - at != 7 or not is_selected:
            raise NotProvided(
                "The store knows RDF 1.1, and makes no quoted edges in the middle of a query. "
                "Select (TRIPLE(?s, ?p, ?o) AS ?edge) of three variables."
            )
        name = self.read[close + 2].text[1:]
        subject, predicate, object_ = (part[1:] for part in parts)
        self.composed[name] = subject, predicate, object_
        self._replace(at - 1, close + 3, " ".join(dict.fromkeys(parts)))

    def _named_graph(self, at: int) -> None:
        """`GRAPH ?g { … }` of a user does not see the graph of quotations."""
        if at + 2 >= len(self.read) or self.read[at + 1].kind != "variable":
            return
        close = self.closed_by[at + 2]
        self._put_before(at, "{")
        self._put_before(
            close + 1, f'FILTER(STRSTARTS(STR({self.read[at + 1].text}), "{OWN_GRAPHS}")) }}', first=True
        )

    def _drop_from(self, at: int) -> None:
        end = at + 2 if self.read[at + 1].is_word("NAMED") else at + 1
        self._replace(at, end, "")

    def _fresh(self) -> str:
        self._limit()
        number = len(self.made_up) + 1
        while f"?q{number}" in self.query.text or f"q{number}" in self.made_up:
            number += 1
        self.made_up.add(f"q{number}")
        return f"?q{number}"

    def _limit(self) -> None:
        if len(self.made_up) > _MADE_UP_AT_MOST:
            raise TooLarge("The query asks for too many quoted edges at once. Split it into several queries.")

    def _replace(self, at: int, end: int, text: str) -> None:
        self.texts[at : end + 1] = [text, *[""] * (end - at)]

    def _put_before(self, at: int, text: str, first: bool = False) -> None:
        others = self.before.setdefault(at, [])
        others.insert(0 if first else len(others), text)


def _verb(text: str) -> str:
    return str(RDF.type) if text == "a" else text


def read_row(row: Mapping[str, Term], plain: PlainQuery) -> dict[str, Term]:
    """A solution as the user asked for it."""
    made = {name: term for name, term in row.items() if name not in plain.hidden}
    for name, parts in plain.composed.items():
        subject, predicate, object_ = (row.get(part) for part in parts)
        if isinstance(subject, NamedNode) and isinstance(predicate, NamedNode) and object_ is not None:
            made[name] = Triple(subject, predicate, object_)
    return made


def selected(
    connection: StoreConnection, quotations: Quotations, query: str, bindings: Mapping[str, Term]
) -> list[Solution]:
    """The solutions of a SELECT query of our own, with what the nodes in them stand for as far as it is described."""
    text = with_values(query, {name: _bound(term) for name, term in bindings.items()})
    plain = plain_query(read_query(text, star=False))
    columns, rows = connection.table(plain.text)
    bound = [{name: term for name in columns if (term := row[name]) is not None} for row in rows]
    terms = quotations.terms(term for row in bound for term in row.values())
    return [read_row({name: shown_term(term, terms) for name, term in row.items()}, plain) for row in bound]


def _bound(term: Term) -> Term:
    return term if isinstance(term, Triple) else written_term(term)
