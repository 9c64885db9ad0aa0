"""`provgraph evaluate`: questions in, figures out, nothing lost on the way."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from e2e.commands import PROGRAMS, Serving, environment, invoke, run, serving
from servers.openai_server import Answer, Asked, OpenAIServer

pytestmark = pytest.mark.slow

PASSAGES = (
    {"id": "curie", "title": "Polonium", "text": "Marie Curie discovered polonium in 1898. She was born in Warsaw."},
    {"id": "chadwick", "title": "Neutron", "text": "James Chadwick discovered the neutron in 1932 at Cambridge."},
)  # fmt: skip
QUESTIONS: tuple[dict[str, Any], ...] = (
    {
        "id": "polonium",
        "question": "Who discovered polonium?",
        "answer": "Marie Curie",
        "evidence": [{"passage": "curie", "text": "Marie Curie discovered polonium in 1898."}],
        "triples": [["Marie Curie", "discovered", "polonium"]],
        "paraphrases": ["By whom was polonium discovered?"],
        "explanation": "Marie Curie discovered polonium in 1898.",
    },
    {"id": "neutron", "question": "Who discovered the neutron?", "answers": ["Lise Meitner"]},
    {"id": "nonsense", "question": "Who frobnicated Blorptown?", "answer": "nobody"},
)


def lines(records: Sequence[dict[str, Any]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "questions.jsonl").write_text(lines(QUESTIONS))
    (tmp_path / "passages.jsonl").write_text(lines(PASSAGES))
    return tmp_path


def arguments(place: Path, *more: str | Path, out: str = "run") -> list[str | Path]:
    return [
        "evaluate", place / "questions.jsonl", "--passages", place / "passages.jsonl",
        "--folder", place / "folder", "--out", place / out, *more,
    ]  # fmt: skip


def figures(place: Path, out: str = "run") -> dict[tuple[str, str], float]:
    """The mean of each metric in the questions' own words, by system and metric."""
    found = json.loads((place / out / "results.json").read_text())["figures"]
    return {(each["system"], each["metric"]): each["mean"] for each in found if each["variant"] == "original"}


def test_a_file_of_questions_becomes_a_table_and_a_folder_of_results(place: Path) -> None:
    done = run(
        *arguments(
            place,
            "--flow",
            "graph-rag",
            "--flow",
            "document-rag",
            "--flow",
            "kgqa",
            "--baseline",
            "passage-rag",
        )
    )
    assert done.status == 0, done.err
    assert "graph-rag" in done.out
    assert "Difference from the baseline" in done.out
    assert "Not measured" not in done.err
    found = figures(place)
    assert found["graph-rag", "accuracy"] == pytest.approx(1 / 3)
    assert found["graph-rag", "factual accuracy"] == pytest.approx((1 + 0.3) / 3)
    assert found["kgqa", "accuracy"] > 0, "its pairs were made"
    assert found["graph-rag", "hallucination rate"] == pytest.approx(1 / 3)
    assert found["graph-rag", "span exactness"] == 1
    assert found["graph-rag", "explanation recall"] == 1
    assert found["graph-rag", "graph completeness"] == 1
    assert found["graph-rag", "faithfulness"] == found["document-rag", "faithfulness"] == 1
    assert found["graph-rag", "logical consistency"] == 1
    assert found["graph-rag", "ROUGE-L"] == 1
    assert ("passage-rag", "grounding") not in found, "the baseline cites nothing"
    assert found["passage-rag", "context recall"] == 1
    with (place / "run" / "scores.csv").open() as file:
        rows = {(row["system"], row["question"], row["variant"]): row for row in csv.DictReader(file)}
    assert rows["graph-rag", "polonium", "original"]["accuracy"] == "1"
    assert rows["graph-rag", "nonsense", "original"]["outcome"] == "refused"
    assert rows["graph-rag", "polonium", "paraphrase 1"]["asked"] == "By whom was polonium discovered?"
    for plot in ("metrics", "beside-baseline"):
        ElementTree.parse(place / "run" / "plots" / f"{plot}.svg")
    assert "Rajpurkar" in (place / "run" / "results.md").read_text()


def test_a_run_records_what_it_was_made_with_and_no_secret(place: Path) -> None:
    done = invoke(
        *arguments(place, "--option", "edge_limit=7", "--seed", "3"),
        PROVGRAPH_TOKEN="hush",
        OPENAI_API_KEY="sk-x",
    )
    assert done.exit_code == 0, done.stderr
    text = (place / "run" / "run.json").read_text()
    record = json.loads(text)
    assert (record["seed"], record["options"], record["questions"]) == (3, {"edge_limit": 7}, 3)
    assert len(record["sha256"]) == 64
    assert record["version"]
    assert "hush" not in text
    assert "sk-x" not in text


