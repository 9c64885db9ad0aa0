"""The page on TrustGraph's commands lists every one of them, and what it calls not provided says so itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from e2e.commands import Serving
from e2e.trustgraph_client import TrustGraphClient, programs

pytestmark = pytest.mark.slow

PAGE: Final = Path(__file__).parents[2] / "docs" / "trustgraph.md"
ROW: Final = re.compile(r"^\| `(tg-[\w-]+)` \| (works|partly: .+|not provided: .+) \|$", re.MULTILINE)
LISTED: Final = dict(ROW.findall(PAGE.read_text()))

# With what arguments a command gets as far as asking the service. Of those that are absent, some ask a message queue,
# some run until they are stopped, and one finds out by itself.
ARGUMENTS: Final = {
    "tg-bootstrap-iam": "",
    "tg-change-password": "--current a --new b",
    "tg-create-api-key": "--user-id u --name n",
    "tg-create-user": "--username u --password p",
    "tg-create-workspace": "--workspace-id w",
    "tg-delete-user": "--user-id u --yes",
    "tg-disable-user": "--user-id u",
    "tg-enable-user": "--user-id u",
    "tg-list-api-keys": "--user-id u",
    "tg-list-my-workspaces": "",
    "tg-list-users": "",
    "tg-list-workspaces": "",
    "tg-login": "--username u --password p",
    "tg-mint-token": "-w w --user-context {} --self",
    "tg-reset-password": "--user-id u",
    "tg-revoke-api-key": "--key-id k",
    "tg-update-user": "--user-id u --name n",
    "tg-whoami": "",
    "tg-delete-kg-core": "--id c",
    "tg-load-kg-core": "--id c",
    "tg-get-de-core": "--id c -o {folder}/core",
    "tg-get-kg-core": "--id c -o {folder}/core",
    "tg-show-kg-cores": "",
    "tg-unload-kg-core": "--id c",
    "tg-delete-config-item": "--type t --key k",
    "tg-put-config-item": "--type t --key k --value v",
    "tg-set-mcp-tool": "-i i --tool-url http://x",
    "tg-set-prompt": "--system s",
    "tg-set-token-costs": "--model m -i 1 -o 1",
    "tg-set-tool": "--id i --name n --type knowledge-query --description d",
    "tg-delete-flow-blueprint": "-n b",
    "tg-put-flow-blueprint": "-n b -c {}",
    "tg-start-flow": "-n b -i f -d d",
    "tg-stop-flow": "-i f",
    "tg-invoke-embeddings": "q",
    "tg-invoke-document-embeddings": "q",
    "tg-invoke-graph-embeddings": "q",
    "tg-invoke-row-embeddings": "-s s q",
    "tg-invoke-nlp-query": "-q q",
    "tg-invoke-rows-query": "-q q",
    "tg-invoke-structured-query": "-q q",
    "tg-invoke-agent": "-q q",
    "tg-invoke-cloze": "-m m q",
    "tg-list-cloze-models": "",
    "tg-invoke-decision-scoring": "-s {} -q {}",
    "tg-invoke-field-extract": "-s {} -F {}",
    "tg-invoke-llm": "s p",
    "tg-list-models": "",
    "tg-invoke-prompt": "t",
    "tg-invoke-mcp-tool": "-n t",
    "tg-invoke-reranker": "-q q d",
    "tg-describe-image": "-i {folder}/a.png",
}
ASK_NO_SERVICE: Final = {
    "tg-dump-queues",
    "tg-monitor-prompts",
    "tg-load-doc-embeds",
    "tg-save-doc-embeds",
    "tg-put-de-core",
    "tg-put-kg-core",
    "tg-load-structured-data",
}


@pytest.fixture(scope="module")
def tg(empty_service: Serving) -> TrustGraphClient:
    return TrustGraphClient(programs(), empty_service.url, empty_service.token)


def test_the_page_lists_every_command_of_the_package_and_no_other(tg: TrustGraphClient) -> None:
    assert set(LISTED) == tg.commands()


def test_every_command_that_is_not_provided_is_tried() -> None:
    absent = {command for command, state in LISTED.items() if state.startswith("not provided")}
    assert absent == ARGUMENTS.keys() | ASK_NO_SERVICE


def test_a_command_that_is_not_provided_says_so_in_a_sentence(tg: TrustGraphClient, tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")

    def told(command: str) -> str:
        words = ARGUMENTS[command].replace("{folder}", str(tmp_path)).split()
        done = tg(command, *words)
        return done.out + done.err

    said = {command: told(command) for command in ARGUMENTS}
    assert {command: text for command, text in said.items() if "not provided here" not in text} == {}
