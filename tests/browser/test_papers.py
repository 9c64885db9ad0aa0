"""The Papers view: both graphs, papers chosen and asked, others added; by keyboard, and with hostile titles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.accessible import violations
from browser.conftest import OpenPage
from e2e.commands import Serving, run, serving
from servers.papers import HOSTILE, LAYNET, PROTEINS, TABLES

pytestmark = pytest.mark.slow

ESCAPED = HOSTILE.title.replace("&", r"\&")
BIBLIOGRAPHY = "\n".join(
    f"@article{{{paper.number}, title = {{{title}}}, author = {{{' and '.join(paper.creators)}}}, year = 2021,"
    f" eprint = {{{paper.number}}}, archiveprefix = {{arXiv}}, abstract = {{{paper.abstract}}}}}"
    for paper, title in ((LAYNET, LAYNET.title), (TABLES, TABLES.title), (HOSTILE, ESCAPED))
)


@pytest.fixture(scope="module")
def papers(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A service over three papers, one of them hostile, and one that is missing; only where there is a browser."""
    folder = tmp_path_factory.mktemp("papers")
    given = folder / "given"
    given.mkdir()
    for paper in (LAYNET, TABLES, HOSTILE):
        (given / f"{paper.number}.pdf").write_bytes(paper.pdf)
    (given / "refs.bib").write_text(f"{BIBLIOGRAPHY}\n@misc{{gone, title = {{Gone <b>for</b> good}}}}")
    done = run("research", "build", "--from", given, "--data", folder / "data")
    assert done.status == 1  # one is missing
    assert "Gone" in done.err
    with serving(folder / "data") as made:
        yield made


@pytest.fixture
def view(open_page: OpenPage, papers: Serving) -> Page:
    return opened(open_page, papers)


def opened(open_page: OpenPage, papers: Serving, width: int = 1440, scheme: str = "light") -> Page:
    page = open_page(f"{papers.url}/#/papers", width=width, scheme=scheme)
    expect(page.locator(".paper")).to_have_count(3)
    expect(page.locator(".graph-node")).to_have_count(3)
    return page


def test_titles_are_text_wherever_they_stand(view: Page) -> None:
    expect(view.get_by_role("checkbox", name=HOSTILE.title)).to_be_visible()
    view.get_by_text("1 paper could not be had").click()
    expect(view.get_by_text("Gone <b>for</b> good", exact=True)).to_be_visible()
    assert view.locator("main img, main script, main b").count() == 0


def test_a_paper_is_chosen_in_the_list_and_asked(view: Page) -> None:
    view.get_by_role("checkbox", name=TABLES.title).check()
    expect(view.get_by_text("1 paper chosen.")).to_be_visible()
    view.get_by_role("textbox", name="Question to the papers").fill("What is TabReader based on?")
    view.get_by_role("textbox", name="Question to the papers").press("Enter")
    answer = view.locator(".answer")
    expect(answer).to_contain_text("TabReader is based on LayFormer")
    expect(answer).to_contain_text("“TabReader: Reading Tables in Document Pages”:")


def test_a_paper_is_chosen_in_the_graph_by_keyboard_alone(view: Page) -> None:
    view.locator(".graph-node[tabindex='0']").focus()
    view.keyboard.press("Enter")
    about = view.get_by_role("region", name="Facts of the chosen thing")
    expect(about.get_by_role("heading", level=3)).to_be_visible()
    about.get_by_role("button", name="Ask it").press("Enter")
    expect(view.get_by_text("1 paper chosen.")).to_be_visible()
    view.get_by_role("button", name="Ask all").press("Enter")
    expect(view.get_by_text("None is chosen: all are asked.")).to_be_visible()


def test_the_graph_of_what_they_are_about_leads_to_the_words(view: Page) -> None:
    view.get_by_role("tab", name="Papers alike").press("ArrowRight")
    node = view.get_by_role("button", name="PubLayNet, dataset, 1 fact")
    node.click()
    about = view.get_by_role("tabpanel", name="What they are about").get_by_role(
        "region", name="Facts of the chosen thing"
    )
    about.get_by_text("uses").click()
    expect(about.locator("q").first).to_contain_text("PubLayNet")


def test_files_are_added_and_the_graph_has_them(open_page: OpenPage, papers: Serving, tmp_path: Path) -> None:
    page = open_page(f"{papers.url}/#/papers?collection=more")
    expect(page.locator(".problem")).to_be_visible()  # there is no such collection yet
    paper = tmp_path / "folding.pdf"
    paper.write_bytes(PROTEINS.pdf)
    page.locator("#files").set_input_files(paper)
    expect(page.locator(".paper")).to_have_count(1)
    expect(page.locator(".jobs").last).to_contain_text("1 document")


def test_the_list_of_documents_counts_chunks_and_facts(view: Page) -> None:
    view.get_by_role("link", name="Documents", exact=True).click()
    row = view.get_by_role("row").filter(has_text="TabReader")
    expect(row.get_by_role("cell").nth(4)).to_have_text("2")
    expect(row.get_by_role("cell").nth(5)).not_to_have_text("0")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1440])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    open_page: OpenPage, papers: Serving, width: int, scheme: str
) -> None:
    page = opened(open_page, papers, width, scheme)
    page.locator(".graph-node").first.focus()
    page.keyboard.press("Enter")
    page.get_by_text("1 paper could not be had").click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
