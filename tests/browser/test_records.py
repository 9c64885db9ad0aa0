"""A person looks at past sessions, asks one again, and asks the graph itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from pyoxigraph import RdfFormat, parse

from browser.conftest import OpenPage
from e2e.commands import Serving

pytestmark = pytest.mark.slow

QUESTION = "Who discovered polonium?"


@pytest.fixture
def trace(page: Page) -> Locator:
    """A past session among the others."""
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    page.get_by_role("navigation").get_by_role("link", name="Traces").click()
    found = page.locator(".trace").first
    expect(found.get_by_role("link", name=QUESTION)).to_be_visible()
    return found


def test_a_past_session_is_listed_and_opens(trace: Locator) -> None:
    expect(trace.get_by_text("answered")).to_be_visible()
    trace.get_by_role("link", name=QUESTION).click()
    expect(trace.page.get_by_role("heading", name=QUESTION, level=1)).to_be_visible()
    expect(trace.page.locator(".answer button.cite").first).to_be_visible()


def test_a_session_asked_again_shows_what_has_changed(trace: Locator) -> None:
    trace.get_by_role("button", name="Ask again").click()
    page = trace.page
    expect(page.get_by_text("Nothing changed: the same answer from the same facts.")).to_be_visible()
    expect(page.get_by_role("heading", name="Facts that were kept")).to_be_visible()
    page.get_by_role("link", name="Before:").click()
    expect(page.get_by_role("heading", name=QUESTION, level=1)).to_be_visible()


@pytest.mark.parametrize(
    ("name", "read"), [("Turtle", RdfFormat.TURTLE), ("TriG", RdfFormat.TRIG), ("JSON-LD", RdfFormat.JSON_LD)]
)
def test_a_trace_is_downloaded_as_rdf(trace: Locator, tmp_path: Path, name: str, read: RdfFormat) -> None:
    with trace.page.expect_download() as download:
        trace.get_by_role("button", name=f"Download as {name}").click()
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    assert list(parse(saved.read_bytes(), format=read))


def test_only_stale_answers_are_shown_on_request(trace: Locator) -> None:
    page = trace.page
    page.get_by_label("Only stale answers").check()
    expect(page.get_by_text("No answer is stale.")).to_be_visible()


def test_traces_are_narrowed_by_words_and_outcome_and_the_address_keeps_it(trace: Locator) -> None:
    page = trace.page
    page.get_by_label("Question has").fill("polonium nobody")
    expect(page.get_by_text("No session fits.")).to_be_visible()
    page.get_by_label("Question has").fill("POLONIUM who")
    page.get_by_label("Outcome").select_option("answered")
    page.get_by_label("Answered from").select_option("graph-rag")
    expect(trace.get_by_role("link", name=QUESTION)).to_be_visible()
    page.reload()
    expect(page.get_by_label("Question has")).to_have_value("POLONIUM who")
    expect(trace.get_by_text("answered")).to_be_visible()


def test_twenty_traces_stand_on_a_screen(trace: Locator, service: Serving) -> None:
    page = trace.page
    for number in range(21):
        page.request.post(f"{service.url}/api/v1/graph-rag", data={"query": f"Who is number {number}?"})
    page.reload()
    expect(page.locator(".trace")).to_have_count(20)
    page.get_by_role("button", name="Older").click()
    expect(page.get_by_text("Sessions 21 to ")).to_be_visible()
    page.get_by_role("button", name="Newer").click()
    expect(page.get_by_text("Sessions 1 to 20")).to_be_visible()


def test_a_query_is_answered_with_a_table_whose_iris_lead_on(open_page: OpenPage, service: Serving) -> None:
    page = open_page(f"{service.url}/#/sparql")
    page.get_by_label("SPARQL").fill(
        "SELECT ?thing ?name WHERE { ?thing rdfs:label ?name FILTER(?name = 'polonium') }"
    )
    page.get_by_role("button", name="Run").click()
    table = page.get_by_role("table")
    expect(table.get_by_role("cell", name="polonium", exact=True)).to_be_visible()
    table.get_by_role("link").first.click()
    expect(
        page.get_by_role("table").get_by_role("link", name="tg:relation/discovered-by").first
    ).to_be_visible()


def test_an_iri_of_a_document_leads_to_the_document(open_page: OpenPage, service: Serving) -> None:
    page = open_page(f"{service.url}/#/sparql")
    page.get_by_label("SPARQL").fill("SELECT ?document WHERE { ?document a tg:Document } LIMIT 1")
    page.get_by_label("SPARQL").press("Control+Enter")
    page.get_by_role("table").get_by_role("link").first.click()
    expect(page.get_by_role("button", name="Chunk 1").first).to_be_visible()


def test_a_saved_query_asks_for_its_parameters(open_page: OpenPage, service: Serving) -> None:
    page = open_page(f"{service.url}/#/sparql")
    page.get_by_label("Query", exact=True).select_option("answers-from-extractor")
    parameter = page.get_by_label("extractor")
    page.get_by_role("button", name="Run").click()
    expect(parameter).to_be_focused()
    parameter.fill("model-free")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("region", name="What was found").get_by_role("status")).to_contain_text("row")


def sparql(open_page: OpenPage, service: Serving, query: str = "") -> Page:
    page = open_page(f"{service.url}/#/sparql")
    page.get_by_label("SPARQL").fill(query)
    return page


def test_terms_and_variables_are_completed_by_keyboard(open_page: OpenPage, service: Serving) -> None:
    page = sparql(open_page, service, "SELECT ?chunk WHERE { ?chunk a ")
    field, offered = page.get_by_label("SPARQL"), page.get_by_role("listbox", name="Completions")
    field.press_sequentially("tg:chu")
    expect(offered.get_by_role("option").first).to_be_visible()
    expect(offered.get_by_role("option", name="tg:Chunk", exact=False).first).to_be_visible()
    field.press("ArrowDown")
    expect(offered.get_by_role("option").nth(1)).to_have_attribute("aria-selected", "true")
    field.press("ArrowUp")
    field.press("Enter")
    expect(field).to_have_value("SELECT ?chunk WHERE { ?chunk a tg:Chunk ")
    field.press_sequentially("; ?p ?ch")
    field.press("Escape")
    expect(offered).to_be_hidden()
    expect(field).to_have_value("SELECT ?chunk WHERE { ?chunk a tg:Chunk ; ?p ?ch")


@pytest.mark.parametrize(("form", "begins"), [("CSV", "document"), ("JSON", "{")])
def test_the_results_of_a_query_are_downloaded(
    open_page: OpenPage, service: Serving, tmp_path: Path, form: str, begins: str
) -> None:
    page = sparql(open_page, service, "SELECT ?document WHERE { ?document a tg:Document }")
    page.get_by_role("button", name="Run").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save {form}").click()
    download.value.save_as(tmp_path / "results")
    text = (tmp_path / "results").read_text()
    assert text.startswith(begins)
    assert "urn:trustgraph:doc:" in text


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?s ?p ?o WHERE { ?s ?p ?o FILTER(?o = <http://trustgraph.ai/e/marie%20curie>) }",
        "CONSTRUCT WHERE { ?s r:discovered-by ?o }",
    ],
)
def test_the_results_of_a_query_are_coloured_and_drawn_as_a_graph(
    open_page: OpenPage, service: Serving, query: str
) -> None:
    page = sparql(open_page, service, query)
    expect(page.locator(".query-keyword").first).to_have_text(query.split()[0])
    page.get_by_role("button", name="Run").click()
    page.get_by_role("button", name="Show as graph").click()
    expect(page.locator('.graph-node[aria-label^="marie curie"]')).to_be_visible()
    page.get_by_role("button", name="Show as table").click()
    expect(page.locator(".explorer-graph")).to_be_hidden()


def test_a_query_of_ones_own_is_saved_and_forgotten(open_page: OpenPage, service: Serving) -> None:
    query = "ASK { ?s a tg:Document }"
    page = sparql(open_page, service, query)
    page.get_by_role("button", name="Save query").click()
    page.get_by_role("dialog").get_by_label("Name").fill("any documents?")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    page.reload()
    page.get_by_label("Query", exact=True).select_option(label="any documents?")
    expect(page.get_by_label("SPARQL")).to_have_value(query)
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("region", name="What was found")).to_have_text("Yes")
    page.get_by_role("button", name="Forget query").click()
    expect(page.get_by_role("option", name="any documents?")).to_have_count(0)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("SELEKT *", "not valid SPARQL"),
        ("DELETE WHERE { ?s ?p ?o }", ""),
        ("ASK { ?s a tg:Document }", "Yes"),
    ],
)
def test_what_is_wrong_with_a_query_is_told_and_yes_or_no_is_an_answer(
    open_page: OpenPage, service: Serving, query: str, told: str
) -> None:
    page = open_page(f"{service.url}/#/sparql")
    page.get_by_label("SPARQL").fill(query)
    page.get_by_role("button", name="Run").click()
    found = page.get_by_role("region", name="What was found")
    if told == "Yes":
        expect(found).to_have_text("Yes")
    else:
        expect(found.get_by_role("alert")).to_contain_text(told)


def test_no_view_is_wider_than_a_narrow_screen(open_page: OpenPage, service: Serving) -> None:
    page: Page = open_page(f"{service.url}/#/traces", width=375)
    for name, address in (("Traces", "traces"), ("SPARQL", "sparql")):
        page.goto(f"{service.url}/#/{address}")
        expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 375
