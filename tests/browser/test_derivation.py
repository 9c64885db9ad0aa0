"""An answer in a few words, how it follows, where its words come from, and what there is where it does not follow."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from browser.accessible import violations
from browser.asking import answer, answered, ask, lit
from browser.conftest import OpenPage
from browser.judging import judged, verdict
from e2e.commands import Serving, run, serving

pytestmark = pytest.mark.slow

TEXTS = {
    "bridge.md": "# Teal Bridge\n\nTeal Bridge was designed by the engineer Ruth Falk. It was opened in 1868.\n",
    "falk.md": "# Ruth Falk\n\nRuth Falk (born 12 March 1831 in Graz) was an Austrian engineer.\n",
    "novak.md": "# Ada Novak\n\nAda Novak (born 4 May 1941 in Linz) is an Austrian film director.\n",
    "lang.md": "# Peter Lang\n\nPeter Lang is an actor. He played the lead in two films of Ada Novak.\n",
}
TWO_STEPS = "Where was the designer of Teal Bridge born?"
COMPARED = "Who is older, Ruth Falk or Ada Novak?"
HALF_KNOWN = "Who is older, Ruth Falk or Peter Lang?"
CLAIM = "Ruth Falk was born in Linz."


@pytest.fixture(scope="module")
def service(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A service with documents of which some answers take two steps; only where there is a browser."""
    folder = tmp_path_factory.mktemp("derivation")
    (folder / "texts").mkdir()
    for name, text in TEXTS.items():
        (folder / "texts" / name).write_text(text)
    done = run("ingest", "--data", folder / "data", folder / "texts")
    assert done.status == 0, done.err
    with serving(folder / "data") as made:
        yield made


def trace_of(page: Page, service: Serving) -> dict[str, Any]:
    session = page.url.rpartition("/")[2]
    with urllib.request.urlopen(f"{service.url}/api/v1/traces/{session}") as said:
        trace: dict[str, Any] = json.load(said)
        return trace


def short_answer(page: Page) -> Locator:
    return answer(page).locator(".short-answer")


def steps(page: Page) -> Locator:
    return page.get_by_role("region", name="How it follows").locator(".derivation-step")


def opened_with(page: Page, change: Callable[[dict[str, Any]], None]) -> Page:
    """The session of the page, opened anew from its trace with a change, as another service may send it."""

    def changed(route: Route) -> None:
        trace = route.fetch().json()
        change(trace)
        route.fulfill(json=trace)

    page.route("**/api/v1/traces/*", changed)
    page.reload()
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    return page


def test_the_short_answer_stands_large_above_the_sentences_with_one_line_of_why(page: Page) -> None:
    answered(page, TWO_STEPS)
    expect(short_answer(page).locator(".short-answer-text bdi")).to_have_text("Graz")
    expect(short_answer(page).locator(".short-answer-why")).to_have_text("Ruth Falk was born in Graz.")
    expect(short_answer(page)).to_have_attribute("data-kind", "entity")
    sentences = answer(page).locator(".answer-text .sentence")
    expect(sentences).to_have_count(2)  # the short answer itself is not said twice
    large = short_answer(page).locator(".short-answer-text").bounding_box()
    below = sentences.first.bounding_box()
    assert large is not None
    assert below is not None
    assert large["y"] + large["height"] <= below["y"]


def test_the_proof_tree_shows_each_step_of_the_trace_below_the_step_that_used_it(
    page: Page, service: Serving
) -> None:
    answered(page, TWO_STEPS)
    first, last = trace_of(page, service)["answer"]["short_answer"]["steps"]
    expect(steps(page)).to_have_count(2)
    for step, shown in ((last, steps(page).first), (first, steps(page).last)):
        expect(shown).to_have_attribute("data-step", step["id"])
        expect(shown.get_by_role("button").first).to_contain_text(step["operation"])
        expect(shown.locator(".derivation-value")).to_have_text(step["value"])
        expect(shown.locator(".reason")).to_have_text(step["explanation"])
        expect(shown.locator("q")).to_have_text([words.strip("“”") for words in step["inputs"]])
    expect(page.get_by_role("list", name="What step 2 used").locator(".derivation-step")).to_have_count(1)


def test_a_step_that_is_pressed_opens_the_source_with_its_words_marked(page: Page) -> None:
    answered(page, TWO_STEPS)
    steps(page).last.get_by_role("button", name="Step 1").focus()
    page.keyboard.press("Enter")
    page.mouse.move(0, 0)
    expect(steps(page).last.get_by_role("button", name="Step 1")).to_have_attribute("aria-pressed", "true")
    expect(lit(page, ".reader mark")).to_have_text("Teal Bridge was designed by the engineer Ruth Falk.")
    expect(lit(page, ".derivation-step")).to_have_count(1)


def test_a_step_that_only_compares_lights_what_the_steps_before_it_stand_on(page: Page) -> None:
    answered(page, COMPARED)
    expect(short_answer(page).locator(".short-answer-text bdi")).to_have_text("Ruth Falk")
    expect(steps(page)).to_have_count(3)
    expect(steps(page).first).to_have_attribute("data-operation", "compare")
    steps(page).first.get_by_role("button", name="Step 3").click()
    expect(lit(page, ".answer .sentence")).to_have_count(2)
    expect(lit(page, ".short-answer")).to_have_count(1)


