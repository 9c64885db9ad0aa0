"""Public formats, read into one shape of question; what is wrong with a file is said of its record."""

from __future__ import annotations

import bz2
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from provgraph.errors import InvalidInput, NotFound
from provgraph.evaluation.datasets.reading import DatasetChoice, read_dataset
from provgraph.evaluation.questions import NOT_ENOUGH_INFO, REFUTES, SUPPORTS, GoldEvidence, QuestionSet

MUSIQUE = {
    "id": "2hop__1",
    "question": "Who was the first president of the association which published the journal?",
    "answer": "G. Stanley Hall",
    "answer_aliases": ["Stanley Hall"],
    "answerable": True,
    "question_decomposition": [
        {"answer": "American Psychological Association"},
        {"answer": "G. Stanley Hall"},
    ],
    "paragraphs": [
        {"title": "Journal", "paragraph_text": "A journal of the APA.", "is_supporting": True},
        {"title": "Swallow", "paragraph_text": "Swallows fly south.", "is_supporting": False},
    ],
}
HOTPOTQA = {
    "_id": "5a77",
    "question": "If Gallu is a demon Lilu is what?",
    "answer": "a spirit",
    "context": [["Lilu", ["A lilu is a spirit.", " It is masculine."]], ["Dice", ["Dice are cubes."]]],
    "supporting_facts": [["Lilu", 0], ["Lilu", 7]],
}
FEVER = (
    {
        "id": 1,
        "claim": "Helmand is in Iraq.",
        "label": "REFUTES",
        "evidence_text": "Helmand is in Afghanistan .",
    },
    {"id": 2, "claim": "Lithuanians are a group.", "label": "NOT ENOUGH INFO", "evidence_text": ""},
)
CRAG = {
    "interaction_id": "a",
    "query": "is it?",
    "answer": "yes",
    "alternative_answers": '["it is"]',
    "question_type": "simple",
    "search_results": [
        {"page_name": "One", "page_url": "http://one", "page_result": "<p>It is.</p>"},
        {"page_name": "One again", "page_url": "http://one", "page_result": "<p>It is.</p>"},
        {"page_name": "Nothing", "page_url": "http://two", "page_result": " "},
    ],
}


def written(path: Path, records: Sequence[Any], as_list: bool = False) -> Path:
    text = json.dumps(list(records)) if as_list else "".join(json.dumps(each) + "\n" for each in records)
    path.write_text(text)
    return path


def read(name: str, place: Path, passages: Path | None = None) -> QuestionSet:
    return read_dataset(DatasetChoice(name, place, passages))


@pytest.mark.parametrize("as_list", [True, False])
def test_musique_brings_its_gold_passages_and_the_answers_of_its_hops(tmp_path: Path, as_list: bool) -> None:
    unanswerable = MUSIQUE | {"id": "2hop__2", "answerable": False}
    read_set = read("musique", written(tmp_path / "musique.json", [MUSIQUE, unanswerable], as_list))
    (question,) = read_set.questions
    assert question.answers == ("G. Stanley Hall", "Stanley Hall")
    assert question.entities == ("American Psychological Association", "G. Stanley Hall")
    assert [each.title for each in read_set.passages] == ["Journal", "Swallow"]
    assert question.gold_passages == {read_set.passages[0].id}
    assert read_set.left_out == {"unanswerable": 1}


def test_hotpotqa_brings_its_supporting_sentences_and_forgives_numbers_that_are_too_high(
    tmp_path: Path,
) -> None:
    read_set = read("hotpotqa", written(tmp_path / "hotpot_dev.json", [HOTPOTQA], as_list=True))
    (question,) = read_set.questions
    lilu = read_set.passages[0]
    assert lilu.text == "A lilu is a spirit. It is masculine."
    assert question.evidence == (GoldEvidence(lilu.id, "A lilu is a spirit."),)