def test_a_run_goes_on_where_it_ended_and_asks_nothing_twice(place: Path) -> None:
    assert invoke(*arguments(place)).exit_code == 0
    kept = (place / "run" / "answers.jsonl").read_text()
    first, *rest = kept.splitlines(keepends=True)
    (place / "run" / "answers.jsonl").write_text(first + rest[0][:40])  # as a crash would leave it
    done = invoke(*arguments(place))
    assert done.exit_code == 0, done.stderr
    again = (place / "run" / "answers.jsonl").read_text().splitlines(keepends=True)
    assert again[0] == first
    assert len(again) == len(rest) + 1
    assert invoke(*arguments(place)).exit_code == 0
    assert (place / "run" / "answers.jsonl").read_text() == "".join(again)


def test_the_folder_of_another_run_is_left_alone(place: Path) -> None:
    assert invoke(*arguments(place)).exit_code == 0
    before = (place / "run" / "run.json").read_text()
    done = invoke(*arguments(place, "--limit", "2"))
    assert done.exit_code == 1
    assert "holds a run with another limit" in done.stderr
    assert (place / "run" / "run.json").read_text() == before


def test_two_runs_are_compared_question_by_question(place: Path) -> None:
    assert invoke(*arguments(place, out="a")).exit_code == 0
    assert invoke(*arguments(place, "--option", "edge_limit=1", out="b")).exit_code == 0
    done = invoke("evaluate", "--compare", place / "a", place / "b", "--format", "json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["settings"] == {"options": [{}, {"edge_limit": 1}]}
    accuracy = next(each for each in found["differences"] if each["metric"] == "accuracy")
    assert (accuracy["mean"], accuracy["low"], accuracy["high"], accuracy["sure"]) == (0, 0, 0, False)
    assert accuracy["count"] == 4, "three questions and a paraphrase"
    told = invoke("evaluate", "--compare", place / "a", place / "b", "--out", place / "c")
    assert "not sure" in told.stdout
    ElementTree.parse(place / "c" / "comparison.svg")
    assert json.loads((place / "c" / "comparison.json").read_text()) == found


def test_runs_over_other_data_are_not_compared(place: Path) -> None:
    assert invoke(*arguments(place, out="a")).exit_code == 0
    (place / "questions.jsonl").write_text(lines(QUESTIONS[:2]))
    assert invoke(*arguments(place, out="b")).exit_code == 0
    done = invoke("evaluate", "--compare", place / "a", place / "b")
    assert done.exit_code == 1
    assert "of different data" in done.stderr


def test_ctrl_c_keeps_what_was_answered_and_the_same_command_goes_on(
    place: Path, model_server: OpenAIServer
) -> None:
    model_server.answer([Answer("too late", delay_s=30), *[Answer('{"verdict": "correct"}')] * 4])
    command = [PROGRAMS / "provgraph", *arguments(place, "--judge", "grader")]
    env = environment({"OPENAI_BASE_URL": model_server.url})
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True) as begun:
        while not model_server.asked and begun.poll() is None:
            time.sleep(0.005)
        begun.send_signal(signal.SIGINT)
        _, said = begun.communicate(timeout=60)
    assert (begun.returncode, said.splitlines()[-1]) == (130, "Stopped.")
    assert "answers are kept in" in said
    kept = (place / "run" / "answers.jsonl").read_text()
    done = invoke(*arguments(place, "--judge", "grader"), OPENAI_BASE_URL=model_server.url)
    assert done.exit_code == 0, done.stderr
    assert (place / "run" / "answers.jsonl").read_text() == kept
    assert figures(place)["graph-rag", "accuracy by grader (strict)"] == pytest.approx(2 / 3)


def test_a_judge_that_gives_up_ends_the_run_and_not_its_answers(
    place: Path, model_server: OpenAIServer
) -> None:
    model_server.answer(Answer("no such model", 404))
    done = invoke(*arguments(place, "--judge", "grader"), OPENAI_BASE_URL=model_server.url)
    assert done.exit_code == 1
    assert "The judge grader gave up." in done.stderr
    assert "answers are kept" in done.stderr


def test_perturbed_questions_are_asked_beside_and_measured_apart(place: Path) -> None:
    assert invoke(*arguments(place, "--perturb", "typos,word-order")).exit_code == 0
    found = json.loads((place / "run" / "results.json").read_text())["figures"]
    assert {each["variant"] for each in found} == {"original", "paraphrase", "typos", "word-order"}
    assert ("graph-rag", "stability") in figures(place)


def test_a_service_at_an_address_is_evaluated_with_a_collection_that_it_has(
    place: Path, empty_service: Serving
) -> None:
    own = ("--url", empty_service.url, "-C", "own")
    assert invoke("ingest", *own, place / "passages.jsonl").exit_code == 0
    done = invoke("evaluate", place / "questions.jsonl", *own, "--out", place / "run")
    assert done.exit_code == 0, done.stderr
    assert figures(place)["graph-rag", "explanation recall"] == 1, "gold names documents by their ids"
    listed = invoke("documents", *own, "--format", "json")
    assert len(json.loads(listed.stdout)) == len(PASSAGES), "nothing was ingested"


