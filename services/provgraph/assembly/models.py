"""The models that settings name: a language model, one that embeds, and those that rank once more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from prometheus_client import CollectorRegistry

from provgraph.adapters.embedders import EmbeddingChoice
from provgraph.adapters.metered_model import MeteredLanguageModel
from provgraph.adapters.model_reranker import ModelReranker
from provgraph.adapters.openai_readiness import endpoint_answers
from provgraph.adapters.sentence_transformers_models import CrossEncoderReranker
from provgraph.errors import InvalidInput
from provgraph.ports.language_model import LanguageModel
from provgraph.ports.reranker import Reranker
from provgraph.settings import Settings

_ANSWER_WITHIN_S: Final = 3.0


def language_model(settings: Settings, registry: CollectorRegistry | None = None) -> LanguageModel | None:
    """The model that the settings name, its calls counted in `registry` where one is given, or None.

    Raises `InvalidInput` for one that has no key and no address.
    """
    if not settings.llm_model:
        return None
    if not settings.openai_base_url and not settings.openai_api_key:
        raise InvalidInput(
            "PROVGRAPH_LLM_MODEL is set, but neither a key nor an address for it. Set OPENAI_API_KEY, or for a server "
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


def rerankers(settings: Settings, model: LanguageModel | None) -> dict[str, Reranker]:
    """Who can score candidates a second time, by the names that a request calls them by."""
    found: dict[str, Reranker] = {}
    if model:
        found["model"] = ModelReranker(model, settings.prompts, settings.llm_max_output_tokens)
    if settings.rerank_model:
        found["cross-encoder"] = CrossEncoderReranker(settings.rerank_model)
    return found