def test_the_same_passage_is_in_the_pool_once_and_always_under_the_same_id(tmp_path: Path) -> None:
    twice = [HOTPOTQA, HOTPOTQA | {"_id": "other"}]
    first = read("hotpotqa", written(tmp_path / "a.json", [HOTPOTQA]))
    second = read("hotpotqa", written(tmp_path / "b.json", twice))
    assert first.passages == second.passages
    assert first.sha256 != second.sha256


def test_fever_is_asked_of_the_pool_of_its_evidence(tmp_path: Path) -> None:
    read_set = read("fever", written(tmp_path / "fever_dev.jsonl", FEVER))
    assert [each.label for each in read_set.questions] == [REFUTES, NOT_ENOUGH_INFO]
    assert read_set.questions[0].gold_passages == {read_set.passages[0].id}
    assert read_set.questions[1].evidence == ()


def test_an_item_that_comes_twice_is_asked_once(tmp_path: Path) -> None:
    read_set = read("fever", written(tmp_path / "fever_dev.jsonl", [*FEVER, FEVER[0]]))
    assert [each.id for each in read_set.questions] == ["1", "2"]
    assert read_set.left_out == {"the same item a second time": 1}
    with pytest.raises(InvalidInput, match="have the id '1'"):
        read("fever", written(tmp_path / "other.jsonl", [*FEVER, FEVER[0] | {"claim": "Oslo is big."}]))


def test_fevers_own_files_are_asked_of_its_pages(tmp_path: Path) -> None:
    claim = {
        "id": 3,
        "claim": "Oslo is big.",
        "label": "SUPPORTS",
        "evidence": [[[1, 2, "Oslo", 0], [1, 2, "Oslo", 3]]],
    }
    unknown = {"id": 4, "claim": "x", "label": "NOT ENOUGH INFO", "evidence": [[[1, None, None, None]]]}
    place = written(tmp_path / "dev.jsonl", [claim, unknown])
    pages = written(
        tmp_path / "wiki.jsonl", [{"id": "Oslo", "text": "Oslo is big."}, {"id": "", "text": ""}][:1]
    )
    read_set = read("fever", place, pages)
    assert read_set.questions[0].evidence == (GoldEvidence("Oslo"),)
    assert read_set.questions[1].evidence == ()
    with pytest.raises(InvalidInput, match="--passages"):
        read("fever", place)


def test_scifact_is_read_as_json_lines(tmp_path: Path) -> None:
    written(
        tmp_path / "corpus.jsonl", [{"doc_id": 7, "title": "Mice", "abstract": ["Mice run.", "They rest."]}]
    )
    claims = written(
        tmp_path / "claims_dev.jsonl",
        [
            {"id": 1, "claim": "Mice rest.", "evidence": {"7": [{"sentences": [1], "label": "SUPPORT"}]}},
            {"id": 2, "claim": "Mice sing.", "evidence": {}},
        ],
    )
    read_set = read("scifact", claims)
    assert [each.label for each in read_set.questions] == [SUPPORTS, NOT_ENOUGH_INFO]
    assert read_set.questions[0].evidence == (GoldEvidence("7", "They rest."),)
    assert read_set.passages[0].text == "Mice run. They rest."


def test_scifact_as_csv_joins_the_rows_of_a_claim_and_reads_printed_lists(tmp_path: Path) -> None:
    (tmp_path / "scifact_corpus.csv").write_text(
        "doc_id,title,abstract,structured\n"
        "7,Mice,\"['Mice run.'\n 'It''s +/-' '0.24.' \"\"They're at rest.\"\"]\",False\n"
    )
    (tmp_path / "scifact_claims_train.csv").write_text(
        "id,claim,evidence_doc_id,evidence_label,evidence_sentences,cited_doc_ids\n"
        "1,Mice run.,7,CONTRADICT,[0],[7]\n1,Mice run.,7,CONTRADICT,[0 3],[7]\n2,Mice sing.,,,[],[7]\n"
    )
    read_set = read("scifact", tmp_path)
    assert [each.label for each in read_set.questions] == [REFUTES, NOT_ENOUGH_INFO]
    assert [each.text for each in read_set.questions[0].evidence] == ["Mice run.", "0.24."]


