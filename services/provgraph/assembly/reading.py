"""What reads as settings have it: files, in child processes where there are any, and the facts of their text."""

from __future__ import annotations

from provgraph.adapters.reading_processes.pool import ReadingLimits, ReadingProcesses
from provgraph.adapters.tesseract import TesseractRecogniser
from provgraph.documents.document_reader import DocumentReader, ReadsHere
from provgraph.extraction.extractors import Extractors, ExtractorSettings
from provgraph.ports.language_model import LanguageModel
from provgraph.settings import Settings, listed


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
