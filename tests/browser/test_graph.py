"""A person looks at the graph of an answer: lights it, moves it, asks a thing for its facts, and saves the picture."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.slow

QUESTION = "Who discovered polonium?"


@pytest.fixture
def graph(page: Page) -> Locator:
    """The graph of a session, beside its answer."""
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_role("button", name="Ask").click()
    page.get_by_role("tab", name="Graph").click()
    found = page.locator(".graph")
    expect(found.locator(".graph-node").first).to_be_visible()
    return found


def transform(graph: Locator) -> str:
    return graph.locator(".graph-canvas > g").get_attribute("transform") or ""


def lines(graph: Locator) -> list[str]:
    found: list[str] = graph.locator("path").evaluate_all("all => all.map(path => path.getAttribute('d'))")
    return found


def test_the_graph_shows_what_a_sentence_rests_on(graph: Locator) -> None:
    cited = graph.locator(".graph-label.cited")
    expect(cited.first).to_be_visible()
    expect(cited.filter(has_text="[1]").first).to_be_visible()
    expect(graph.get_by_role("button", name="polonium").first).to_be_visible()


def test_a_citation_lights_its_edges_in_the_graph(page: Page, graph: Locator) -> None:
    expect(graph.locator(".graph-label[data-lit]")).to_have_count(0)
    page.locator(".answer button.cite").first.hover()
    expect(graph.locator(".graph-label.cited[data-lit]").first).to_be_visible()
    page.get_by_role("heading", level=1).hover()
    expect(graph.locator(".graph-label[data-lit]")).to_have_count(0)


def test_an_edge_of_the_graph_lights_its_fact(page: Page, graph: Locator) -> None:
    graph.locator(".graph-label.cited").first.click()
    expect(page.locator(".evidence[data-lit]").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".evidence[data-lit]")).to_have_count(0)


def test_a_thing_tells_its_facts_and_where_each_was_read(graph: Locator) -> None:
    graph.get_by_role("button", name="polonium").first.click()
    facts = graph.get_by_role("region", name="Facts of the chosen thing")
    expect(facts.get_by_role("heading", name="polonium")).to_be_visible()
    facts.locator("summary").first.click()
    expect(facts.locator("q").first).to_contain_text(re.compile("polonium", re.IGNORECASE))
    expect(facts.get_by_role("link", name="page 1").first).to_be_visible()


def test_the_graph_is_walked_and_asked_by_keys_alone(page: Page, graph: Locator) -> None:
    graph.get_by_role("button", name="Full screen").focus()
    page.keyboard.press("Tab")
    before = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert before
    for key in ("ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    name = page.evaluate("document.activeElement.getAttribute('aria-label')").split(",")[0]
    expect(graph.locator(".graph-facts h3")).to_contain_text(name)
    still = transform(graph)
    page.keyboard.press("+")
    assert transform(graph) != still


def test_it_is_zoomed_and_moved_and_a_thing_takes_its_edges_along(page: Page, graph: Locator) -> None:
    fitted = transform(graph)
    graph.get_by_role("button", name="Larger").click()
    assert transform(graph) != fitted
    graph.get_by_role("button", name="Fit").click()
    assert transform(graph) == fitted

    node = graph.locator(".graph-node").first
    box = node.bounding_box()
    assert box is not None
    place, drawn = node.get_attribute("transform"), lines(graph)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 90, box["y"] + 70, steps=4)
    page.mouse.up()
    assert node.get_attribute("transform") != place
    assert lines(graph) != drawn
    assert transform(graph) == fitted
    expect(graph.locator(".graph-facts h3")).to_have_count(0)  # a drag is no click


@pytest.mark.parametrize(("name", "start"), [("Save SVG", b"<svg "), ("Save PNG", b"\x89PNG")])
def test_the_picture_is_saved(page: Page, graph: Locator, tmp_path: Path, name: str, start: bytes) -> None:
    with page.expect_download() as download:
        graph.get_by_role("button", name=name).click()
    saved = tmp_path / "graph"
    download.value.save_as(saved)
    assert saved.read_bytes().startswith(start)
