"""The tutorial runs from top to bottom and shows what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.tutorial import cells, run


@pytest.mark.usefixtures("_few_processes")
def test_the_tutorial_runs_from_top_to_bottom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    shown = [value for _, value in run({"__name__": "__main__"}) if value is not None]
    answer, verdict = (value for value in shown if hasattr(value, "_repr_html_"))
    assert answer.short_answer == "Henrietta Vance"
    assert verdict.label == "REFUTES"
    out = capsys.readouterr().out
    assert "harbour.md 1 59 94" in out
    assert "refused · No answer found" in out
    assert "TextEvent 1874." in out
    assert "SUPPORTS" in out
    assert "REFUTES" in out
    assert "['Pellworth Harbour', 'The Pellworth Trust']" in out


def test_the_tutorial_is_kept_without_outputs() -> None:
    code = [cell for cell in cells() if cell["cell_type"] == "code"]
    assert code
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
