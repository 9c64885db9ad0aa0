"""A sentence, its facts, and the words they were read from light one another."""

from __future__ import annotations

import json
import re
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browser.asking import answer, answered, citations, facts, lit
from browser.conftest import OpenPage
from e2e.commands import Serving, run, serving

pytestmark = pytest.mark.slow

SENTENCE = "Marie Curie and Pierre Curie discovered polonium in July 1898, in pitchblende from Joachimsthal."
HALF_LIFE = "What is the half-life of polonium?"
PICTURE = re.compile(r"/documents/page\?")
BEYOND_16_BITS = "🧪🧪 𝔄 Preface. 🧪\n\nMarie Curie discovered polonium 🧪 in 1898. She liked it.\n"


@pytest.fixture
def proven(page: Page) -> Page:
    """An answer beside the text of its source."""
    answered(page)
    page.get_by_role("button", name="Page image").click()
    expect(page.locator(".reader mark")).to_be_visible()
    page.mouse.move(0, 0)
    return page


def trace_of(page: Page, service: Serving) -> dict[str, Any]:
    session = page.url.rpartition("/")[2]
    with urllib.request.urlopen(f"{service.url}/api/v1/traces/{session}") as answer:
        trace: dict[str, Any] = json.load(answer)
        return trace


def page_text(service: Serving, page: str) -> str:
    query = urllib.parse.urlencode({"id": page})
    with urllib.request.urlopen(f"{service.url}/api/v1/documents/content?{query}") as answer:
        text: str = answer.read().decode()
        return text


def test_a_citation_lights_its_facts_and_the_exact_words_in_the_source(
    proven: Page, service: Serving
) -> None:
    expect(lit(proven, ".evidence")).to_have_count(0)
    citations(proven).first.hover()
    expect(lit(proven, ".evidence")).to_have_count(facts(proven).count())
    expect(lit(proven, ".reader mark")).to_have_text([SENTENCE])
    expect(lit(proven, ".sentence")).not_to_have_count(0)
    (source,) = trace_of(proven, service)["answer"]["sentences"][0]["sources"]
    assert page_text(service, source["page"])[source["start"] : source["end"]] == SENTENCE


def test_a_picture_that_comes_late_does_not_take_the_place_of_the_text(page: Page) -> None:
    held: list[Route] = []
    page.route(PICTURE, lambda route: held.append(route))
    answered(page)
    expect(page.locator(".reader-text")).to_have_attribute("aria-busy", "true")
    page.get_by_role("button", name="Page image").click()
    expect(page.locator(".reader mark")).to_be_visible()
    with page.expect_response(PICTURE) as come:
        held[0].continue_()
    come.value.finished()
    page.evaluate("() => new Promise(seen => requestAnimationFrame(() => requestAnimationFrame(seen)))")
    expect(page.locator(".reader mark")).to_be_visible()
    expect(page.locator(".page-picture")).to_have_count(0)


def test_the_same_by_keyboard_alone(proven: Page) -> None:
    proven.get_by_role("tab", name="Answer & evidence").focus()
    while not proven.evaluate("document.activeElement.matches('.answer .cite')"):
        proven.keyboard.press("Tab")
    expect(lit(proven, ".reader mark")).to_have_text([SENTENCE])
    proven.keyboard.press("Enter")
    expect(citations(proven).first).to_have_attribute("aria-pressed", "true")
    proven.keyboard.press("Tab")
    proven.keyboard.press("Escape")
    expect(citations(proven).first).to_have_attribute("aria-pressed", "false")


def test_a_page_of_a_pdf_is_shown_as_it_looks_with_boxes_over_the_cited_words(page: Page) -> None:
    answered(page)
    picture = page.get_by_role("img", name="Page 1 as it looks")
    expect(picture).to_be_visible()
    expect(picture).to_have_attribute("alt", re.compile(re.escape(SENTENCE)))
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 1200
    boxes = page.locator(".word-box")
    expect(boxes).to_have_count(2)
    citations(page).first.hover()
    expect(page.locator(".word-box[data-lit]")).to_have_count(2)
    sheet, box = picture.bounding_box(), boxes.first.bounding_box()
    assert sheet is not None
    assert box is not None
    assert sheet["x"] < box["x"] < box["x"] + box["width"] < sheet["x"] + sheet["width"]


def test_what_is_pressed_stays_lit_until_it_is_let_go(proven: Page) -> None:
    citations(proven).first.click()
    proven.mouse.move(0, 0)
    expect(lit(proven, ".reader mark")).to_have_text([SENTENCE])
    proven.keyboard.press("Escape")
    proven.get_by_role("heading", level=1).click()
    expect(lit(proven, ".reader mark")).to_have_count(0)


def test_a_fact_lights_its_sentence_and_every_source_of_it(page: Page) -> None:
    answered(page)
    first = facts(page).first
    first.hover()
    expect(lit(page, ".sentence")).not_to_have_count(0)
    expect(lit(page, ".evidence")).to_have_count(1)
    first.get_by_role("button", name="Source 2").focus()
    expect(page.get_by_role("heading", name="The discovery of radioactivity")).to_be_visible()
    expect(page.locator(".reader mark[data-lit]")).to_contain_text("discovered polonium in July 1898")


def test_the_lit_words_are_scrolled_into_sight(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 620})
    answered(page, "When did Marie Curie receive the Nobel Prize in Chemistry?")
    citations(page).first.hover()
    expect(page.locator(".reader mark[data-lit]").first).to_be_in_viewport(ratio=0.9)


