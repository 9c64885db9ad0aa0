"""All settings, from the environment (`PROVGRAPH_…`) and files `provgraph.toml`. Read by `assembly` and the command
line only.

Each is explained in `docs/configuration.md`; a test holds the two together.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from provgraph.errors import InvalidInput
from provgraph.rdf.graphs import DEFAULT_EXPLAIN_COLLECTION


class Settings(BaseSettings):
    """One default each, and here only."""

    model_config = SettingsConfigDict(env_prefix="PROVGRAPH_", extra="ignore")

    config: Path | None = None
    data: Path = Path("provgraph-data")
    url: str = ""
    token: str = ""
    signed_records: bool = True
    signing_key: str = Field(default="", repr=False)
    jwt_issuer: str = ""
    jwt_audience: str = ""
    jwt_keys: Path | None = None
    jwt_roles: str = ""
    jwt_groups: str = "groups"
    jwt_name: str = "sub"
    host: str = "127.0.0.1"
    port: int = Field(default=8888, ge=0, le=65_535)
    tls_cert: Path | None = None
    tls_key: Path | None = None
    allowed_hosts: str = ""
    allowed_origins: str = ""
    store_url: str = ""
    collection_stores: str = ""
    store_paths: str = "query update store"
    store_rdf: Literal["1.2", "1.1"] = "1.2"
    store_retry_s: float = Field(default=30.0, ge=0)
    library_url: str = ""
    queue_url: str = ""
    queue_patience_s: float = Field(default=30.0, ge=1)
    queue_attempts: int = Field(default=5, ge=1)
    retrieval_url: str = ""
    graph_rag_url: str = ""
    spans_url: str = ""
    log_format: Literal["text", "json"] = "text"
    webhook_secret: str = Field(default="", repr=False)
    webhook_allow_private: bool = False
    explain_collection: str = DEFAULT_EXPLAIN_COLLECTION
    chunk_size: int = 1000
    chunk_overlap: int = 100
    extraction_processes: int = Field(default_factory=lambda: min(max((os.cpu_count() or 1) - 1, 1), 4), ge=0)
    reading_processes: int = Field(default=2, ge=0)
    read_timeout_s: float = Field(default=30.0, gt=0)
    audit_keep_days: int = Field(default=183, ge=0)
    folder_wait_s: float = Field(default=5.0, ge=0)
    read_memory_mb: int = Field(default=384, ge=128)
    max_upload_mb: int = Field(default=100, ge=1)
    max_archive_mb: int = Field(default=10_000, ge=1)
    sparql_timeout_s: float = Field(default=10.0, gt=0)
    sparql_row_limit: int = Field(default=100_000, ge=1)
    sparql_processes: int = Field(default=4, ge=1)
    arxiv_url: str = "https://export.arxiv.org"
    request_timeout_s: float = Field(default=900.0, gt=0)
    resume_grace_s: float = Field(default=5.0, ge=0)
    stop_within_s: float = Field(default=9.0, ge=3)
    openai_base_url: str = Field(default="", validation_alias="OPENAI_BASE_URL")
    openai_api_key: str = Field(default="", validation_alias="OPENAI_API_KEY", repr=False)
    llm_model: str = ""
    llm_parallel: int = Field(default=16, ge=1)
    llm_timeout_s: float = Field(default=120.0, gt=0)
    llm_retries: int = Field(default=4, ge=0)
    llm_max_output_tokens: int = Field(default=2048, ge=16)
    llm_max_tokens: int = Field(default=0, ge=0)
    embedding_model: str = ""
    embedding_base_url: str = ""
    embedding_api_key: str = Field(default="", repr=False)
    embedding_query_prefix: str | None = None
    embedding_passage_prefix: str | None = None
    embedding_dimension: int = Field(default=0, ge=0)
    embedding_batch: int = Field(default=64, ge=1)
    embedding_parallel: int = Field(default=4, ge=1)
    embedding_timeout_s: float = Field(default=60.0, gt=0)
    rerank_model: str = ""
    extractors: str = ""
    ocr: Literal["auto", "off"] = "auto"
    ocr_languages: str = "eng"
    prompts: Path | None = None
    corrective: bool = False
    rerank: bool = False


def listed(words: str) -> list[str]:
    """The words of a setting that holds several, parted by commas."""
    return [word.strip() for word in words.split(",") if word.strip()]


CONFIG_FILE: Final = "provgraph.toml"
SECRETS: Final = ("token", "openai_api_key", "embedding_api_key", "webhook_secret")
_SENT_TO: Final = {
    "url": ("token",),
    "openai_base_url": ("openai_api_key",),
    "embedding_base_url": ("embedding_api_key", "openai_api_key"),
}
"""Addresses, and the secrets that are sent there."""


@dataclass(frozen=True)
class SettingsRead:
    """The settings with the source of each that is not left at its default: a variable, or the path of a file."""

    settings: Settings
    sources: Mapping[str, str]


def variable_of(name: str) -> str:
    """The environment variable of a setting."""
    return str(Settings.model_fields[name].validation_alias or f"PROVGRAPH_{name.upper()}")


def read_settings() -> Settings:
    """The settings of this process. Raises `InvalidInput` that names the variable or the file with a wrong value."""
    return read_with_sources().settings


def read_with_sources() -> SettingsRead:
    """The same, with the source of each. The environment goes before `provgraph.toml` in the working folder, and that
    before the one of the user; `PROVGRAPH_CONFIG` names one in place of both."""
    given = {name.casefold() for name in os.environ}
    sources = {
        name: variable_of(name) for name in Settings.model_fields if variable_of(name).casefold() in given
    }
    values: dict[str, Any] = {}
    for file in _config_files():
        for name, value in _values_in(file).items():
            if sources.get(name) != variable_of(name):
                sources[name], values[name] = str(file), value
    _refuse_leaks(sources)
    by_alias = {str(Settings.model_fields[name].validation_alias or name): v for name, v in values.items()}
    try:
        return SettingsRead(Settings(**by_alias), sources)
    except ValidationError as error:
        first = error.errors()[0]
        place = str(first["loc"][0])
        name = next(
            (model_field for model_field in Settings.model_fields if variable_of(model_field) == place),
            place.casefold(),
        )
        where = sources.get(name, variable_of(name))
        told = where if where == variable_of(name) else f"{name} in {where}"
        raise InvalidInput(
            f"{told} is not as expected: {first['msg']}. See docs/configuration.md."
        ) from error


def _config_files() -> list[Path]:
    """The files that there are, the one that goes before others last. Raises `InvalidInput` for a named one that is not
    there."""
    if named := os.environ.get("PROVGRAPH_CONFIG"):
        if not Path(named).is_file():
            raise InvalidInput(f"PROVGRAPH_CONFIG names {named}, and there is no such file. Check the path.")
        return [Path(named)]
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path("~/.config").expanduser())
    return [file for file in (home / "provgraph" / CONFIG_FILE, Path(CONFIG_FILE)) if file.is_file()]


def _values_in(file: Path) -> dict[str, Any]:
    """What a file sets, by the name of the setting; its paths are relative to its folder."""
    try:
        read = tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{file} cannot be read as TOML ({error}). Correct it, or remove it.") from error
    known = [name for name in Settings.model_fields if name != "config"]
    for name, value in read.items():
        if name not in known:
            meant = get_close_matches(name.casefold().removeprefix("provgraph_"), known, 1)
            advice = (
                f"Did you mean {meant[0]!r}?" if meant else "'provgraph config' lists those that there are."
            )
            raise InvalidInput(f"{file} has {name!r}, which is no setting. {advice}")
        if isinstance(value, dict | list):
            raise InvalidInput(
                f"{name} in {file} is not as expected: write one value. See docs/configuration.md."
            )
    return {
        name: file.parent / value if isinstance(value, str) and _is_path(name) else value
        for name, value in read.items()
    }


def _is_path(name: str) -> bool:
    return name in ("data", "tls_cert", "tls_key", "prompts", "jwt_keys")


def _refuse_leaks(sources: Mapping[str, str]) -> None:
    """A folder that came from elsewhere must not have a user's own key sent to its address."""
    for address, secrets in _SENT_TO.items():
        for secret in secrets:
            if sources.get(address) == CONFIG_FILE and sources.get(secret, CONFIG_FILE) != CONFIG_FILE:
                raise InvalidInput(
                    f"{CONFIG_FILE} in this folder sets {address}, and {sources[secret]} would be sent there. If you "
                    f"trust it, set {variable_of(address)} too, or name the file in PROVGRAPH_CONFIG."
                )
