"""What a language model had to do with a step of a session, as quads. Examples are held as those of `trace`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from provgraph.rdf import literals
from provgraph.rdf.iris import SessionNames
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.rdf.vocabulary import TG


@dataclass(frozen=True)
class Usage:
    """What a model needed; None where its endpoint does not count."""

    model: str = ""
    in_tokens: int | None = None
    out_tokens: int | None = None
    duration_ms: int = 0


def call_quads(
    names: SessionNames, step: str, usage: Usage, prompt_hash: str, graph: NamedNode
) -> list[Quad]:
    """The call that a step made: its cost, and under which IRIs the library keeps what was read and answered.

    <urn:trustgraph:prov:answer:1> tg:llmModel "m" ; tg:inToken 512 ; tg:outToken 40 ; tg:llmDurationMs 900 ;
        tg:promptHash "5feceb66ffc8" ; tg:prompt <urn:trustgraph:prompt:1:answer> ;
        tg:reply <urn:trustgraph:reply:1:answer> .
    """
    node = names.step(step)
    counts = ((TG.in_token, usage.in_tokens), (TG.out_token, usage.out_tokens))
    return [
        Quad(node, TG.llm_model, literals.text(usage.model), graph),
        *(Quad(node, term, literals.integer(count), graph) for term, count in counts if count is not None),
        Quad(node, TG.llm_duration_ms, literals.integer(usage.duration_ms), graph),
        Quad(node, TG.prompt_hash, literals.text(prompt_hash), graph),
        Quad(node, TG.prompt, names.prompt(step), graph),
        Quad(node, TG.reply, names.reply(step), graph),
    ]


def warning_quads(names: SessionNames, step: str, warnings: Sequence[str], graph: NamedNode) -> list[Quad]:
    """What a reader of a step should be warned of.

    <urn:trustgraph:prov:selection:1> tg:warning "The model failed. The edges were selected without it." .
    """
    return [Quad(names.step(step), TG.warning, literals.text(warning), graph) for warning in warnings]


def ignored_quads(names: SessionNames, step: str, ignored: int, graph: NamedNode) -> list[Quad]:
    """How many lines of what a model said of candidates named none, or one a second time, or could not be read.

    <urn:trustgraph:prov:selection:1> tg:ignoredLines 2 .
    """
    return [Quad(names.step(step), TG.ignored_lines, literals.integer(ignored), graph)]
