"""A person walks through the graph of a collection, from thing to thing, down to the words that say a fact."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.accessible import violations
from browser.conftest import OpenPage
from e2e.commands import Serving

pytestmark = pytest.mark.slow


@pytest.fixture
def explorer(open_page: OpenPage, service: Serving) -> Page:
    page = open_page(f"{service.url}/#/graph")
    expect(page.get_by_role("heading", name="Graph", level=1)).to_be_visible()
    page.get_by_label("Search a thing").fill("marie cu")
    page.get_by_role("button", name="Marie Curie", exact=True).click()
    expect(node(page, "Marie Curie")).to_be_visible()
    return page


def node(page: Page, name: str) -> Locator:
    return page.locator(f'.graph-node[aria-label^="{name}"]').first


def chosen(page: Page, name: str) -> None:
    node(page, name).focus()
    page.keyboard.press("Enter")


def test_the_things_of_which_most_is_said_are_offered_first(open_page: OpenPage, service: Serving) -> None:
    page = open_page(f"{service.url}/#/graph")
    expect(page.get_by_role("button", name="Ernest Rutherford")).to_be_visible()


def test_a_name_that_nothing_has_is_told(explorer: Page) -> None:
    explorer.get_by_label("Search a thing").fill('no "such" thing\\')
    expect(explorer.get_by_text("No thing has such a name.")).to_be_visible()


def test_a_thing_is_expanded_and_folded(explorer: Page) -> None:
    chosen(explorer, "Pierre Curie")
    explorer.get_by_role("button", name="Expand").click()
    expect(node(explorer, "1906-04-19")).to_be_visible()
    chosen(explorer, "Pierre Curie")
    explorer.get_by_role("button", name="Fold").click()
    expect(node(explorer, "1906-04-19")).to_have_count(0)


def test_a_relation_narrows_the_graph(explorer: Page) -> None:
    explorer.get_by_label("Relation").select_option(label="was born in (1)")
    expect(explorer.locator(".graph-label")).to_have_count(1)
    expect(node(explorer, "Warsaw")).to_be_visible()


def test_years_narrow_the_graph_of_the_whole_collection(explorer: Page) -> None:
    explorer.get_by_role("button", name="Whole collection").click()
    expect(node(explorer, "Ernest Rutherford")).to_be_visible()
    explorer.get_by_label("From year").fill("1937")
    explorer.get_by_label("From year").press("Enter")
    expect(node(explorer, "francium")).to_be_visible()
    expect(node(explorer, "polonium")).to_have_count(0)


def test_a_large_graph_is_painted_and_walked_by_keyboard(open_page: OpenPage, service: Serving) -> None:
    page = open_page("about:blank")
    names = [f"Thing {number}" for number in range(400)]
    box = {"width": 90, "height": 30}
    nodes = [
        {
            **box,
            "id": name,
            "label": name,
            "lines": [name],
            "kind": "entity",
            "detail": "",
            "term": None,
            "x": 200 * (number % 20),
            "y": 100 * (number // 20),
        }
        for number, name in enumerate(names)
    ]
    edges = [
        {
            **box,
            "id": f"{one} {other}",
            "subject": one,
            "object": other,
            "label": "knows",
            "lines": ["knows"],
            "weight": 0,
            "emphasis": "context",
            "directed": True,
            "sentences": [],
            "triple": None,
            "x": 0,
            "y": 0,
        }
        for one, other in pairwise(names)
    ]
    graph = {
        "title": "",
        "collection": "default",
        "width": 4000,
        "height": 2000,
        "nodes": nodes,
        "edges": edges,
    }
    page.route("**/api/v1/knowledge/graph?*", lambda route: route.fulfill(json=graph))
    page.goto(f"{service.url}/#/graph?whole=true")
    canvas = page.get_by_role("application", name="Graph of 400 things and 399 facts")
    canvas.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".graph-facts h3")).to_have_text("Thing 1")
    assert violations(page) == []


def test_every_fact_opens_the_words_that_say_it(explorer: Page) -> None:
    chosen(explorer, "Warsaw")
    explorer.locator(".graph-facts summary").first.click()
    expect(explorer.locator(".graph-sources q").first).to_contain_text("Warsaw")
    explorer.locator(".graph-sources a").first.click()
    expect(explorer.locator("mark, .page-mark").first).to_be_visible()


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (375, "dark")])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    open_page: OpenPage, service: Serving, width: int, scheme: str
) -> None:
    page = open_page(f"{service.url}/#/graph?entity=Marie%20Curie", width=width, scheme=scheme)
    chosen(page, "Warsaw")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
