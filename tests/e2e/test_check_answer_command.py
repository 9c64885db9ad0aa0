"""What others wrote, checked from the command line: against files, without a folder, and against a collection."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import Result

from e2e.commands import invoke, run

ANSWER = (
    "The Orlo Institute was founded in 1968 [1]. Bolt Foods employs 40 people [2]. "
    "Bolt Foods sells <script>alert(1)</script> shoes. Who bakes bread?\n"
)


@pytest.fixture
def sources(tmp_path: Path) -> list[Path]:
    orlo, bolt = tmp_path / "orlo.txt", tmp_path / "bolt.html"
    orlo.write_text("The Orlo Institute was founded by Ada Novak in 1968. It is in Graz.")
    bolt.write_text(
        "<html><head><title>Bolt Foods</title></head><body><p>Bolt Foods employs 30 people.</p>"
        "<p>It writes &lt;img src=x onerror=alert(2)&gt; on its boxes.</p></body></html>"
    )
    return [orlo, bolt]


@pytest.fixture
def answer(tmp_path: Path) -> Path:
    file = tmp_path / "answer.md"
    file.write_text(ANSWER)
    return file


def checked(*arguments: str | Path) -> Result:
    result = invoke("check-answer", *arguments)
    assert "Traceback" not in result.output
    return result


def test_claims_are_checked_against_files_without_a_folder(answer: Path, sources: list[Path]) -> None:
    result = checked(answer, "--sources", *sources)
    assert result.exit_code == 1
    assert "SUPPORTS (confidence" in result.stdout
    assert "REFUTES (confidence" in result.stdout
    assert "“40 people”   “30 people”        contradicted" in result.stdout
    assert f"Cites [2] ({sources[1]}), which does not support it." in result.stdout
    assert "NOT A CLAIM: Who bakes bread?" in result.stdout
    assert not Path("provgraph-data").exists()


def test_a_text_on_stdin_and_a_text_itself_are_checked(sources: list[Path]) -> None:
    piped = run("check-answer", "-", "--sources", sources[1], "--format", "json", stdin=ANSWER.encode())
    assert piped.status == 1
    assert json.loads(piped.out)["summary"]["refuted"] == 1
    assert checked("Bolt Foods employs 30 people.", "--sources", sources[1]).exit_code == 0


def test_what_cannot_be_checked_has_a_status_of_its_own(answer: Path, sources: list[Path]) -> None:
    assert checked(answer, "--sources", "nowhere.pdf").exit_code == 2
    assert checked(answer, "--sources", sources[0], "--collection", "default").exit_code == 2
    assert checked("", "--sources", sources[0]).exit_code == 2


class _Page(HTMLParser):
    """The tags, ids and links of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        named = dict(attrs)
        self.ids |= {str(named["id"])} if "id" in named else set()
        self.links |= {str(named["href"])} if "href" in named else set()
        assert "src" not in named


def test_the_report_is_one_page_that_needs_nothing_else(
    tmp_path: Path, answer: Path, sources: list[Path]
) -> None:
    file = tmp_path / "report.html"
    result = checked(answer, "--sources", *sources, "--format", "html", "--output", file)
    assert (result.exit_code, result.stdout) == (1, "")
    text = file.read_text()
    page = _Page(text)
    assert {"script", "img", "link", "iframe"}.isdisjoint(page.tags)
    assert "&lt;script&gt;alert(1)" in text
    assert page.links
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert "mark" in page.tags


def test_a_check_against_a_collection_is_recorded(
    folder: Path, tmp_path: Path, answer: Path, sources: list[Path]
) -> None:
    assert invoke("ingest", *sources, "--data", folder).exit_code == 0
    result = checked(answer, "--data", folder, "--agent", "another assistant")
    assert result.exit_code == 1
    session = result.stdout.rpartition("Trace: ")[2].strip()
    trace = invoke("trace", session, "--data", folder).stdout
    assert "written by another assistant" in trace
    assert "[claim] REFUTES: Bolt Foods employs 40 people [2]." in trace
    file = tmp_path / "report.html"
    checked(answer, "--data", folder, "--format", "html", "--output", file)
    assert "<mark" in file.read_text()


def test_the_name_of_a_file_that_is_not_there_is_not_judged_as_a_text(sources: list[Path]) -> None:
    result = checked("absent.txt", "--sources", *sources)
    assert result.exit_code == 2
    assert "There is no file absent.txt." in result.stderr
