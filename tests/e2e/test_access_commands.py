"""Two teams share one service, by the commands of docs/access.md."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from api.two_teams import BLUE, BOTH, QUESTION, RED
from e2e.commands import Done, Serving, run_here, serving

pytestmark = pytest.mark.slow

TOKEN: Final = "a-secret-of-the-service-itself"


class Shared:
    """A service that is used by its address, each time with one of its tokens."""

    def __init__(self, service: Serving) -> None:
        self.service = service

    def __call__(self, token: str, *arguments: str | Path) -> Done:
        return run_here(*arguments, "--url", self.service.url, env={"PROVGRAPH_TOKEN": token})

    def created(self, *arguments: str) -> str:
        done = self(TOKEN, "token", "create", *arguments)
        assert done.status == 0, done.err
        return done.out.strip()


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, text in (("red.txt", RED), ("blue.txt", BLUE), ("handbook.txt", BOTH)):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_two_teams_share_a_service(files: Path, tmp_path: Path) -> None:
    with serving(tmp_path / "data", env={"PROVGRAPH_TOKEN": TOKEN}) as service:
        do = Shared(service)
        for arguments in (
            ("ingest", "--readers", "red", files / "red.txt"),
            ("ingest", "--readers", "blue", files / "blue.txt"),
            ("ingest", files / "handbook.txt"),
        ):
            assert do(TOKEN, *arguments).status == 0
        ada = do.created("ada", "--role", "reader", "--group", "red", "--expires", "90d")
        ben = do.created("ben", "--role", "reader", "--group", "blue")
        assert "Heron" in do(ada, "ask", QUESTION).out
        assert "Kestrel" in do(ben, "ask", QUESTION).out
        assert do(ada, "access", "whoami").out == "ada: reader in red\n    default: 2 documents\n"
        assert len(do(ada, "documents", "--format", "json").out) < len(
            do(TOKEN, "documents", "--format", "json").out
        )
        refused = do(ada, "ingest", files / "handbook.txt")
        assert refused.status == 1
        assert "Traceback" not in refused.err

        listed = do(TOKEN, "token", "list").out.splitlines()
        assert listed[0].startswith("ada: reader, of all collections, in red, until ")
        assert listed[1] == "ben: reader, of all collections, in blue"
        assert do(TOKEN, "access", "set", "red.txt", "--readers", "ben").out == "red: ben\n"
        assert "Heron" not in do(ada, "ask", QUESTION).out
        assert "handbook: everyone who may read the collection" in do(TOKEN, "access", "list").out

        kim = do.created("kim", "--role", "auditor")
        log = do(kim, "audit", "list")
        assert log.status == 0
        assert "ada  ask  200  POST /api/v1/graph-rag" in log.out
        exported = do(kim, "audit", "export", "--format", "turtle", "-o", tmp_path / "audit.ttl")
        assert exported.status == 0
        assert "urn:trustgraph:principal:ada" in (tmp_path / "audit.ttl").read_text()

        anew = do(TOKEN, "token", "rotate", "ada").out.strip()
        assert do(ada, "ask", QUESTION).status == 1
        assert do(anew, "documents").status == 0
        assert do(TOKEN, "token", "revoke", "ada").out == "Revoked the token of ada.\n"
        assert do(anew, "documents").status == 1
        ended = service.stop()
        assert ada not in ended.err + ended.out


def test_a_policy_is_tried_before_it_is_set(files: Path, tmp_path: Path) -> None:
    with serving(tmp_path / "data", env={"PROVGRAPH_TOKEN": TOKEN}) as service:
        do = Shared(service)
        assert do(TOKEN, "ingest", "--readers", "ben", files / "red.txt").status == 0
        assert do(TOKEN, "ingest", files / "handbook.txt").status == 0
        ada = do.created("ada", "--role", "reader", "--group", "red")
        kim = do.created("kim", "--role", "auditor")
        policy = tmp_path / "access.toml"
        policy.write_text('[readers]\n"red.txt" = ["red"]\n[expect]\nada = ["red.txt"]\n')
        tested = do(kim, "access", "test", policy)
        assert tested.status == 1
        assert "red: ada, kim\n" in tested.out
        assert "ada would read handbook, and is not expected to." in tested.err
        assert do(TOKEN, "access", "apply", policy).status == 1
        policy.write_text(policy.read_text().replace('["red.txt"]', '["red.txt", "handbook.txt"]'))
        assert do(kim, "access", "test", policy).status == 0
        assert do(kim, "access", "apply", policy).status == 1
        assert do(TOKEN, "access", "apply", policy).out == "red: red\n"
        assert "Heron" in do(ada, "ask", QUESTION).out
        policy.write_text("[readers\n")
        assert do(TOKEN, "access", "test", policy).status == 2
        assert (
            do(TOKEN, "audit", "prune", "--before", "400d").out == "Nothing in the audit log is that old.\n"
        )
        assert do(TOKEN, "audit", "prune", "--before", "10d").status == 1


def test_tokens_are_made_on_a_folder_that_nobody_serves(tmp_path: Path) -> None:
    data = tmp_path / "data"
    made = run_here("token", "create", "root", "--role", "admin", "--data", data, "--format", "json")
    assert made.status == 0, made.err
    token = json.loads(made.out)["token"]
    assert run_here("token", "list", "--data", data).out == "root: admin, of all collections\n"
    with serving(data) as service:
        do = Shared(service)
        assert do("", "documents").status == 1
        assert do(token, "documents").status == 0
        assert do(token, "token", "create", "ada", "--role", "reader").status == 0


def test_what_is_wrong_is_told(tmp_path: Path) -> None:
    data = tmp_path / "data"
    first = run_here("token", "create", "ada", "--role", "reader", "--data", data)
    assert first.status == 1
    assert "admin first" in first.err
    assert run_here("token", "create", "a b", "--role", "admin", "--data", data).status == 1
    late = run_here("token", "create", "a", "--role", "admin", "--expires", "2001-01-01", "--data", data)
    assert late.status == 1
    assert (
        run_here("token", "create", "a", "--role", "admin", "--expires", "soon", "--data", data).status == 2
    )
    limited = ("--role", "admin", "--collection", "lab", "--data", data)
    assert run_here("token", "create", "a", *limited).status == 1
    assert run_here("token", "revoke", "nobody", "--data", data).status == 1
    assert run_here("access", "set", "x", "--data", data).status == 2
