"""Every setting and every command is documented, and what is documented exists."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from pyoxigraph import QuerySolutions, Store

from house.parsed import modules
from provgraph.cli.program import main
from provgraph.settings import Settings
from provgraph.sparql.saved_queries import SavedQuery, saved_queries

ROOT = Path(__file__).parents[2]
CONFIGURATION = (ROOT / "docs/configuration.md").read_text()
CLI = (ROOT / "docs/cli.md").read_text()
SETTINGS = [
    str(field.validation_alias or f"PROVGRAPH_{name.upper()}")
    for name, field in Settings.model_fields.items()
]


def section(text: str, title: str) -> str:
    """What stands between the heading that is, or begins with, `title` in code and the next of its level."""
    found = re.search(rf"^## `{re.escape(title)}[` ].*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found.group() if found else ""


def shell_lines(text: str) -> Iterator[str]:
    """The lines of the code blocks marked as shell, continued lines joined."""
    for block in re.findall(r"^```(?:sh|console)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        yield from block.replace("\\\n", " ").splitlines()


def used_commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each `provgraph COMMAND` in shell blocks, with the options that follow it."""
    for line in shell_lines(text):
        for part in re.split(r"&&|\||;", line.split("  #")[0]):
            if found := re.search(r"(?:^|[\s/])provgraph ([a-z-]+)(.*)", part):
                yield found[1], re.findall(r"(?:^|\s)(--?[a-zA-Z][\w-]*)", found[2])


def options(command: click.Command) -> set[str]:
    """Those of a command, or of all commands of a group."""
    own = {name for param in command.params for name in param.opts if isinstance(param, click.Option)}
    parts = command.commands.values() if isinstance(command, click.Group) else ()
    return own.union(*(options(part) for part in parts))


@pytest.mark.parametrize("setting", SETTINGS)
def test_each_setting_has_its_heading_and_its_default(setting: str) -> None:
    described = section(CONFIGURATION, setting)
    assert described, f"docs/configuration.md has no heading for {setting}"
    assert "Default:" in described


def test_no_setting_is_documented_that_does_not_exist() -> None:
    assert re.findall(r"^## `((?:PROVGRAPH|OPENAI)_\w+)", CONFIGURATION, re.MULTILINE) == SETTINGS


@pytest.mark.parametrize("name", sorted(main.commands))
def test_each_command_has_its_heading_and_each_of_its_options(name: str) -> None:
    described = section(CLI, f"provgraph {name}")
    assert described, f"docs/cli.md has no heading for provgraph {name}"
    common = section(CLI, "provgraph")
    missing = [option for option in options(main.commands[name]) if f"`{option}" not in described + common]
    assert missing == []


def test_no_command_is_documented_that_does_not_exist() -> None:
    assert set(re.findall(r"^## `provgraph ([a-z-]+)", CLI, re.MULTILINE)) == set(main.commands)


def test_each_program_of_another_name_is_documented() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert [name for name in scripts if f"`{name}" not in CLI] == []


@pytest.mark.parametrize("page", ["README.md", "docs/cli.md", "docs/queries.md"])
def test_shell_examples_use_commands_and_options_that_exist(page: str) -> None:
    used = list(used_commands((ROOT / page).read_text()))
    unknown = [
        f"provgraph {name} {option}".strip()
        for name, given in used
        for option in given or [""]
        if name not in main.commands or (option and option not in options(main.commands[name]))
    ]
    assert unknown == []
    assert used


def test_the_queries_of_the_readme_are_sparql_as_they_stand() -> None:
    queries = re.findall(r"^```sparql\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(queries) == 2
    for query in queries:
        results = Store().query(query)
        assert isinstance(results, QuerySolutions)
        assert list(results) == []


@pytest.mark.parametrize("query", saved_queries().values(), ids=lambda query: query.name)
def test_each_shipped_query_has_its_heading_and_each_of_its_parameters(query: SavedQuery) -> None:
    described = section((ROOT / "docs/queries.md").read_text(), query.name)
    assert query.description in described
    assert [each.name for each in query.parameters if f"`{each.name}`" not in described] == []


def test_links_between_pages_lead_somewhere() -> None:
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text())
        if not (page.parent / target).exists()
    ]
    assert broken == []


def test_the_glossary_has_each_term_once_and_names_files_that_exist() -> None:
    rows = re.findall(
        r"^\| ([^|]+) \| [^|]+ \| ([^|]+) \|$", (ROOT / "docs/glossary.md").read_text(), re.MULTILINE
    )
    terms = [term for term, _ in rows if term not in ("term", "---")]
    assert terms == sorted(set(terms), key=str.casefold)
    places = {place for _, cell in rows for place in re.findall(r"`([\w/.]+)`", cell)}
    assert [place for place in places if not (ROOT / "services/provgraph" / place).exists()] == []


MODULES = [path.as_posix() for path in modules("services", "tests", "benchmarks", "training")]
PAGES = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_module_that_a_page_names_is_there(page: Path) -> None:
    """By its path, from whichever folder the page names it."""
    named = set(re.findall(r"`((?:[\w-]+/)*\w+\.py)`", page.read_text()))
    assert {name for name in named if not any(path.endswith(f"/{name}") for path in MODULES)} == set()


def test_each_path_that_the_readme_says_to_touch_is_there() -> None:
    table = (ROOT / "README.md").read_text().partition("| to add | touch |")[2].partition("\n\n")[0]
    named = set(re.findall(r"`([\w./-]+/[\w./-]*)`", table))
    places = (ROOT, ROOT / "services/provgraph")
    assert len(named) > 30
    assert {path for path in named if not any((place / path).exists() for place in places)} == set()


def test_the_layers_of_the_layout_page_are_those_that_are_checked() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    checked = [set(layer.split(" | ")) for layer in reversed(contracts[0]["layers"])]
    (told,) = re.findall(r"`(passwords .*?)`", (ROOT / "docs/tech-specs/layout.md").read_text(), re.DOTALL)
    assert [set(layer.split(" | ")) for layer in " ".join(told.split()).split(" ← ")] == checked
