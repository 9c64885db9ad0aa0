"""Traces and what changed between two of them as lines of text, in the form that the specification of `tg-
invoke-graph-rag` shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from provgraph.cli.options import counted
from provgraph.cli.terminal import shortened

Json = dict[str, Any]

HEADS: Final = ("Element", "The evidence says", "So it is")
WIDEST: Final = 48
"""Characters of a column; what is longer ends in an ellipsis."""


def step_name(explain_id: str) -> str:
    """What an `explain_id` names: session, grounding, retrieval, check, reformulation, reranking, selection, answer."""
    parts = explain_id.split(":")
    return parts[3] if parts[2] == "prov" else parts[2]


def edge_lines(edge: Json) -> Iterator[str]:
    """One selected edge: its labels, why it was chosen, and where it was read."""
    yield f"    Edge: {fact_text(edge)}"
    yield f"      Reason: {edge['reasoning']}"
    if way := ": ".join(filter(None, (edge.get("found_by"), edge.get("found_along")))):
        yield f"      Found by: {way}"
    if "rerank_score" in edge:
        yield f"      Reranked: {edge['rerank_score']:g} of 10"
    places = dict.fromkeys(map(source_path, edge.get("sources", [])))
    yield from (f"      Source: {place}" for place in places)
    for made in dict.fromkeys(
        extraction_text(s["extraction"]) for s in edge.get("sources", []) if "extraction" in s
    ):
        yield f"      Read by: {made}"
    for past in edge.get("past_sources", []):
        yield f"      Was read in: {past['title']}, page {past['page_number']}: “{shortened(past['text'])}”"
    yield from contradiction_lines(edge.get("contradictions", []), "      ")


def source_path(source: Json) -> str:
    return f"Chunk {source['chunk_number']} → Page {source['page_number']} → {document_name(source)}"


def chunk_lines(chunk: Json) -> Iterator[str]:
    """One selected chunk: where it stands, and why it was chosen."""
    yield f"    {source_path(chunk)}" if chunk["title"] else f"    {chunk['chunk']} (no longer there)"
    yield f"      Reason: {chunk['reasoning']}"


def contradiction_lines(found: list[Json], indent: str = "") -> Iterator[str]:
    """The facts that contradict one, each with how many documents say it."""
    if found:
        yield f"{indent}Contradicted by {counted(len(found), 'fact')}"
    for fact in found:
        said = f"said in {counted(fact['documents'], 'document')}"
        yield f"{indent}  {fact_text(fact)}: {fact['attribute']}, {said}"


def fact_text(fact: Json) -> str:
    return f"({fact['subject']}, {fact['relation']}, {fact['object']})"


def extraction_text(made: Json) -> str:
    """Who read a fact: extractor, version, model; for one from outside, that this is what its file says."""
    model = f", model {made['model']}" if made.get("model") else ""
    told = f"{made['label']} {made['version']}{model}"
    return f"not read here: {received_text(made['received'])} says {told}" if made.get("received") else told


def received_text(received: Json) -> str:
    """The file by which something came."""
    return f"{received['file']}, received {received['at'][:10]},"


def place_text(source: Json) -> str:
    """Where a sentence stands, from its document's title down to its characters."""
    span = f"characters {source['start']}–{source['end']}"
    return f"{document_name(source)}, page {source['page_number']}, chunk {source['chunk_number']}, {span}"


def selection_lines(trace: Json, scores: bool = False) -> Iterator[str]:
    if trace.get("chunk_count"):
        yield f"  Selected {len(trace['selected_chunks'])} chunk(s)"
        for chunk in trace["selected_chunks"]:
            yield from chunk_lines(chunk)
            if scores:
                yield f"      Score: {chunk['score']:.2f}"
        return
    yield f"  Selected {len(trace['selected'])} edge(s)"
    for edge in trace["selected"]:
        yield from edge_lines(edge)
        if scores:
            yield f"      Score: {edge['score']:.2f}"


def without_retrieval_paths(trace: Json) -> Json:
    """A trace that does not tell how retrieval ranked, and what led to each edge."""
    selected = [{**edge, "found_by": "", "found_along": ""} for edge in trace["selected"]]
    return {**trace, "method": "", "selected": selected}


def retrieval_lines(trace: Json) -> Iterator[str]:
    """How candidates were ranked, what made the score of each document, and which entities were taken as one."""
    if method := trace.get("method"):
        numbers = ", ".join(trace.get("parameters", []))
        yield f"  Ranked by {method}{f' ({numbers})' if numbers else ''}"
    yield from (
        f"  {document['document']}: {document['reasoning']}" for document in trace.get("documents", [])
    )
    yield from (f"  Taken as one: {each['reasoning']}" for each in trace.get("taken_as_one", []))


