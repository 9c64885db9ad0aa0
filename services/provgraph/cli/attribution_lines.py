"""The verdicts on the claims of a text, as lines: each with its table and the words it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from provgraph.cli.answer_sources import FileSource
from provgraph.cli.explanation import shortened
from provgraph.cli.options import counted
from provgraph.cli.verdict_tables import element_lines

Json = dict[str, Any]


def report_lines(report: Json, sources: Sequence[FileSource]) -> Iterator[str]:
    """Each claim, and behind them how many got which verdict."""
    for number, claim in enumerate(report["claims"], 1):
        yield from claim_lines(number, claim, sources)
        yield ""
    yield summary_line(report["summary"])
    if session := report["summary"].get("session"):
        yield f"Trace: {session}"


def claim_lines(number: int, claim: Json, sources: Sequence[FileSource]) -> Iterator[str]:
    sure = f" (confidence {claim['confidence']:.2f})" if is_decided(claim) else ""
    yield f"{number}. {verdict_words(claim)}{sure}: {shortened(claim['text'], 400)}"
    if claim["missing"]:
        yield f"  {claim['missing']}"
    if "not a claim" in claim["notes"]:
        return
    yield from element_lines(claim["elements"])
    for place in claim["evidence"]:
        yield f"  “{shortened(place['text'], 400)}”"
        yield f"    {place_words(place, sources)}"
    if cited := cited_words(claim):
        yield f"  {cited}"
    yield from (f"  Note: {note}" for note in claim["notes"])


def is_decided(claim: Json) -> bool:
    return bool(claim["verdict"] != "NOT ENOUGH INFO")


def verdict_words(claim: Json) -> str:
    return "NOT A CLAIM" if "not a claim" in claim["notes"] else str(claim["verdict"])


def place_words(place: Json, sources: Sequence[FileSource]) -> str:
    """Where words stand: source, page where it has several, and characters."""
    source = next((each for each in sources if each.id == place["source"]), None)
    name, start = place.get("title") or place["source"], place["start"]
    page = place.get("page_number")
    if source is not None and len(source.pages) > 1:
        page, start = source.page_number(start), source.on_page(start)
    on_page = f", page {page}" if page else ""
    return f"{name}{on_page}, characters {start}–{start + place['end'] - place['start']}"


def cited_words(claim: Json) -> str:
    """Whether what a claim cites supports it; nothing where it cites nothing."""
    cited = ", ".join(f"[{each}]" if each.isdecimal() else each for each in claim["cited"])
    if not cited:
        return ""
    if claim["cited_supports"] is None:
        return f"Cites {cited}; no source has that number or name."
    names = ", ".join(claim["cited_sources"])
    return (
        f"Cites {cited} ({names}), which {'supports' if claim['cited_supports'] else 'does not support'} it."
    )


def summary_line(summary: Json) -> str:
    parts = [
        f"{summary['supported']} supported",
        f"{summary['refuted']} refuted",
        f"{summary['not_enough_info']} not enough information",
    ]
    said = f"{counted(summary['claims'], 'claim')}: {', '.join(parts)}."
    if summary["not_claims"]:
        said += f" {counted(summary['not_claims'], 'other sentence')} not judged."
    if summary["cited"]:
        cite = "cites" if summary["cited"] == 1 else "cite"
        said += (
            f" {counted(summary['cited'], 'claim')} {cite} a source, "
            f"which supports {summary['cited_supported']} of them."
        )
    return said
