"""All settings, from the environment: `PROVGRAPH_…`. Read by `assembly` and the command line only.

Each is explained in `docs/configuration.md`; a test holds the two together.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from provgraph.errors import InvalidInput
from provgraph.rdf.graphs import DEFAULT_EXPLAIN_COLLECTION


class Settings(BaseSettings):
    """One default each, and here only."""

    model_config = SettingsConfigDict(env_prefix="PROVGRAPH_", extra="ignore")

    data: Path = Path("provgraph-data")
    url: str = ""
    token: str = ""
    signed_records: bool = True
    signing_key: str = Field(default="", repr=False)
    host: str = "127.0.0.1"
    port: int = Field(default=8888, ge=0, le=65_535)
    tls_cert: Path | None = None
    tls_key: Path | None = None
    allowed_hosts: str = ""
    allowed_origins: str = ""
    store_url: str = ""
    collection_stores: str = ""
    store_paths: str = "query update store"
    store_retry_s: float = Field(default=30.0, ge=0)
    library_url: str = ""
    queue_url: str = ""
    queue_patience_s: float = Field(default=30.0, ge=1)
    queue_attempts: int = Field(default=5, ge=1)
    retrieval_url: str = ""
    graph_rag_url: str = ""
    spans_url: str = ""
    log_format: Literal["text", "json"] = "text"
    explain_collection: str = DEFAULT_EXPLAIN_COLLECTION
    chunk_size: int = 1000
    chunk_overlap: int = 100
    extraction_processes: int = Field(default_factory=lambda: min(os.cpu_count() or 1, 4), ge=0)
    reading_processes: int = Field(default=2, ge=0)
    read_timeout_s: float = Field(default=30.0, gt=0)
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


def read_settings() -> Settings:
    """The settings of this process. Raises `InvalidInput` that names the variable with a wrong value."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        place = str(first["loc"][0])
        name = place if place.isupper() else f"PROVGRAPH_{place.upper()}"
        raise InvalidInput(
            f"{name} is not as expected: {first['msg']}. See docs/configuration.md."
        ) from error
