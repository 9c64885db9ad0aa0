"""A claim is judged, and the words for and against it light where they stand."""

from __future__ import annotations

import json
import urllib.request

import pytest
from playwright.sync_api import Page, expect

from browser.asking import lit
from browser.conftest import OpenPage
from browser.judging import REFUTED, SUPPORTED, UNKNOWN, judged, side, verdict
from e2e.commands import Serving

pytestmark = pytest.mark.slow

AGAINST = "Frederick Soddy received the Nobel Prize in Chemistry in 1921."


@pytest.mark.parametrize(
    ("claim", "label", "sign"),
    [(SUPPORTED, "SUPPORTS", "✓"), (REFUTED, "REFUTES", "✕"), (UNKNOWN, "NOT ENOUGH INFO", "?")],
)
def test_a_verdict_is_told_by_word_and_sign(page: Page, claim: str, label: str, sign: str) -> None:
    judged(page, claim)
    expect(page.get_by_role("heading", level=1)).to_have_text(claim)
    expect(verdict(page).locator(".verdict-label")).to_have_text(label)
    expect(verdict(page).locator(".verdict-sign")).to_have_text(sign)
    expect(verdict(page).get_by_role("definition")).to_have_count(1)


def test_what_refutes_stands_under_against_with_its_reason_its_place_and_its_facts(page: Page) -> None:
    judged(page, REFUTED)
    expect(side(page, "For").get_by_role("listitem")).to_have_count(0)
    expect(side(page, "For")).to_contain_text("No words found speak for it.")
    against = side(page, "Against")
    expect(against.locator("q")).to_have_text(AGAINST)
    expect(against).to_contain_text("The documents say “1921” where the claim says “1911”.")
    expect(against.locator(".source-name")).to_contain_text(", p. 1")
    expect(against.get_by_label("Facts read from these words").get_by_role("listitem").first).to_be_visible()


def test_too_little_said_is_no_answer_and_says_what_is_missing(page: Page) -> None:
    judged(page, UNKNOWN)
    expect(verdict(page)).to_contain_text(
        "The closest sentence speaks of “Marie Curie”, but does not say “a bakery” of it."
    )
    expect(side(page, "Against")).to_contain_text("No words found speak against it.")
    expect(page.locator(".steps")).to_contain_text("Not enough info")


def test_words_of_a_verdict_light_in_their_source_and_their_facts_with_them(page: Page) -> None:
    judged(page, REFUTED)
    page.mouse.move(0, 0)
    expect(lit(page, ".reader mark")).to_have_count(0)
    side(page, "Against").locator("q").hover()
    expect(page.locator(".reader mark[data-lit]")).to_have_text(AGAINST)
    expect(lit(page, ".evidence").first).to_be_visible()


def test_the_same_by_keyboard(page: Page) -> None:
    judged(page, SUPPORTED)
    side(page, "For").get_by_role("button", name="Source ").focus()
    expect(page.locator(".reader mark[data-lit]")).to_have_text(
        "James Chadwick discovered the neutron there in 1932."
    )
    page.keyboard.press("Enter")
    expect(side(page, "For").get_by_role("button", name="Source ")).to_have_attribute("aria-pressed", "true")


def test_the_facts_that_were_read_for_a_claim_are_drawn(page: Page) -> None:
    judged(page, REFUTED)
    page.get_by_role("tab", name="Graph").click()
    expect(page.locator(".graph-node").filter(has_text="Frederick Soddy")).to_be_visible()


@pytest.mark.parametrize("claim", [SUPPORTED, REFUTED, UNKNOWN])
def test_a_session_that_is_opened_later_shows_its_verdict(
    page: Page, open_page: OpenPage, claim: str
) -> None:
    judged(page, claim)
    label = verdict(page).locator(".verdict-label").inner_text()
    measures = verdict(page).get_by_role("definition").all_inner_texts()
    words = verdict(page).locator(".finding q").all_inner_texts()
    other = open_page(page.url)
    expect(verdict(other).locator(".verdict-label")).to_have_text(label)
    assert verdict(other).get_by_role("definition").all_inner_texts() == measures
    assert verdict(other).locator(".finding q").all_inner_texts() == words
    bar = other.get_by_role("navigation", name="Views")
    expect(bar.get_by_role("link", name="Claims")).to_have_attribute("aria-current", "page")


def test_the_verdict_on_the_page_is_the_one_that_the_trace_tells(page: Page, service: Serving) -> None:
    judged(page, REFUTED)
    session = page.url.rpartition("/")[2]
    with urllib.request.urlopen(f"{service.url}/api/v1/traces/{session}") as answer:
        told = json.load(answer)["answer"]["verdict"]
    expect(verdict(page).get_by_role("definition")).to_have_text(f"{told['confidence']:.0%}")
    expect(verdict(page)).to_contain_text(told["explanation"])


def test_for_and_against_stand_side_by_side_or_one_below_the_other(page: Page) -> None:
    judged(page, REFUTED)
    for width, beside in ((1440, True), (375, False)):
        page.set_viewport_size({"width": width, "height": 900})
        one, other = side(page, "For").bounding_box(), side(page, "Against").bounding_box()
        assert one is not None
        assert other is not None
        assert (one["y"] == other["y"], one["x"] == other["x"]) == (beside, not beside)
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_claim_that_cannot_be_judged_says_so_at_its_field(page: Page) -> None:
    page.get_by_role("link", name="Claims").click()
    page.get_by_label("Claim", exact=True).fill("   ")
    page.get_by_role("button", name="Judge").click()
    expect(page.locator(".form-said")).to_contain_text("empty")


@pytest.mark.parametrize("width", [320, 375])
def test_every_entry_of_the_bar_is_in_sight_on_a_narrow_screen(
    open_page: OpenPage, service: Serving, width: int
) -> None:
    page = open_page(service.url, width=width)
    entries = page.get_by_role("navigation", name="Views").get_by_role("link")
    expect(entries).to_have_text(["Ask", "Claims", "Papers", "Documents", "Graph", "Traces", "SPARQL"])
    for entry in entries.all():
        expect(entry).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") == width