def test_crag_leaves_invalid_questions_out_and_gives_each_its_own_pages(tmp_path: Path) -> None:
    invalid = CRAG | {"interaction_id": "b", "answer": "Invalid question"}
    packed = tmp_path / "crag_dev.jsonl.bz2"
    packed.write_bytes(bz2.compress("".join(json.dumps(each) + "\n" for each in (CRAG, invalid)).encode()))
    read_set = read("crag", packed)
    (question,) = read_set.questions
    assert question.answers == ("yes", "it is")
    assert [(page.title, page.html) for page in question.passages] == [("One", True)]
    assert read_set.left_out == {"invalid question": 1}
    assert read_set.passages == ()


def test_questions_of_ones_own_name_passages_by_id_or_title_and_find_their_words(tmp_path: Path) -> None:
    passages = written(tmp_path / "p.jsonl", [{"id": "d1", "title": "Polonium", "text": "Curie found it."}])
    record = {
        "question": "Who found it?",
        "evidence": [{"passage": "Polonium"}, "Curie", "elsewhere"],
        "passages": [{"id": "mine", "text": "Marie Curie."}],
        "triples": [["Curie", "found", "it"]],
    }
    (question,) = read_dataset(
        DatasetChoice(str(written(tmp_path / "own.jsonl", [record])), passages=passages)
    ).questions
    assert question.evidence == (
        GoldEvidence("d1"),
        GoldEvidence("mine", "Curie"),
        GoldEvidence("", "elsewhere"),
    )
    assert question.triples == (("Curie", "found", "it"),)
    assert question.id == "1"


def test_a_limit_draws_the_same_questions_each_time_and_keeps_all_passages(tmp_path: Path) -> None:
    place = written(tmp_path / "own.jsonl", [{"question": f"What is {n}?"} for n in range(50)])

    def drawn(seed: int) -> list[str]:
        return [each.id for each in read_dataset(DatasetChoice(str(place), limit=5, seed=seed)).questions]

    assert drawn(1) == drawn(1) == sorted(drawn(1), key=int)
    assert drawn(1) != drawn(2)


@pytest.mark.parametrize(
    ("name", "record", "said"),
    [
        ("musique", {"id": "1", "answer": "x"}, "Record 1 of .* has no text in 'question'"),
        ("musique", MUSIQUE | {"paragraphs": ["text"]}, "an object with fields is needed"),
        ("hotpotqa", HOTPOTQA | {"context": {"a": 1}}, "an object in 'context', where a list is needed"),
        ("hotpotqa", HOTPOTQA | {"supporting_facts": [["Lilu"]]}, "in 'supporting_facts'"),
        ("fever", {"id": 1, "claim": "x", "label": "MAYBE"}, "label 'MAYBE'"),
        ("crag", {"query": "x", "answer": "y"}, "no text in 'interaction_id'"),
    ],
)
def test_a_missing_or_wrong_field_is_named_with_its_record(
    tmp_path: Path, name: str, record: dict[str, Any], said: str
) -> None:
    with pytest.raises(InvalidInput, match=said):
        read(name, written(tmp_path / "data.jsonl", [record]))


def test_a_folder_without_the_file_and_a_damaged_file_are_told(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="has no file like"):
        read("musique", tmp_path)
    (tmp_path / "crag.jsonl.bz2").write_bytes(b"no bzip2")
    with pytest.raises(InvalidInput, match="Check that it is whole"):
        read("crag", tmp_path / "crag.jsonl.bz2")
    (tmp_path / "latin.jsonl").write_bytes(b'{"question": "\xe9"}')
    with pytest.raises(InvalidInput, match="Save it as UTF-8"):
        read_dataset(DatasetChoice(str(tmp_path / "latin.jsonl")))