def test_a_service_that_dies_loses_no_answer(place: Path) -> None:
    data = place / "data"
    assert invoke("ingest", "--data", data, place / "passages.jsonl").exit_code == 0
    with serving(data) as service:
        assert invoke("evaluate", place / "questions.jsonl", "--url", service.url, "-C", "default",
                      "--out", place / "run").exit_code == 0  # fmt: skip
    kept = (place / "run" / "answers.jsonl").read_text()
    done = invoke("evaluate", place / "questions.jsonl", "--url", service.url, "-C", "default", "--out", place / "run",
                  "--flow", "graph-rag", "--flow", "document-rag")  # fmt: skip
    assert done.exit_code == 1
    assert "cannot be reached" in done.stderr or "is gone" in done.stderr
    assert "answers are kept" in done.stderr
    assert (place / "run" / "answers.jsonl").read_text() == kept


def test_a_flow_that_does_not_exist_ends_the_run_at_once(place: Path) -> None:
    (place / "questions.jsonl").write_text(lines([{"question": f"What is {n}?"} for n in range(9)]))
    done = invoke(*arguments(place, "--flow", "guessing"))
    assert done.exit_code == 1
    assert "declined the first 5 questions to guessing" in done.stderr
    assert len((place / "run" / "answers.jsonl").read_text().splitlines()) == 5


def test_a_question_that_is_declined_is_told_of_and_in_no_figure(place: Path) -> None:
    long = {"id": "long", "question": "Who discovered polonium? " * 500, "answer": "Marie Curie"}
    (place / "questions.jsonl").write_text(lines([*QUESTIONS, long]))
    done = invoke(*arguments(place))
    assert done.exit_code == 0, done.stderr
    assert "1 requests were declined" in done.stderr
    assert "the limit is" in done.stderr
    assert figures(place)["graph-rag", "accuracy"] == pytest.approx(1 / 3)


def test_judges_grade_answers_and_their_agreement_is_measured(
    place: Path, model_server: OpenAIServer
) -> None:
    def judge(asked: Asked) -> Answer:
        lenient = "benevolent" in asked.system
        said = "correct" if "Marie Curie" in asked.user or lenient else "incorrect"
        return Answer(json.dumps({"verdict": said, "reason": "By the reference."}))

    model_server.answer(judge)
    done = invoke(
        *arguments(place, "--judge", "grader", "--option", "engine=model-free"),
        OPENAI_BASE_URL=model_server.url,
    )
    assert done.exit_code == 0, done.stderr
    found = json.loads((place / "run" / "results.json").read_text())
    assert figures(place)["graph-rag", "accuracy by grader (lenient)"] == pytest.approx(2 / 3)
    assert figures(place)["graph-rag", "accuracy by grader (strict)"] == pytest.approx(1 / 3)
    strict = next(each for each in found["agreement"] if each["other"] == "grader (strict)")
    assert (strict["one"], strict["raw"], strict["kappa"]) == ("deterministic", 1, 1)
    assert len(model_server.asked) == 4, "two answers in two manners; a refusal needs no judge"


def test_the_baseline_asks_a_model_where_there_is_one(place: Path, model_server: OpenAIServer) -> None:
    model_server.answer(Answer("Marie Curie"))
    done = invoke(
        *arguments(place, "--baseline", "passage-rag", "--option", "engine=model"),
        OPENAI_BASE_URL=model_server.url,
        PROVGRAPH_LLM_MODEL="tiny",
    )
    assert done.exit_code == 0, done.stderr
    assert figures(place)["passage-rag", "exact match"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty"),
        ("{}\n", "neither 'question' nor 'claim'"),
        ('{"question": "x"}\n{"question": ', "Line 2"),
        ('{"question": "x", "colour": 1}\n', "'colour', which means nothing here"),
        ('{"question": " "}\n', "no text in 'question'"),
        ('{"claim": "x", "label": "MAYBE"}\n', "the label 'MAYBE'"),
        ('{"id": 1, "question": "x"}\n{"id": 1, "question": "y"}\n', "have the id '1'"),
        ("[1]", "an object with fields is needed"),
    ],
)
def test_a_file_that_is_no_data_set_is_told_what_is_wrong(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "own.jsonl").write_text(content)
    done = invoke(
        "evaluate", tmp_path / "own.jsonl", "--folder", tmp_path / "folder", "--out", tmp_path / "run"
    )
    assert done.exit_code == 1
    assert said in done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("nothing",), "is not a known data set"),
        (("musique",), "Where is musique?"),
        (("own.jsonl", "--perturb", "shouting"), "is not a perturbation"),
        (("own.jsonl", "--flow", "../traces"), "is not the name of a flow"),
        (("own.jsonl", "--option", "x"), "is not NAME=VALUE"),
        (("own.jsonl", "--judge", "a", "--judge", "b", "--judge", "c"), "Three judges"),
        (("--compare", "a", "b"), "is not a run"),
    ],
)
def test_what_no_option_can_mean_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.jsonl").write_text(lines(QUESTIONS))
    done = invoke("evaluate", *given)
    assert done.exit_code == 1
    assert said in done.stderr
