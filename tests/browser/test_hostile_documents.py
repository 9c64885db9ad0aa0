"""Whatever stands in a document, a question or an address is text, and never part of the page."""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.asking import answer, answered, citations, facts
from browser.conftest import OpenPage
from browser.judging import judged, verdict
from e2e.commands import Serving, run, serving

pytestmark = pytest.mark.slow

TITLE = "<img src=x onerror=hacked()> \u202egnp.exe"
HUGE = "Polonium" + "x" * 2_000
TEXTS = {
    "javascript:hacked()": (
        "Marie Curie discovered polonium in July 1898 with <img src=x onerror=hacked()> in Paris. "
        "Marie Curie was born in Warsaw. She studied in Paris.\n\n"
        'Marie Curie named "><iframe srcdoc="<script>hacked()</script>"></iframe> after polonium.'
    ),
    "data:text/html,<script>hacked()</script>": (
        "Pierre Curie was born in Paris. Pierre Curie discovered \u202emuinolop\u202e and \u2067radium in 1898. "
        'Pierre Curie worked with <a href="javascript:hacked()">Marie Curie</a> in a shed in Paris.'
    ),
    "huge": (
        f"Henri Becquerel was a physicist from Paris. Henri Becquerel discovered {HUGE} in 1896. "
        "Henri Becquerel received the Nobel Prize in Physics in 1903."
    ),
}
QUESTIONS = (
    "Who discovered polonium?",
    "What did Pierre Curie discover in 1898?",
    "<img src=x onerror=hacked()> who discovered polonium \u202e?",
)


@pytest.fixture(scope="module")
def hostile(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    place = tmp_path_factory.mktemp("hostile")
    lines = [json.dumps({"id": name, "title": TITLE, "text": text}) for name, text in TEXTS.items()]
    (place / "hostile.jsonl").write_text("\n".join(lines))
    assert run("ingest", "--data", place / "data", place / "hostile.jsonl").status == 0
    with serving(place / "data") as made:
        yield made


@pytest.fixture
def watched(open_page: OpenPage, hostile: Serving) -> Page:
    """A page that remembers whether anything hostile ran."""
    page = open_page(hostile.url)
    page.evaluate("() => { window.wasHacked = false; window.hacked = () => { window.wasHacked = true; }; }")
    return page


def assert_harmless(page: Page) -> None:
    assert page.evaluate("window.wasHacked") is False
    assert page.locator("main :is(img, script, iframe, svg, object, embed, style)").count() == 0
    hrefs = page.eval_on_selector_all("[href]", "nodes => nodes.map(node => node.getAttribute('href'))")
    assert [href for href in hrefs if not href.startswith(("#", "/"))] == []


@pytest.mark.parametrize("answer_from", ["facts", "passages"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_hostile_words_are_shown_as_words(watched: Page, question: str, answer_from: str) -> None:
    answered(watched, question, answer_from)
    expect(watched.get_by_role("heading", level=1)).to_have_text(question)
    if watched.get_by_text("Why not?").count():
        watched.get_by_text("Why not?").click()
    assert_harmless(watched)
    watched.get_by_role("tab", name="Sources").click()
    expect(watched.get_by_role("tabpanel", name="Sources")).to_contain_text(
        "onerror" if citations(watched).count() else ""
    )
    assert_harmless(watched)


@pytest.mark.parametrize(
    "claim",
    [
        "Marie Curie discovered polonium in July 1898.",
        "Marie Curie discovered polonium in 1911.",
        "<img src=x onerror=hacked()> owned \u202e a bakery.",
    ],
)
def test_hostile_words_for_and_against_a_claim_are_shown_as_words(watched: Page, claim: str) -> None:
    judged(watched, claim)
    expect(watched.get_by_role("heading", level=1)).to_have_text(claim)
    expect(verdict(watched)).to_contain_text("onerror")
    for words in verdict(watched).locator("q bdi").all():
        assert words.evaluate("node => getComputedStyle(node).unicodeBidi") == "isolate"
    assert_harmless(watched)


def test_hostile_words_of_an_answer_by_extraction_are_shown_as_words(watched: Page) -> None:
    answered(watched, QUESTIONS[1], "quotations")
    watched.get_by_role("tab", name="Sources").click()
    expect(watched.get_by_label("Evidence").last).to_be_visible()
    assert_harmless(watched)


def test_an_override_of_direction_ends_with_the_words_it_stands_in(watched: Page) -> None:
    answered(watched)
    name = watched.locator(".source-name").first
    assert name.evaluate("node => getComputedStyle(node.querySelector('bdi')).unicodeBidi") == "isolate"
    expect(name).to_contain_text(", p. 1")


@pytest.mark.parametrize("width", [375, 1440])
def test_a_huge_word_does_not_widen_the_page(open_page: OpenPage, hostile: Serving, width: int) -> None:
    page = answered(open_page(hostile.url, width=width), "What did Henri Becquerel discover?", "facts")
    expect(answer(page)).to_contain_text("xxxx")
    expect(facts(page).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_hostile_addresses_do_nothing(watched: Page, hostile: Serving) -> None:
    for address in (
        "javascript:hacked()",
        "ask?q=<script>hacked()</script>",
        "session/../../../api",
        "%E0%A4%A",
        "//evil.example",
    ):
        watched.evaluate("hash => { location.hash = `#/${hash}`; }", address)
        expect(watched.get_by_role("heading").first).to_be_visible()
        assert_harmless(watched)


def test_the_policy_forbids_markup_from_strings_and_scripts_from_elsewhere(
    browser: Browser, hostile: Serving
) -> None:
    page = browser.new_page()
    page.goto(hostile.url)
    refused = page.evaluate(
        """() => {
          const tries = {
            innerHTML: () => { document.createElement("div").innerHTML = "<b>x</b>"; },
            parse: () => new DOMParser().parseFromString("<b>x</b>", "text/html"),
            script: () => { document.createElement("script").src = "/web/app.js"; },
          };
          return Object.keys(tries).filter((name) => { try { tries[name](); return false; } catch { return true; } });
        }"""
    )
    page.close()
    assert refused == ["innerHTML", "parse", "script"]


def test_a_question_in_the_address_is_filled_in_and_not_asked(open_page: OpenPage, hostile: Serving) -> None:
    page = open_page(f"{hostile.url}/#/ask?{urllib.parse.urlencode({'q': '<b>bold?</b>'})}")
    expect(page.get_by_label("Question")).to_have_value("<b>bold?</b>")