def test_the_origin_of_every_sentence_can_be_read_by_people_and_machines(
    page: Page, service: Serving
) -> None:
    answered(page, TWO_STEPS)
    told = [each["origin"] for each in trace_of(page, service)["answer"]["sentences"]]
    assert told == ["derived", "quoted", "quoted"]
    shown = answer(page).locator("[data-origin]")
    assert [each.get_attribute("data-origin") for each in shown.all()] == told
    expect(answer(page).locator(".sentence").first).to_contain_text("(quoted)")
    meanings = page.get_by_role("list", name="How the sentences came about").get_by_role("listitem")
    expect(meanings).to_have_count(2)


def test_the_last_message_brings_the_short_answer_before_the_trace_is_read(page: Page) -> None:
    reads: list[Route] = []

    def at_work_then_silent(route: Route) -> None:
        reads.append(route)
        if len(reads) == 1:
            route.fulfill(json={**route.fetch().json(), "outcome": None, "answer": None})

    page.route("**/api/v1/traces/*-*", at_work_then_silent)
    ask(page, TWO_STEPS)
    expect(short_answer(page).locator(".short-answer-text bdi")).to_have_text("Graz")
    expect(short_answer(page).locator(".short-answer-why")).to_have_text("Ruth Falk was born in Graz.")
    expect(steps(page)).to_have_count(0)
    page.unroute_all(behavior="ignoreErrors")
    page.reload()
    expect(steps(page)).to_have_count(2)


def test_the_same_stands_there_when_the_session_is_opened_later(page: Page, open_page: OpenPage) -> None:
    answered(page, TWO_STEPS)
    other = open_page(page.url)
    expect(short_answer(other).locator(".short-answer-text bdi")).to_have_text("Graz")
    expect(steps(other)).to_have_count(2)


def test_what_is_known_and_what_is_missing_stand_apart(page: Page) -> None:
    answered(page, HALF_KNOWN)
    known = answer(page).get_by_role("region", name="What is known")
    expect(known).to_contain_text("Ruth Falk (born 12 March 1831 in Graz) was an Austrian engineer.")
    expect(known.get_by_role("button", name="Source ")).to_have_count(1)
    missing = answer(page).get_by_role("region", name="What is missing")
    expect(missing).to_contain_text("Peter Lang")
    expect(missing).not_to_contain_text("Ruth Falk")
    expect(page.locator(".steps")).to_contain_text("Known in part")


def test_closest_passages_are_shown_as_no_answer(page: Page) -> None:
    def with_words_before(trace: dict[str, Any]) -> None:
        before = "No answer found. Closest passages: "
        told = trace["answer"]
        (sentence,) = told["sentences"]
        told["text"] = before + told["text"][sentence["start"] : sentence["end"]]
        sentence["start"] += len(before)
        sentence["end"] += len(before)

    answered(page, HALF_KNOWN)
    opened_with(page, with_words_before)
    expect(answer(page)).to_contain_text("There is no direct answer.")
    closest = answer(page).get_by_role("region", name="Closest passages")
    expect(closest.get_by_role("listitem")).to_have_count(1)
    expect(closest.get_by_role("button", name="Source ")).to_be_visible()
    expect(page.locator(".steps")).to_contain_text("No direct answer")


def elements_told(trace: dict[str, Any]) -> None:
    source = trace["answer"]["sentences"][0]["sources"][0]
    words = {**source, "end": source["start"] + 9, "text": source["text"][:9]}
    trace["answer"]["verdict"]["elements"] = [
        {"element": "Ruth Falk", "role": "who", "relation": "entailed", "evidence": words, "why": "same name"},
        {"element": "in Linz", "role": "where", "relation": "contradicted", "evidence": source, "why": ""},
        {"element": "today", "role": "when", "relation": "not said", "evidence": None, "why": ""},
    ]


def test_a_verdict_shows_what_the_evidence_says_of_each_element_of_the_claim(page: Page) -> None:
    judged(page, CLAIM)
    opened_with(page, elements_told)
    table = verdict(page).get_by_role("region", name="Elements of the claim")
    rows = table.get_by_role("row")
    expect(rows).to_have_count(4)
    for row, words in zip(rows.all()[1:], ("entailed", "contradicted", "not said"), strict=True):
        expect(row).to_have_attribute("data-relation", words)
        expect(row).to_contain_text(words)
    rows.nth(1).get_by_role("button", name="Source ").click()
    expect(lit(page, ".reader mark").first).to_be_visible()


@pytest.mark.parametrize("width", [1440, 320])
@pytest.mark.parametrize("question", [TWO_STEPS, HALF_KNOWN])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    open_page: OpenPage, service: Serving, question: str, width: int
) -> None:
    page = open_page(service.url, width=width)
    answered(page, question)
    if question == TWO_STEPS:
        steps(page).first.get_by_role("button", name="Step 2").click()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert violations(page) == []


def test_axe_finds_nothing_in_the_table_of_elements(open_page: OpenPage, service: Serving) -> None:
    page = open_page(service.url)
    judged(page, CLAIM)
    opened_with(page, elements_told)
    expect(verdict(page).get_by_role("table")).to_be_visible()
    found = violations(page)
    page.set_viewport_size({"width": 375, "height": 900})
    assert found + violations(page) == []