def check_lines(trace: Json) -> Iterator[str]:
    """The last check of what was retrieved."""
    for check in trace["checks"][-1:]:
        found = {True: "Relevant", False: "Not relevant", None: "Not checked"}[check.get("relevant")]
        yield f"  {found}{f': {reason}' if (reason := check['reasoning']) else ''}"
        if by := check.get("agent"):
            yield f"    as {by} found"


def reformulation_lines(trace: Json) -> Iterator[str]:
    if reformulation := trace.get("reformulation"):
        yield f"  {reformulation['query']}"


def reranking_lines(trace: Json) -> Iterator[str]:
    if reranking := trace.get("reranking"):
        yield f"  {reranking['edge_count']} edge(s) scored by {reranking['agent']}"


STEP_LINES: Final[dict[str, Callable[[Json], Iterator[str]]]] = {
    "retrieval": retrieval_lines,
    "check": check_lines,
    "reformulation": reformulation_lines,
    "reranking": reranking_lines,
    "selection": selection_lines,
}
"""What there is to say of a step when it has just happened, from the trace as it stands then."""


_FIRST_WORDS: Final = 6


def evidence_lines(answer: str, citations: list[Json], *, is_shown: bool = False) -> Iterator[str]:
    """Each sentence of an answer with the places of its words; by its first words where the answer `is_shown` above."""
    for number, citation in enumerate(citations, 1):
        sentence = answer[citation["start"] : citation["end"]]
        places = [
            f"{document_name(source)}, page {source['page_number']}, characters {source['start']}–{source['end']}"
            for source in citation["sources"]
        ]
        if not citation["supported"]:
            places.append("not supported by anything that was selected")
        if is_shown and len(citations) == len(places) == 1:
            yield f"[{number}] {places[0]}"
            return
        yield f"[{number}] {_first_words(sentence) if is_shown else shortened(sentence)}"
        yield from (f"    {place}" for place in places)


def _first_words(sentence: str) -> str:
    words = sentence.split()
    return f"{' '.join(words[:_FIRST_WORDS])} …" if len(words) > _FIRST_WORDS else " ".join(words)


def document_name(source: Json) -> str:
    """The title of a document with the name of its file, where that says more: two may have one title."""
    title, file = str(source["title"]), str(source.get("source") or "").replace("\\", "/").rpartition("/")[2]
    return f"{title} ({file})" if file and title not in (file, file.rpartition(".")[0]) else title


def chunk_place(chunk: Json) -> str:
    """A chunk's document and page; no page where it was taken out meanwhile."""
    number = chunk.get("page_number")
    return document_name(chunk) + ("" if number is None else f", page {number}")


def trace_lines(trace: Json) -> Iterator[str]:
    """A whole stored trace, down to the sentences of the pages."""
    yield f"[session] {trace['session']}"
    yield f"  {shortened(trace['query'], 600)}"
    yield f"  {trace['started']} → {trace.get('ended') or 'still running'}: {trace.get('outcome') or 'no outcome yet'}"
    yield from _circumstance_lines(trace)
    if author := trace.get("author"):
        yield f"  written by {author}, checked by version {trace['version']}"
    if trace.get("failure"):
        yield f"  {trace['failure']}"
    if receipt := trace.get("receipt"):
        yield f"  not answered here: {received_text(receipt)} brought it"
    yield from (f"  stale: {reason}" for reason in trace["stale"])
    yield f"[grounding] {', '.join(trace['concepts']) or 'no concept'}"
    yield f"[retrieval] {_retrieved(trace)}"
    yield from retrieval_lines(trace)
    yield from _correction_lines(trace)
    yield "[selection]"
    yield from selection_lines(trace, scores=True)
    yield from _quoted_lines(trace)
    yield f"  Rejected: {_rejected_text(trace)}"
    if answer := trace.get("answer"):
        yield f"[answer] {answer['id']}"
        yield f"  {answer['text']}"
        yield from short_answer_lines(answer)
        yield from verdict_lines(answer)
        yield from checked_claim_lines(answer)
    yield from (f"[warning] {warning}" for warning in trace.get("warnings", []))
    for call in trace.get("calls", []):
        read, written = call.get("in_token", "?"), call.get("out_token", "?")
        yield f"[{call['step']}] {call['model']}: {read} tokens in, {written} out, {call['duration_ms']} ms"
        yield f"  {call['prompt']}"


def verdict_lines(answer: Json) -> Iterator[str]:
    """How sure a verdict is, and where the words for and against the claim stand; nothing of other answers."""
    verdict = answer.get("verdict")
    if verdict is None:
        return
    yield f"[verdict] {verdict['label']}"
    yield f"  confidence {verdict['confidence']:.0%}"
    yield from element_lines(verdict["elements"])
    for sentence in answer["sentences"]:
        if stance := sentence.get("stance"):
            yield from (f"  {stance}: {place_text(source)}" for source in sentence["sources"])


