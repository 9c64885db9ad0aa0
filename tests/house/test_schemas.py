"""What is published under schemas/ is what the code sends and takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from provgraph.cli.schemas import STREAMS, asyncapi, schema_files

SCHEMAS = Path(__file__).parents[2] / "schemas"


@pytest.fixture(scope="module")
def generated() -> dict[str, str]:
    return dict(schema_files())


def test_every_schema_file_is_as_the_code_makes_it(generated: dict[str, str]) -> None:
    stale = [
        name
        for name, text in generated.items()
        if not (SCHEMAS / name).exists() or (SCHEMAS / name).read_text() != text
    ]
    assert not stale, "run: make schemas"


def test_no_schema_file_is_left_over(generated: dict[str, str]) -> None:
    assert {path.name for path in SCHEMAS.iterdir()} == set(generated)


def test_every_route_that_streams_stands_in_the_event_schema_and_in_the_routes(
    generated: dict[str, str],
) -> None:
    for address, _, _ in STREAMS.values():
        assert address.replace("{id}", "{job_id}") in generated["openapi.json"]
    assert [channel["address"] for channel in asyncapi()["channels"].values()] == [
        address for address, _, _ in STREAMS.values()
    ]
