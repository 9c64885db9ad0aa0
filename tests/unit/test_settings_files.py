"""Settings from files: the environment first, then the working folder's file, then the user's; no key goes astray."""

from __future__ import annotations

from pathlib import Path

import pytest

from provgraph.errors import InvalidInput
from provgraph.settings import read_settings, read_with_sources


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder and a user's folder of settings, both empty."""
    (tmp_path / "work").mkdir()
    (tmp_path / "home" / "provgraph").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    return tmp_path


def own(text: str) -> None:
    Path("provgraph.toml").write_text(text)


def test_the_environment_goes_before_the_folder_and_that_before_the_user(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = folder / "home" / "provgraph" / "provgraph.toml"
    users.write_text('port = 1\nhost = "h"\nllm_model = "user"\n')
    own('port = 2\nllm_model = "folder"\n')
    monkeypatch.setenv("PROVGRAPH_PORT", "3")
    read = read_with_sources()
    assert (read.settings.port, read.settings.host, read.settings.llm_model) == (3, "h", "folder")
    assert read.sources["port"] == "PROVGRAPH_PORT"
    assert read.sources["host"] == str(users)
    assert read.sources["llm_model"] == "provgraph.toml"
    assert "data" not in read.sources


def test_a_named_file_is_read_in_place_of_the_others_and_paths_are_relative_to_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own("port = 2\n")
    (folder / "named.toml").write_text('data = "library"\nopenai_base_url = "http://model"\n')
    monkeypatch.setenv("PROVGRAPH_CONFIG", str(folder / "named.toml"))
    read = read_settings()
    assert (read.port, read.data, read.openai_base_url) == (8888, folder / "library", "http://model")
    monkeypatch.setenv("PROVGRAPH_CONFIG", "nowhere.toml")
    with pytest.raises(InvalidInput, match=r"nowhere\.toml"):
        read_settings()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("llm_modl = 'x'", "Did you mean 'llm_model'"),
        ("port = 'x'", r"port in provgraph\.toml is not as expected"),
        ("[llm]\nmodel = 'x'", "no setting"),
        ("port = [1]", "write one value"),
        ("port = ", "cannot be read as TOML"),
        ("config = 'x'", "no setting"),
    ],
)
def test_a_wrong_line_is_told_with_its_file(text: str, told: str) -> None:
    own(text)
    with pytest.raises(InvalidInput, match=told):
        read_settings()


def test_a_key_from_elsewhere_is_not_sent_to_an_address_of_the_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own('openai_base_url = "http://elsewhere"\n')
    assert read_settings().openai_base_url == "http://elsewhere"
    monkeypatch.setenv("OPENAI_API_KEY", "a-secret")
    with pytest.raises(InvalidInput, match="OPENAI_API_KEY would be sent there"):
        read_settings()
    monkeypatch.setenv("OPENAI_BASE_URL", "http://own")
    assert read_settings().openai_base_url == "http://own"
