"""The image and the compose file, as far as they can be checked without an engine."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from compose_spec import PyCompose

from provgraph.cli.program import main
from provgraph.roles import Role
from provgraph.settings import Settings

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
APART = {name: service for name, service in SERVICES.items() if "profiles" not in service}
LASTING = [name for name in SERVICES if name != "copy"]
SETTINGS = {
    str(field.validation_alias or f"PROVGRAPH_{name.upper()}")
    for name, field in Settings.model_fields.items()
}
OF_THE_IMAGE = {"PROVGRAPH_DATA", "PROVGRAPH_HOST", "PROVGRAPH_PORT"}
NOT_HANDED_ON = {
    "PROVGRAPH_URL": "a service is asked, it asks none",
    "PROVGRAPH_AUDIT_KEEP_DAYS": "services apart have no audit log",
    "PROVGRAPH_FOLDER_WAIT_S": "a command waits for a folder, no service",
    "PROVGRAPH_STORE_PATHS": "the store is an Oxigraph server",
    "PROVGRAPH_STORE_RDF": "the store is an Oxigraph server, of RDF 1.2",
    "PROVGRAPH_CONFIG": "a file has to be mounted for it",
    "PROVGRAPH_PROMPTS": "a folder has to be mounted for it",
    "PROVGRAPH_JWT_KEYS": "a file has to be mounted for it",
    "PROVGRAPH_TLS_CERT": "a file has to be mounted for it",
    "PROVGRAPH_TLS_KEY": "a file has to be mounted for it",
}


def instruction(name: str) -> list[str]:
    joined = DOCKERFILE.replace("\\\n", " ")
    return re.findall(rf"^{name}\s+(.*)$", joined, re.MULTILINE)


def test_the_compose_file_is_as_the_compose_specification_has_it() -> None:
    PyCompose.from_json(json.dumps(COMPOSE))
    misspelt = COMPOSE | {"services": {"a": {"image": "a", "helthcheck": {}}}}
    with pytest.raises(ValueError, match="helthcheck"):
        PyCompose.from_json(json.dumps(misspelt))


@pytest.mark.parametrize("name", LASTING)
def test_every_service_is_checked_limited_and_started_again(name: str) -> None:
    service = SERVICES[name]
    assert service["healthcheck"]["test"]
    assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory"}
    assert service["restart"] == "unless-stopped"
    assert service["volumes"]


def test_one_process_starts_alone_and_the_services_apart_without_a_profile() -> None:
    assert SERVICES["provgraph"]["profiles"][0] == "all-in-one"
    roles = [
        each["command"][1]
        for each in APART.values()
        if each["command"][0] == "serve" and len(each["command"]) == 2
    ]
    assert sorted(roles) == sorted(role for role in Role if role is not Role.ALL)


def test_services_apart_share_store_library_and_token() -> None:
    for name, service in APART.items():
        if service["command"][0] == "serve" and "entrypoint" not in service:
            environment = service["environment"]
            assert environment["PROVGRAPH_STORE_URL"] == "http://oxigraph:7878", name
            assert environment["PROVGRAPH_LIBRARY_URL"] == "file:///library", name
            killed_after_s = int(service["stop_grace_period"].removesuffix("s"))
            assert environment["PROVGRAPH_STOP_WITHIN_S"] < killed_after_s, name
            assert "library:/library" in service["volumes"], name
            assert environment["PROVGRAPH_TOKEN"].startswith("${PROVGRAPH_TOKEN:?"), name


def test_every_volume_is_declared() -> None:
    mounted = {
        volume.partition(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])
    }
    assert mounted == set(COMPOSE["volumes"])


def test_every_dependency_is_a_service_and_can_come_true() -> None:
    for service in SERVICES.values():
        for name, needed in service.get("depends_on", {}).items():
            assert name in SERVICES
            if needed["condition"] == "service_healthy":
                assert "healthcheck" in SERVICES[name]


@pytest.mark.parametrize("service", SERVICES)
def test_every_port_is_open_to_this_machine_only(service: str) -> None:
    assert all(re.fullmatch(r"127\.0\.0\.1:\d+:\d+", port) for port in SERVICES[service].get("ports", []))


def test_every_variable_of_provgraph_is_a_setting() -> None:
    used = set(re.findall(r"PROVGRAPH_\w+", DOCKERFILE + (ROOT / "docker-compose.yml").read_text()))
    assert used <= SETTINGS


def test_what_a_person_sets_reaches_every_service() -> None:
    handed_on = COMPOSE["x-settings"]
    assert set(handed_on.values()) == {None}, "a default stands in settings.py only"
    for name in (*Role, "provgraph"):
        if name is not Role.ALL:
            assert handed_on.keys() <= SERVICES[name]["environment"].keys(), name
    assert SERVICES["gateway"]["environment"].keys() | OF_THE_IMAGE | NOT_HANDED_ON.keys() == SETTINGS


def test_the_token_is_required_where_others_can_reach_the_service() -> None:
    assert "PROVGRAPH_HOST=0.0.0.0" in DOCKERFILE.replace(" ", "")
    assert SERVICES["provgraph"]["environment"]["PROVGRAPH_TOKEN"].startswith("${PROVGRAPH_TOKEN:?")


def test_the_image_runs_a_command_that_exists_as_a_user_without_rights() -> None:
    (command,) = (json.loads(line) for line in instruction("CMD") if "serve" in line)
    assert json.loads(instruction("ENTRYPOINT")[0]) == ["provgraph"]
    assert command[0] in main.commands
    assert instruction("USER") == ["10001:10001"]


def test_the_image_is_given_every_file_that_it_copies() -> None:
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {name for line in instruction("COPY") if "--from" not in line for name in line.split()[:-1]}
    assert copied == let_in
    assert all((ROOT / name).exists() for name in copied)


def test_the_copy_is_made_with_commands_that_exist() -> None:
    (script,) = SERVICES["copy"]["command"]
    assert re.findall(r"^provgraph (\w+)", script, re.MULTILINE) == ["export"]
    (code,) = re.findall(r"<<'END'\n(.*)^END$", script, re.MULTILINE | re.DOTALL)
    compile(code, "copy", "exec")


@pytest.mark.parametrize("name", SERVICES)
def test_every_container_is_read_only_and_has_no_privileges(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]


def test_the_image_is_made_of_locked_files() -> None:
    installs = [
        line for line in DOCKERFILE.replace("\\\n", " ").splitlines() if "pip" in line and "install" in line
    ]
    assert all("--require-hashes" in line or "--no-deps" in line for line in installs)
