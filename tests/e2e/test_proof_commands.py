"""Proofs, signatures and certificates from the command line, on folders that nobody serves, also against who has the
disk."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from pyoxigraph import Literal, Quad, Store

from e2e.commands import invoke, run
from e2e.conftest import Filled


@pytest.fixture
def copy(filled: Filled, tmp_path: Path) -> Path:
    """The folder, in which something may be written."""
    shutil.copytree(filled.data, tmp_path / "copy")
    return tmp_path / "copy"


def session_of(filled: Filled) -> str:
    session: str = json.loads(filled.asked.out)["session"]
    return session


def test_a_session_is_proved_and_verified_without_a_folder(filled: Filled, tmp_path: Path) -> None:
    bundle = tmp_path / "answer.zip"
    assert invoke("prove", session_of(filled), "--data", filled.data, "-o", bundle).exit_code == 0
    shown = invoke("verify-bundle", bundle)
    assert (shown.exit_code, shown.stdout.splitlines()[0][:5]) == (0, "True:")
    told = json.loads(invoke("verify-bundle", bundle, "--format", "json").stdout)
    assert invoke("verify-bundle", bundle, "--key", told["key"]).exit_code == 0
    assert invoke("verify-bundle", bundle, "--key", "0" * 32).exit_code == 1
    altered = bytearray(bundle.read_bytes())
    altered[altered.index(b"Curie")] ^= 1
    bundle.write_bytes(altered)
    refused = invoke("verify-bundle", bundle)
    assert refused.exit_code == 1
    assert refused.stdout.startswith("False: ")


def test_what_cannot_be_proved_or_verified_is_told_in_one_line(filled: Filled, tmp_path: Path) -> None:
    (tmp_path / "no.zip").write_bytes(b"no zip")
    for command in (
        ("prove", "nobody", "--data", filled.data, "-o", tmp_path / "a.zip"),
        ("prove", session_of(filled), "--data", filled.data, "-o", tmp_path / "no" / "a.zip"),
        ("verify-bundle", tmp_path / "no.zip"),
    ):
        done = run(*map(str, command))
        assert done.status == 1
        assert len((done.err or done.out).splitlines()) == 1
        assert "Traceback" not in done.err
    assert not (tmp_path / "a.zip").exists()


def test_a_check_names_what_was_changed_on_the_disk(copy: Path) -> None:
    sound = json.loads(invoke("check", "--signatures", "--data", copy, "--format", "json").stdout)
    assert sound["summary"]["passed"]
    store = Store(copy / "store")
    quad = next(quad for quad in store if quad.predicate.value.endswith("/sourceText"))
    store.remove(quad)
    store.add(Quad(quad.subject, quad.predicate, Literal("Paul Villard did."), quad.graph_name))
    store.flush()
    del store
    found = invoke("check", "--signatures", "--data", copy)
    assert found.exit_code == 1
    assert "Paul Villard did." in found.stdout
    assert "urn:trustgraph:record:" in found.stdout
    head = sound["summary"]["signatures"]["head"]
    assert (
        "No record has the hash" not in invoke("check", "--signatures", "--head", head, "--data", copy).stdout
    )
    assert "No record has the hash" in invoke("check", "--signatures", "--head", "0", "--data", copy).stdout
    assert invoke("check", "--head", head, "--data", copy).exit_code == 1


def test_a_key_that_cannot_be_used_is_told(copy: Path) -> None:
    (copy / "signing-key").write_text("damaged")
    done = invoke("delete", "no-such", "--yes", "--data", copy)
    assert done.exit_code == 1
    asked = invoke("ask", "Who discovered polonium?", "--data", copy)
    assert asked.exit_code == 1
    assert "signing-key is damaged" in asked.stderr
    asked = invoke("ask", "Who?", "--data", copy, PROVGRAPH_SIGNING_KEY="short")
    assert asked.exit_code == 1
    assert "PROVGRAPH_SIGNING_KEY" in asked.stderr


def test_an_erasure_writes_its_certificate(filled: Filled, copy: Path, tmp_path: Path) -> None:
    listed = json.loads(invoke("documents", "--data", copy, "--format", "json").stdout)
    file = tmp_path / "erasure.zip"
    asked = ("delete", listed[0]["id"], "--yes", "--redact", "--data", copy)
    assert invoke(*asked, "--certificate", file).exit_code == 1
    assert invoke(*asked, "--erase", "--certificate", file).exit_code == 0
    told = json.loads(invoke("verify-bundle", file, "--format", "json").stdout)
    assert told["document"] == listed[0]["id"]
    assert invoke("check", "--all", "--signatures", "--data", copy).exit_code == 0
