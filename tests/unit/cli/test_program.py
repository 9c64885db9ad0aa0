"""The program knows its commands without importing them, and none is left out."""

from __future__ import annotations

import importlib
import json
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType

import click
import pytest
from click.testing import CliRunner

from provgraph import cli
from provgraph.cli.program import MODULES, main

NO_COMMANDS = {"provgraph.cli.program", "provgraph.cli.twins", "provgraph.cli.schemas"}
SERVICE = (
    "fastapi",
    "pydantic",
    "numpy",
    "provgraph.assembly",
    "provgraph.settings",
    "provgraph.wire.answer",
)


def own_commands(module: ModuleType) -> set[str]:
    """The commands that a module makes, but for those that belong to a group of its own."""
    found = [each for each in vars(module).values() if isinstance(each, click.Command)]
    below = {
        id(each) for group in found if isinstance(group, click.Group) for each in group.commands.values()
    }
    return {
        str(each.name)
        for each in found
        if id(each) not in below and each.callback and each.callback.__module__ == module.__name__
    }


def test_every_command_of_a_module_is_in_the_program_and_the_other_way_round() -> None:
    names = {found.name for found in pkgutil.iter_modules(cli.__path__, "provgraph.cli.")} - NO_COMMANDS
    held = {name: own_commands(importlib.import_module(name)) for name in names}
    assert {module: set(names) for module, names in MODULES.items()} == {
        name: commands for name, commands in held.items() if commands
    }


@pytest.mark.parametrize("name", ["access", "audit", "kgqa", "research", "token"])
def test_the_summaries_below_a_group_are_whole(name: str) -> None:
    told = CliRunner().invoke(main, [name, "--help"]).stdout
    assert "..." not in told.partition("Commands:\n")[2]
    assert told.count("\n  ") > 3


def test_help_and_completion_tell_each_command_in_its_own_words() -> None:
    told = CliRunner().invoke(main, ["--help"]).stdout
    for name, command in main.commands.items():
        assert f"  {name} " in told
        assert command.get_short_help_str(45).rstrip(".")[:20] in told
    completed = main.shell_complete(click.Context(main), "tra")
    assert [(each.value, each.help) for each in completed] == [
        (name, main.commands[name].get_short_help_str()) for name in ("trace", "traces")
    ]


def single_commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    for name in group.list_commands(click.Context(group)):
        command = group.commands[name]
        if isinstance(command, click.Group):
            yield from single_commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


def test_every_command_with_results_writes_them_as_json() -> None:
    formats = {
        name: option.type.choices
        for name, command in single_commands(main)
        for option in command.params
        if "--format" in option.opts and isinstance(option.type, click.Choice)
    }
    without = {
        name for name, _ in single_commands(main) if not {"json", "jsonld"} & set(formats.get(name, ()))
    }
    assert without == {"demo", "serve", "mcp", "nanopub"}


def test_a_command_that_is_not_there_is_told_with_what_is_near() -> None:
    done = CliRunner().invoke(main, ["trcae"])
    assert done.exit_code == 2
    assert "No such command 'trcae'" in done.stderr


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["ask", "--help"], ["evaluate", "--help"]])
def test_what_needs_no_service_imports_none(arguments: list[str]) -> None:
    code = (
        "import json, sys\nfrom provgraph.cli.program import main\n"
        f"main({arguments!r}, standalone_mode=False)\nprint()\nprint(json.dumps(list(sys.modules)))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = set(json.loads(ended.stdout.splitlines()[-1]))
    assert imported.isdisjoint(SERVICE)
    assert ("provgraph.cli.connection" in imported) == (arguments != ["--version"])
