"""A folder that is damaged is told in one sentence, not in a traceback."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from pyoxigraph import NamedNode, Quad

from provgraph.adapters.data_folder import open_data_folder
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.served_folder import SERVING_FILE
from provgraph.cli.program import main
from provgraph.errors import Unavailable


async def test_a_damaged_store_is_told(tmp_path: Path) -> None:
    store = OxigraphQuadStore(tmp_path / "store")
    node = NamedNode("urn:example:a")
    await store.add([Quad(node, node, node, node)])
    await store.close()
    del store
    (tmp_path / "store" / "CURRENT").write_bytes(b"")
    with pytest.raises(Unavailable, match="damaged"):
        OxigraphQuadStore(tmp_path / "store")


@pytest.mark.parametrize("content", ["", "[1]", '{"layout": 1e999}', '{"layout": "x"}', "[" * 100_000])
def test_a_damaged_layout_file_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / "provgraph.json").write_text(content)
    with pytest.raises(Unavailable, match="damaged"):
        open_data_folder(tmp_path)


@pytest.mark.parametrize(
    "content", ["", "[]", '{"url": 5}', '{"url": "http://[bad"}', '{"url": "http://a\\u0000"}']
)
def test_a_damaged_word_of_a_service_is_not_followed(tmp_path: Path, content: str) -> None:
    (tmp_path / SERVING_FILE).write_text(content)
    result = CliRunner().invoke(main, ["documents", "--data", str(tmp_path)])
    assert result.exit_code == 0, result.output


def test_a_folder_and_what_is_in_it_is_its_users_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        (tmp_path / "data").mkdir(mode=0o755)
        open_data_folder(tmp_path / "data")
        assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
        assert (tmp_path / "data" / "provgraph.json").stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)
