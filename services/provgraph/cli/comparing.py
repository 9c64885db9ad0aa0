"""What changed between two answers, and why an edge is not behind one, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from provgraph.cli.explanation import Json, fact_text
from provgraph.cli.options import counted

_MARKS: Final = {"same": " ", "removed": "-", "added": "+"}


def difference_lines(found: Json) -> Iterator[str]:
    """The verdict, the edges that were lost, gained and kept, and the answer as a diff of its sentences."""
    before, after = found["before"], found["after"]
    yield f"Compared with {before['session']} of {before['started'][:19]}:"
    yield f"  the answer {'changed' if found['changed'] else 'is the same'}"
    if before["outcome"] != after["outcome"]:
        yield f"  {before['outcome']} before, {after['outcome']} now"
    counts = ", ".join(f"{len(found[kind])} {kind}" for kind in ("kept", "lost", "gained"))
    yield f"  edges: {counts}"
    for kind, mark in (("lost", "-"), ("gained", "+"), ("kept", " ")):
        for edge in found[kind]:
            yield f"    {mark} {_scored(edge)}"
            if edge.get("why"):
                yield f"        {'now' if kind == 'lost' else 'before'}: {edge['why']}"
    if found["changed"]:
        yield "  the answer, - before, + now:"
        yield from (f"    {_MARKS[piece['kind']]} {piece['text']}" for piece in found["answer"])


def _scored(edge: Json) -> str:
    scores = [f"{edge[side]:.2f}" for side in ("before", "after") if edge.get(side) is not None]
    return f"{fact_text(edge)}  {' → '.join(scores)}"


def why_not_lines(found: Json) -> Iterator[str]:
    """What became of each edge that was asked about."""
    for edge in found["edges"]:
        yield fact_text(edge)
        yield f"  {edge['status']}{_ranked(edge)}"
        yield f"  in the graph now: {_yes(edge['now'])}; when the question was asked: {_yes(edge['then'])}"
        yield f"  {edge['reason']}"
        if edge["terms"]:
            yield f"  words met: {', '.join(edge['terms_met']) or 'none'} of {', '.join(edge['terms'])}"
        yield from (f"  would have needed {needed}" for needed in edge["needed"])
    if found["more"]:
        yield f"… and {counted(found['more'], 'edge')} more. Name one: SUBJECT | RELATION | OBJECT."


def _ranked(edge: Json) -> str:
    if edge["rank"] is None:
        return f", among {counted(edge['retrieved'], 'edge')} retrieved"
    return f", number {edge['rank']} of {counted(edge['retrieved'], 'edge')} retrieved, score {edge['score']:.2f}"


def _yes(known: bool | None) -> str:
    return "not known" if known is None else "yes" if known else "no"
