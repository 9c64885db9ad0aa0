"""What is read of a flow's answer, its trace and its pages; and what the baseline makes of passages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from provgraph.errors import Conflict, Unavailable
from provgraph.evaluation.passages import PassageIds
from provgraph.evaluation.questions import (
    NOT_ENOUGH_INFO,
    REFUTES,
    SUPPORTS,
    CorpusPassage,
    EvaluationQuestion,
    QuestionSet,
)
from provgraph.evaluation.replies import FAILED, REFUSED, WITHOUT, Declined
from provgraph.evaluation.running import EvaluationRun, EvaluationRunner
from provgraph.evaluation.runs import RunFolder
from provgraph.evaluation.systems import FlowSystem, PassageRag, best_sentence, label_by_words
from provgraph.evaluation.wordings import QuestionWording
from unit.evaluation.cases import CURIE, question
from unit.evaluation.scripted_service import Json, ScriptedService

SOURCE = {
    "document": "urn:trustgraph:doc:p%2F1",
    "title": "Polonium",
    "page": "urn:page",
    "page_number": 1,
    "chunk": "urn:trustgraph:doc:p%2F1/chunk/x",
    "chunk_number": 1,
    "start": 2,
    "end": 2 + len(CURIE),
    "text": CURIE,
}
ANSWER: Json = {
    "response": CURIE,
    "outcome": "answered",
    "session": "s",
    "citations": [
        {"start": 0, "end": len(CURIE), "supported": True, "edges": ["urn:e"], "sources": [SOURCE]}
    ],
}
TRACE: Json = {
    "edge_count": 9,
    "selected": [
        {
            "subject": "A",
            "relation": "r",
            "object": "B",
            "score": 0.2,
            "sources": [SOURCE | {"text": "late"}],
        },
        {
            "subject": "Curie",
            "relation": "discovered",
            "object": "polonium",
            "score": 0.9,
            "sources": [SOURCE],
        },
    ],
}
IDS = PassageIds(["p/1"])
ASKED = QuestionWording(question(), "original", "Who discovered polonium?")


def flow(service: ScriptedService, name: str = "graph-rag") -> FlowSystem:
    return FlowSystem(service, name, {"edge_limit": 5}, IDS)


def test_a_flows_answer_is_read_with_its_trace_and_its_pages() -> None:
    service = ScriptedService(lambda _: ANSWER, {"s": TRACE}, pages={"urn:page": f"> {CURIE} And so on."})
    said = flow(service).reply(ASKED, "c")
    assert service.asked == [
        {"flow": "graph-rag", "edge_limit": 5, "query": "Who discovered polonium?", "collection": "c"}
    ]
    assert (said.text, said.edges) == (CURIE, ("urn:e",))
    assert said.facts == (("A", "r", "B"), ("Curie", "discovered", "polonium"))
    assert [(each.passage, each.exact) for each in said.cited] == [("p/1", True)]
    assert said.context is not None
    assert [each.text for each in said.context] == [CURIE, "late"], "the best edge first"


@pytest.mark.parametrize("pages", [{}, {"urn:page": CURIE}])
def test_a_page_that_has_not_these_characters_there_is_not_exact(pages: Mapping[str, str]) -> None:
    said = flow(ScriptedService(lambda _: ANSWER, {"s": TRACE}, pages=pages)).reply(ASKED, "c")
    assert [each.exact for each in said.cited] == [False]


def test_a_flow_without_facts_has_none_to_measure_and_a_refusal_has_no_context() -> None:
    chunks = {"edge_count": 0, "selected_chunks": [{"chunk": "urn:trustgraph:doc:p%2F1/chunk/x", "score": 1}]}
    said = flow(ScriptedService(lambda _: ANSWER, {"s": chunks}), "document-rag").reply(ASKED, "c")
    assert said.facts is None
    assert said.context is not None
    assert said.context[0].passage == "p/1"
    refused = {"response": "No answer found.", "outcome": "refused", "session": "s", "citations": []}
    none = flow(ScriptedService(lambda _: refused, {"s": {"edge_count": 3}})).reply(ASKED, "c")
    assert (none.outcome, none.context, none.facts, none.sentences) == (REFUSED, (), (), ())


def test_a_verdict_brings_its_label_and_the_facts_for_and_against() -> None:
    fact = {"subject": "Curie", "relation": "discovered", "object": "radium", "confidence": 0.5}
    verdict = {
        "label": "REFUTES",
        "for": [],
        "against": [{"reason": "x", "confidence": 1, "source": SOURCE, "facts": [fact]}],
    }
    answer = ANSWER | {"verdict": verdict, "citations": []}
    said = flow(ScriptedService(lambda _: answer), "verify").reply(ASKED, "c")
    assert (said.label, said.facts) == (REFUTES, (("Curie", "discovered", "radium"),))
    assert said.context is not None
    assert said.context[0].passage == "p/1"
    first = ANSWER | {"response": "SUPPORTS: Marie Curie did."}
    assert flow(ScriptedService(lambda _: first), "verify").reply(ASKED, "c").label == SUPPORTS


def test_what_is_cited_is_left_out_by_its_edges_or_else_by_its_documents() -> None:
    service = ScriptedService(lambda _: ANSWER)
    said = flow(service).reply(ASKED, "c")
    other = flow(service).without(ASKED, said, "c")
    assert service.asked[-1]["without"] == {"edges": ["urn:e"]}
    assert other is not None
    assert other.variant == WITHOUT
    no_edges = ANSWER | {"citations": [ANSWER["citations"][0] | {"edges": []}]}
    service.answer = lambda _: no_edges
    flow(service).without(ASKED, flow(service).reply(ASKED, "c"), "c")
    assert service.asked[-1]["without"] == {"documents": ["urn:trustgraph:doc:p%2F1"]}


def test_the_baseline_gives_the_sentence_with_most_of_the_question() -> None:
    text = "Pierre Curie taught physics. Marie Curie discovered polonium. Polonium is rare."
    service = ScriptedService(chunks=[{"document": "urn:trustgraph:doc:p%2F1", "title": "T", "text": text}])
    said = PassageRag(service, IDS).reply(ASKED, "c")
    assert (said.text, said.sentences, said.facts) == ("Marie Curie discovered polonium.", None, None)
    assert said.context is not None
    assert said.context[0].passage == "p/1"
    assert best_sentence("Who sings?", service.chunks) == (0.0, "")
    assert PassageRag(ScriptedService(), IDS).reply(ASKED, "c").outcome == REFUSED


def test_the_baseline_labels_claims_by_shared_words_and_denials() -> None:
    assert label_by_words("Oslo is big.", 0.5, "Oslo is small.") == NOT_ENOUGH_INFO
    assert label_by_words("Oslo is big.", 1, "Oslo is not big.") == REFUTES
    assert label_by_words("Oslo isn't big.", 1, "Oslo is never big.") == SUPPORTS


def run(
    service: ScriptedService, folder: RunFolder, *questions: EvaluationQuestion, **asking: Any
) -> EvaluationRun:
    passages = (CorpusPassage("p/1", "Polonium", CURIE),)
    dataset = QuestionSet("own", questions, passages, sha256="0" * 64)
    return EvaluationRun(service, dataset, EvaluationRunner(**asking), folder, lambda *_: None)


def questions(count: int) -> list[EvaluationQuestion]:
    return [EvaluationQuestion(str(number), f"What is {number}?") for number in range(count)]


def test_passages_are_ingested_once_for_a_run_and_pages_of_the_web_as_such(tmp_path: Path) -> None:
    service = ScriptedService(lambda _: ANSWER, refuses=["It is empty."])
    own = EvaluationQuestion("a b", "x", passages=(CorpusPassage("w", "Web", "<p>x</p>", html=True),))
    folder = RunFolder.begun(tmp_path / "run", {"dataset": "own"})
    for _ in range(2):
        run(service, folder, *questions(1), own).ingest()
    assert [(collection, file.name) for collection, file in service.ingested] == [
        ("evaluate-own-00000000", "passages.jsonl"),
        ("evaluate-own-00000000-a-b", "page.html"),
    ]
    assert json.loads(service.ingested[0][1].content) == {"id": "p/1", "title": "Polonium", "text": CURIE}
    assert RunFolder.read(tmp_path / "run").record["refused"] == ["It is empty.", "It is empty."]


def test_a_question_that_is_declined_is_asked_again_and_the_others_are_not(tmp_path: Path) -> None:
    declining = {"What is 1?"}

    def answer(body: Mapping[str, Any]) -> Json:
        if body["query"] in declining:
            raise Declined("No.")
        return ANSWER

    service = ScriptedService(answer)
    folder = RunFolder.begun(tmp_path / "run", {"dataset": "own"})
    run(service, folder, *questions(3), faithfulness=False).ask([flow(service)])
    assert [reply.outcome == FAILED for reply in folder.replies.values()] == [False, True, False]
    declining.clear()
    service.asked.clear()
    again = RunFolder.begun(tmp_path / "run", {"dataset": "own"})
    run(service, again, *questions(3), faithfulness=False).ask([flow(service)])
    assert [each["query"] for each in service.asked] == ["What is 1?"]
    assert all(reply.outcome != FAILED for reply in RunFolder.read(tmp_path / "run").replies.values())


def test_a_flow_that_can_leave_nothing_out_is_asked_for_it_once(tmp_path: Path) -> None:
    def answer(body: Mapping[str, Any]) -> Json:
        if "without" in body:
            raise Declined("Extra inputs are not permitted.")
        return ANSWER

    service = ScriptedService(answer)
    folder = RunFolder.begun(tmp_path / "run", {"dataset": "own"})
    run(service, folder, *questions(4)).ask([flow(service)])
    assert sum("without" in each for each in service.asked) == 1
    assert folder.record["unmeasured"] == {"faithfulness of graph-rag": "Extra inputs are not permitted."}


def test_a_service_that_goes_away_ends_the_run_and_keeps_its_answers(tmp_path: Path) -> None:
    def answer(body: Mapping[str, Any]) -> Json:
        if body["query"] == "What is 2?":
            raise Unavailable("The service is gone.")
        return ANSWER

    service = ScriptedService(answer)
    folder = RunFolder.begun(tmp_path / "run", {"dataset": "own"})
    with pytest.raises(Unavailable):
        run(service, folder, *questions(4), faithfulness=False).ask([flow(service)])
    assert len(RunFolder.read(tmp_path / "run").replies) == 2


def test_a_negation_is_asked_only_where_the_claim_got_a_label(tmp_path: Path) -> None:
    claim = EvaluationQuestion("1", "Polonium is a metal.", label=SUPPORTS)
    for name, known in (("document-rag", {}), ("verify", {"verdict": {"label": "SUPPORTS"}})):
        answer = ANSWER | known
        service = ScriptedService(lambda _, said=answer: said)  # type: ignore[misc]
        folder = RunFolder.begun(tmp_path / name, {"dataset": "own"})
        run(service, folder, claim, faithfulness=False).ask([flow(service, name)])
        asked = [each["query"] for each in service.asked]
        assert asked == [claim.text, "Polonium is not a metal."][: 2 if name == "verify" else 1]


def test_a_folder_of_something_else_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(Conflict, match="a folder of something else"):
        RunFolder.begun(tmp_path, {"dataset": "own"})
    assert [each.name for each in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_run_can_grow_by_systems_and_not_change_its_data(tmp_path: Path) -> None:
    record = {"dataset": "own", "sha256": "a", "systems": ["graph-rag"]}
    RunFolder.begun(tmp_path / "run", record)
    grown = RunFolder.begun(tmp_path / "run", record | {"systems": ["verify"]})
    assert grown.record["systems"] == ["graph-rag", "verify"]
    with pytest.raises(Conflict, match="another sha256"):
        RunFolder.begun(tmp_path / "run", record | {"sha256": "b"})


def test_a_line_that_a_crash_cut_off_does_not_spoil_the_next(tmp_path: Path) -> None:
    service = ScriptedService(lambda _: ANSWER)
    folder = RunFolder.begun(tmp_path / "run", {"dataset": "own"})
    run(service, folder, *questions(1), faithfulness=False).ask([flow(service)])
    with (tmp_path / "run" / "answers.jsonl").open("a") as file:
        file.write('{"system": "graph-r')
    again = RunFolder.begun(tmp_path / "run", {"dataset": "own"})
    run(service, again, *questions(2), faithfulness=False).ask([flow(service)])
    assert len(RunFolder.read(tmp_path / "run").replies) == 2
