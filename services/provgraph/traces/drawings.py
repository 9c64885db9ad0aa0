"""A graph that stands for something stored, over HTTP: drawn, or as places for a program that draws it itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from anyio import to_thread
from fastapi import Response

from provgraph.pictures.graph import Graph
from provgraph.rdf.json_terms import term_to_json, triple_to_json
from provgraph.rdf.terms import Term, Triple
from provgraph.wire.picture import STANDS_ALONE, PlacedGraph, PlacedRelation, PlacedThing

if TYPE_CHECKING:
    from provgraph.pictures.layout import Box

Form = Literal["svg", "png"]


@dataclass(frozen=True)
class Drawing:
    """A graph with what its parts stand for, by id: the terms of nodes, the facts of edges.

    `sentences` are those of an answer that rest on an edge, from 1.
    """

    graph: Graph
    terms: Mapping[str, Term] = field(default_factory=dict)
    facts: Mapping[str, Triple] = field(default_factory=dict)
    sentences: Mapping[str, Sequence[int]] = field(default_factory=dict)

    async def picture(self, form: Form) -> Response:
        """Raises `Unavailable` for a PNG where there is nothing to make it."""
        from provgraph.pictures import svg  # numpy is slow to import, and most commands draw nothing

        drawn = await to_thread.run_sync(svg.svg, self.graph)
        if form == "svg":
            return Response(drawn, media_type=svg.MEDIA_TYPE, headers=STANDS_ALONE)
        pixels = await to_thread.run_sync(svg.png, drawn)
        return Response(pixels, media_type=svg.PNG, headers=STANDS_ALONE)

    async def places(self, collection: str) -> PlacedGraph:
        """Of the same nodes and edges as in the picture."""
        from provgraph.pictures.layout import layout

        placement = await to_thread.run_sync(layout, self.graph)
        return PlacedGraph(
            title=placement.graph.title,
            collection=collection,
            width=round(placement.width, 1),
            height=round(placement.height, 1),
            nodes=[
                PlacedThing(
                    **_box(placed.box, placed.lines), **asdict(placed.node), term=self._term(placed.node.id)
                )
                for placed in placement.nodes
            ],
            edges=[
                PlacedRelation(
                    **_box(placed.box, placed.lines),
                    **asdict(placed.edge),
                    sentences=list(self.sentences.get(placed.edge.id, ())),
                    triple=self._fact(placed.edge.id),
                )
                for placed in placement.edges
            ],
        )

    def _term(self, node: str) -> dict[str, Any] | None:
        return term_to_json(self.terms[node]) if node in self.terms else None

    def _fact(self, edge: str) -> dict[str, Any] | None:
        return triple_to_json(self.facts[edge]) if edge in self.facts else None


def _box(box: Box, lines: tuple[str, ...]) -> dict[str, Any]:
    return {**{name: round(value, 1) for name, value in asdict(box).items()}, "lines": list(lines)}
