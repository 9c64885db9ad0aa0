"""What settings name to find, read and judge with: a search, a language model, an embedder, extractors and more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from prometheus_client import CollectorRegistry

from provgraph.adapters.arxiv.client import ArxivSearch
from provgraph.adapters.embedding_choice import EmbeddingChoice
from provgraph.adapters.metered_model import MeteredLanguageModel
from provgraph.adapters.model_reranker import ModelReranker
from provgraph.adapters.openai_readiness import endpoint_answers
from provgraph.adapters.reading_processes.pool import ReadingLimits, ReadingProcesses
from provgraph.adapters.sentence_transformers_models import CrossEncoderReranker
from provgraph.adapters.tesseract import TesseractRecogniser
from provgraph.documents.document_reader import DocumentReader, ReadsHere
from provgraph.errors import InvalidInput
from provgraph.extraction.extractors import Extractors, ExtractorSettings
from provgraph.ports.language_model import LanguageModel
from provgraph.ports.paper_search import PaperSearch
from provgraph.ports.reranker import Reranker
from provgraph.settings import Settings, listed

_ANSWER_WITHIN_S: Final = 3.0


def language_model(settings: Settings, registry: CollectorRegistry | None = None) -> LanguageModel | None:
    """The model that the settings name, its calls counted in `registry` where one is given, or None.

    Raises `InvalidInput` for one that has no key and no address.
    """
    if not settings.llm_model:
        return None
    if not settings.openai_base_url and not settings.openai_api_key:
        raise InvalidInput(
            "PROVGRAPH_LLM_MODEL is set, and neither a key nor an address for it. Set OPENAI_API_KEY, or for a server "
            "of your own OPENAI_BASE_URL."
        )
    from provgraph.adapters.openai_language_model import (  # `openai` is slow to import
        Endpoint,
        OpenAILanguageModel,
    )

    endpoint = Endpoint(
        model=settings.llm_model,
        base_url=settings.openai_base_url,
        api_key=settings.openai_api_key,
        parallel=settings.llm_parallel,
        timeout_s=settings.llm_timeout_s,
        retries=settings.llm_retries,
    )
    model = OpenAILanguageModel(endpoint)
    return MeteredLanguageModel(model, registry) if registry else model


def model_probes(settings: Settings) -> dict[str, Callable[[], Awaitable[None]]]:
    """What asks whether the model's endpoint answers, where one is set."""
    if not settings.llm_model:
        return {}
    where = settings.openai_base_url, settings.openai_api_key
    return {"model": partial(endpoint_answers, *where, _ANSWER_WITHIN_S)}


def embedding_choice(settings: Settings) -> EmbeddingChoice:
    return EmbeddingChoice(
        model=settings.embedding_model,
        base_url=settings.embedding_base_url or settings.openai_base_url,
        api_key=settings.embedding_api_key or settings.openai_api_key,
        query_prefix=settings.embedding_query_prefix,
        passage_prefix=settings.embedding_passage_prefix,
        dimension=settings.embedding_dimension,
        batch=settings.embedding_batch,
        parallel=settings.embedding_parallel,
        timeout_s=settings.embedding_timeout_s,
        retries=settings.llm_retries,
    )


def extractors(settings: Settings, model: LanguageModel | None) -> Extractors:
    """What reads facts where a request does not say it."""
    return Extractors(
        model,
        ExtractorSettings(
            names=tuple(listed(settings.extractors)),
            prompts=settings.prompts,
            max_tokens=settings.llm_max_tokens,
            max_output_tokens=settings.llm_max_output_tokens,
        ),
    )


def document_reader(settings: Settings) -> DocumentReader:
    """What reads files, in children where the settings allow any; pictures of text unless that is switched off."""
    languages = tuple(listed(settings.ocr_languages.replace("+", ","))) or ("eng",)
    wanted = languages if settings.ocr == "auto" else ()
    if not settings.reading_processes:
        return ReadsHere(TesseractRecogniser(wanted) if wanted else None)
    limits = ReadingLimits(
        settings.reading_processes, settings.read_timeout_s, memory=settings.read_memory_mb * 1_000_000
    )
    return ReadingProcesses(limits, wanted)


def rerankers(settings: Settings, model: LanguageModel | None) -> dict[str, Reranker]:
    """Who can score candidates a second time, by the names that a request calls them by."""
    found: dict[str, Reranker] = {}
    if model:
        found["model"] = ModelReranker(model, settings.prompts, settings.llm_max_output_tokens)
    if settings.rerank_model:
        found["cross-encoder"] = CrossEncoderReranker(settings.rerank_model)
    return found


def paper_search(settings: Settings) -> PaperSearch:
    """Where papers are searched for. Raises `InvalidInput` for an address that is none."""
    return ArxivSearch(settings.arxiv_url, settings.max_upload_mb * 1_000_000)
