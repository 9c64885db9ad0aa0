"""The page's own code: text never becomes markup, nothing comes from elsewhere, and every module stays small."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

STATIC = Path(__file__).parents[2] / "services/provgraph/web/static"
MODULE_LINES = 300
MARKUP_OR_CODE = re.compile(
    r"""innerHTML | outerHTML | insertAdjacentHTML | document\.write | \beval\b | new\s+Function
      | createContextualFragment | setHTML | DOMParser | \.cssText | setTimeout\(\s*["'`]""",
    re.VERBOSE,
)
ELSEWHERE = re.compile(r"""(?:https?:)?//[\w.-]+\.\w{2,}[^\s"'`)]*""")
NAMES = {
    "http://www.w3.org/2000/svg",
    "http://www.w3.org/1999/xlink",
    "http://trustgraph.ai/e/",
    "https://trustgraph.ai/ns/",
    "http://www.w3.org/ns/prov#",
    "http://www.w3.org/ns/oa#",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "http://www.w3.org/2000/01/rdf-schema#",
    "http://www.w3.org/2001/XMLSchema#",
    "http://purl.org/dc/elements/1.1/",
    "https://schema.org/digitalSourceType",
    "https://schema.org/TrainedAlgorithmicMediaDigitalSource",
}
"""Namespaces, which nothing is fetched from."""


def sources(*kinds: str) -> Iterator[tuple[str, str]]:
    for path in sorted(STATIC.rglob("*")):
        if path.suffix in kinds:
            yield str(path.relative_to(STATIC)), path.read_text()


def comments_removed(text: str) -> str:
    return re.sub(r"(?m)^\s*//.*$", "", text)


def test_no_string_becomes_markup_or_code() -> None:
    found = {name: match.group() for name, text in sources(".js") if (match := MARKUP_OR_CODE.search(text))}
    assert found == {}


def test_nothing_is_fetched_from_elsewhere() -> None:
    found = {
        name: foreign
        for name, text in sources(".js", ".css", ".html", ".svg")
        if (foreign := set(ELSEWHERE.findall(comments_removed(text))) - NAMES)
    }
    assert found == {}


def test_no_script_or_style_stands_in_the_html() -> None:
    ((_, html),) = sources(".html")
    assert re.findall(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=", html) == []


def test_no_module_of_the_page_is_longer_than_300_lines() -> None:
    lines = {name: text.count("\n") for name, text in sources(".js", ".css")}
    assert {name: count for name, count in lines.items() if count > MODULE_LINES} == {}


def test_every_module_of_the_page_says_what_it_is_for() -> None:
    assert [name for name, text in sources(".js") if not text.startswith("// ")] == []
    assert [name for name, text in sources(".css") if not text.startswith("/* ")] == []


def test_every_import_leads_to_a_module() -> None:
    missing = [
        f"{name}: {target}"
        for name, text in sources(".js")
        for target in re.findall(r"""(?:from|import)\s*\(?\s*"(\.[^"]+)\"""", text)
        if not ((STATIC / name).parent / target).is_file()
    ]
    assert missing == []