def checked_claim_lines(answer: Json) -> Iterator[str]:
    """The claims of a text that was checked, each with its table and where the words stand."""
    for sentence in answer["sentences"]:
        claim = sentence.get("claim")
        if claim is None:
            continue
        yield f"[claim] {claim['label']}: {shortened(claim['text'], 200)}"
        yield f"  confidence {claim['confidence']:.0%}, characters {claim['start']}–{claim['end']} of the text"
        yield from element_lines(claim["elements"])
        yield from (f"  {place_text(source)}" for source in sentence["sources"])
        if (supports := claim.get("cited_supports")) is not None:
            yield f"  What it cites {'supports' if supports else 'does not support'} it."


def _retrieved(trace: Json) -> str:
    if count := trace.get("chunk_count"):
        return f"{count} chunks"
    return f"{trace['edge_count']} edges, from {_listed([seed['label'] for seed in trace['entities']])}"


def _rejected_text(trace: Json) -> str:
    if trace.get("chunk_count"):
        return f"{len(trace['passed_over_chunks'])} chunk(s)"
    return f"{len(trace['passed_over'])} edge(s)"


def _correction_lines(trace: Json) -> Iterator[str]:
    """The checks with what followed from each, and the reranking."""
    first, second = trace.get("checks", [])[:1], trace.get("checks", [])[1:]
    if first:
        yield "[check]"
        yield from check_lines({"checks": first})
    if reformulation := trace.get("reformulation"):
        yield f"[reformulation] {reformulation['query']}"
        yield f"[retrieval] {reformulation['edge_count']} edges, by {', '.join(reformulation['concepts'])}"
    if second:
        yield "[check]"
        yield from check_lines({"checks": second})
    if trace.get("reranking"):
        yield "[reranking]"
        yield from reranking_lines(trace)


def _circumstance_lines(trace: Json) -> Iterator[str]:
    """How the question was asked, where that was not as usual."""
    if trace.get("again"):
        yield f"  asks again: {trace['again']}"
    if trace["settings"]:
        yield f"  settings: {', '.join(trace['settings'])}"
    yield from (f"  without: {document}" for document in trace["without_documents"])
    for edge in trace["without_edges"]:
        parts = (edge[place].get("i") or edge[place].get("v", "") for place in ("s", "p", "o"))
        yield f"  without: {' | '.join(parts)}"


def _listed(names: list[str], most: int = 8) -> str:
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more entities" if rest > 0 else "") or "no entity"


def _quoted_lines(trace: Json) -> Iterator[str]:
    quoted: dict[tuple[str, int], Json] = {}
    for edge in trace["selected"]:
        for source in edge["sources"]:
            quoted.setdefault((source["page"], source["start"]), source)
    if quoted:
        yield "  Read from"
    for source in quoted.values():
        yield f"    “{shortened(source['text'], 160)}”"
        place = f"page {source['page_number']}, characters {source['start']}–{source['end']}"
        yield f"      {document_name(source)}, {place}"


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


def short_answer_lines(answer: Json) -> Iterator[str]:
    """The short answer of a trace with its derivation: each step with what it used beneath it."""
    short = answer.get("short_answer")
    if not short:
        return
    yield f"[short answer] {short['text']} ({short['kind']})"
    steps = {step["id"]: step for step in short["steps"]}
    yield from _step_lines(steps[short["derivation"]], steps, "  ", "  ")


def _step_lines(step: Json, steps: dict[str, Json], first: str, rest: str) -> Iterator[str]:
    yield f"{first}{step['operation']} → {step['value']}: {step['explanation']}"
    branches = [*(steps[node] for node in step["earlier"]), *step["inputs"]]
    for number, branch in enumerate(branches, 1):
        is_last = number == len(branches)
        lead, below = rest + ("└─ " if is_last else "├─ "), rest + ("   " if is_last else "│  ")
        if isinstance(branch, str):
            yield lead + branch
        else:
            yield from _step_lines(branch, steps, lead, below)


def element_lines(elements: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A line for each element, below their headings; nothing where there is no element."""
    rows = [HEADS, *(_row(element) for element in elements)]
    if len(rows) == 1:
        return
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for row in rows:
        yield f"  {row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]}"


def _row(each: dict[str, Any]) -> tuple[str, str, str]:
    evidence = each.get("evidence")
    said = f"“{shortened(evidence['text'], WIDEST)}”" if evidence else "–"
    return f"“{shortened(each['element'], WIDEST)}”", said, each["relation"]
