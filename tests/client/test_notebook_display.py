"""What a notebook shows of answers and verdicts: all that supports them, and nothing that a document could do."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

from provgraph import Client
from provgraph.client.answers import ProvedAnswer
from provgraph.client.evidence import QuotedSource
from provgraph.client.sparql_results import SparqlRows

QUESTION = "Who founded Larkfield?"
SENTENCE = "Ada Larkfield founded Larkfield in 1987."
HOSTILE = '</mark><script>steal()</script><img src=x onerror=steal()>" onmouseover="steal()\u202e'


class Shown(HTMLParser):
    """The tags with their attributes, and the text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.marked: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if "mark" in self.open:
            self.marked.append(data)


def hostile(answer: ProvedAnswer) -> ProvedAnswer:
    def poisoned(source: QuotedSource) -> QuotedSource:
        return replace(source, text=HOSTILE, before=HOSTILE, after=HOSTILE, file=HOSTILE, title=HOSTILE)

    sentences = tuple(
        replace(each, text=HOSTILE, origin=HOSTILE, sources=tuple(map(poisoned, each.sources)))
        for each in answer.sentences
    )
    assert answer.proof is not None
    assert answer.proof.step is not None
    step = replace(answer.proof.step, value=HOSTILE, explanation=HOSTILE, inputs=(HOSTILE,))
    facts = tuple(replace(each, subject=HOSTILE, reasoning=HOSTILE) for each in answer.proof.facts)
    proof = replace(answer.proof, step=step, facts=facts)
    return replace(
        answer, question=HOSTILE, short_answer=HOSTILE, sentences=sentences, proof=proof, warnings=(HOSTILE,)
    )


def test_an_answer_shows_short_answer_citations_quoted_words_and_proof(client: Client) -> None:
    shown = Shown(client.ask(QUESTION)._repr_html_())
    assert shown.open == []
    assert f"{SENTENCE}[1]" in shown.text
    assert shown.marked == [SENTENCE]
    assert "larkfield.md, page 1, characters 13–53" in shown.text
    assert "The company is based in Bristol." in shown.text
    assert "look up → Ada Larkfield" in shown.text
    assert "Larkfield — was founded by — Ada Larkfield" in shown.text


def test_a_machine_is_told_how_each_sentence_came_about(client: Client) -> None:
    answer = client.ask(QUESTION)
    told = {"quoted": 0, "generated": 1}
    for origin, marks in told.items():
        sentences = tuple(replace(each, origin=origin) for each in answer.sentences)
        shown = [given for _, given in Shown(replace(answer, sentences=sentences)._repr_html_()).tags]
        assert [given["data-origin"] for given in shown if "data-origin" in given] == [origin] * len(
            sentences
        )
        by_a_model = [
            given for given in shown if given.get("property") == "https://schema.org/digitalSourceType"
        ]
        assert len(by_a_model) == marks * len(sentences)


def test_a_refusal_says_so(client: Client) -> None:
    assert "refused" in Shown(client.ask("Who invented the telegraph?")._repr_html_()).text


def test_a_verdict_shows_its_parts_and_the_words_against_it(client: Client) -> None:
    shown = Shown(client.verify("Orrin bought Larkfield in 2024.")._repr_html_())
    assert shown.open == []
    assert "Orrin bought Larkfield in 2024." in shown.text
    assert "REFUTES" in shown.text
    titles = [attributes.get("title") or "" for _, attributes in shown.tags]
    assert any(title.startswith("contradicted: ") and "“2019”" in title for title in titles)
    assert shown.marked == ["Orrin bought Larkfield in 2019 for 40 million dollars."]


def test_nothing_that_a_document_says_is_obeyed(client: Client) -> None:
    answer = hostile(client.ask(QUESTION))
    verdict = client.verify("Orrin bought Larkfield in 2024.")
    parts = tuple(replace(each, text=HOSTILE, why=HOSTILE) for each in verdict.elements)
    poisoned = replace(verdict, claim=HOSTILE, explanation=HOSTILE, notes=(HOSTILE,), elements=parts)
    for page in (answer._repr_html_(), poisoned._repr_html_()):
        shown = Shown(page)
        assert shown.open == []
        allowed = {
            "details",
            "summary",
            "div",
            "p",
            "span",
            "sup",
            "b",
            "i",
            "br",
            "mark",
            "blockquote",
            "ul",
            "li",
        }
        assert {tag for tag, _ in shown.tags} <= allowed
        assert {name for _, attributes in shown.tags for name in attributes} <= {
            "style",
            "title",
            "open",
            "data-origin",
        }
        assert "steal()" in shown.text
        assert "\u202e" not in page


def test_no_colour_of_text_is_said_and_nothing_is_fetched(client: Client) -> None:
    page = client.ask(QUESTION)._repr_html_() + client.verify("Orrin bought Larkfield.")._repr_html_()
    styles = ";".join(attributes.get("style") or "" for _, attributes in Shown(page).tags)
    assert "url(" not in styles
    colours = [part for part in styles.split(";") if part.strip().startswith("color:")]
    assert set(colours) == {"color:inherit"}
    backgrounds = [part for part in styles.split(";") if part.strip().startswith("background")]
    assert all("rgba" in part for part in backgrounds)


def test_rows_of_sparql_are_a_table_that_no_text_breaks_out_of() -> None:
    rows = tuple({"name": HOSTILE, "count": number or None} for number in range(60))
    shown = Shown(SparqlRows(("name", "count"), rows, notes=(HOSTILE,))._repr_html_())
    assert "script" not in [tag for tag, _ in shown.tags]
    assert [tag for tag, _ in shown.tags].count("tr") == 51
    assert "60 rows, the first 50 shown" in shown.text
    assert "true" in SparqlRows((), (), boolean=True)._repr_html_().lower()