def test_entities_and_values_differ_without_colour(page: Page) -> None:
    answered(page)
    style = "node => getComputedStyle(node).textDecorationStyle"
    entity = page.locator(".facts .term.entity", has_text="Marie Curie").first
    value = page.locator(".facts .term.metric").first
    assert entity.evaluate(style) != value.evaluate(style)
    assert entity.get_attribute("title") == "Person"
    expect(value).to_have_text("1898-07")


def test_sources_tell_the_score_of_each_document_and_the_words_that_made_it(page: Page) -> None:
    answered(page)
    page.get_by_role("tab", name="Sources (2)").click()
    document = page.get_by_role("tabpanel", name="Sources").locator(".document").first
    expect(document.get_by_role("heading")).to_have_text("Two new elements (two-new-elements.pdf)")
    expect(document).to_contain_text("Number 1 of ")
    expect(document.get_by_role("term").first).to_have_text("polonium")
    expect(document.locator("mark")).to_have_text(SENTENCE)


def test_an_answer_by_extraction_tells_of_each_document_the_words_that_made_its_score(page: Page) -> None:
    answered(page, HALF_LIFE, "quotations")
    page.get_by_role("tab", name="Sources").click()
    document = page.locator(".document").first
    rows = [row.locator("th, td").all_inner_texts() for row in document.locator("tbody tr").all()]
    score = document.locator(".ranking > .number").inner_text().rpartition(" ")[2]
    assert {"polonium", "half", "life"} <= {row[0] for row in rows}
    assert sum(float(row[-1]) for row in rows) == pytest.approx(float(score), abs=0.05)


def test_an_answer_by_extraction_that_is_opened_later_tells_the_same_scores(
    page: Page, open_page: OpenPage
) -> None:
    answered(page, HALF_LIFE, "quotations")
    page.get_by_role("tab", name="Sources").click()
    scores = page.locator(".ranking > .number").all_inner_texts()
    later = open_page(page.url)
    later.get_by_role("tab", name="Sources").click()
    expect(later.locator(".ranking .reason").first).to_contain_text("× 2")
    assert later.locator(".ranking > .number").all_inner_texts() == scores


def test_metrics_and_entities_in_evidence_differ_without_colour_as_the_legend_says(page: Page) -> None:
    answered(page, HALF_LIFE, "quotations")
    page.get_by_role("tab", name="Sources").click()
    panel = page.get_by_role("tabpanel", name="Sources")
    style = "node => getComputedStyle(node).textDecorationStyle"
    metric = panel.locator(".quotations .term.metric").filter(has_text="138 days").first
    entity = panel.locator(".quotations .term.entity").first
    assert (metric.evaluate(style), entity.evaluate(style)) == ("dotted", "solid")
    legend = panel.locator(".legend")
    assert legend.locator(".term.metric").evaluate(style) == "dotted"
    assert legend.locator(".term.entity").evaluate(style) == "solid"


def test_values_and_names_of_an_answer_by_extraction_are_marked_now_and_when_it_is_opened_later(
    page: Page, open_page: OpenPage
) -> None:
    answered(page, HALF_LIFE, "quotations")
    for shown in (page, open_page(page.url)):
        expect(shown.get_by_label("Answer", exact=True).locator(".term.metric").first).to_contain_text(
            "138 days"
        )
        expect(shown.get_by_label("Answer", exact=True).locator(".legend")).to_be_visible()
        shown.get_by_role("tab", name="Sources").click()
        expect(
            shown.locator(".quotations mark .term.metric").filter(has_text="138 days").first
        ).to_be_visible()


def test_tabs_are_moved_through_with_arrows(page: Page) -> None:
    answered(page)
    page.get_by_role("tab", name="Answer & evidence").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Sources")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="Sources")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(answer(page)).to_be_visible()


@pytest.fixture(scope="module")
def beyond(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    place = tmp_path_factory.mktemp("beyond")
    (place / "beyond.txt").write_text(BEYOND_16_BITS)
    assert run("ingest", "--data", place / "data", place / "beyond.txt").status == 0
    with serving(place / "data") as made:
        yield made


@pytest.mark.parametrize("answer_from", ["facts", "passages"])
def test_characters_beyond_16_bits_do_not_shift_what_is_marked(
    open_page: OpenPage, beyond: Serving, answer_from: str
) -> None:
    page = answered(open_page(beyond.url), answer_from=answer_from)
    expect(answer(page).locator(".sentence-words")).to_have_text(
        "Marie Curie discovered polonium 🧪 in 1898."
    )
    expect(page.locator(".reader mark")).to_have_text("Marie Curie discovered polonium 🧪 in 1898.")


def test_a_narrow_screen_fits_the_answer_and_is_given_to_the_source_when_a_citation_is_pressed(
    open_page: OpenPage, service: Serving
) -> None:
    page = answered(open_page(service.url, width=375))
    assert page.evaluate("document.documentElement.scrollWidth") == 375
    beside = page.get_by_role("complementary", name="Sources in context")
    expect(beside).to_be_hidden()
    citations(page).first.click()
    expect(beside.locator("[data-places][data-lit]").first).to_be_in_viewport()
    assert beside.evaluate("node => getComputedStyle(node).maxHeight") == page.evaluate(
        "`${innerHeight * 0.9}px`"
    )
    beside.get_by_role("button", name="Close").click()
    expect(beside).to_be_hidden()
