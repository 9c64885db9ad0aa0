"""Who said it, where the words stand first: "…," she said; "…," said Mr. Mills, a trader."""

from __future__ import annotations

from collections.abc import Iterator

from provgraph.extraction.model_free.definitions import Draft
from provgraph.extraction.model_free.phrases import noun_phrase
from provgraph.extraction.model_free.sentence import Phrase, Sentence
from provgraph.extraction.model_free.word_classes import SAYING

_CERTAINTY = 0.8


def attributions(sentence: Sentence) -> Iterator[Draft]:
    """Speaker, verb, and all that stands before them as it was said."""
    kinds = sentence.kinds
    speaker: Phrase | None
    for index, chunk in enumerate(sentence.chunks):
        if chunk.kind != "v" or sentence.tokens[chunk.end - 1].lower not in SAYING:
            continue
        if (
            index > 1
            and kinds[index - 1] in ',"'
            and kinds[index + 1] == "n"
            and "v" not in kinds[index + 1 :]
        ):
            speaker, said = _speaker_after(sentence, index + 1), index
        elif kinds[index + 1] == ".":
            speaker, said = _speaker_before(sentence, index)
        else:
            continue
        while said and kinds[said - 1] in ',"':
            said -= 1
        if speaker is not None and said:
            words = sentence.words(0, sentence.chunks[said - 1].end)
            yield Draft(speaker, sentence.words(chunk.start, chunk.end).lower(), words, _CERTAINTY)


def _speaker_after(sentence: Sentence, index: int) -> Phrase:
    """With what stands beside the name, where the sentence ends with it."""
    phrase, after = noun_phrase(sentence, index)
    rest = sentence.kinds[after : len(sentence.chunks)]
    if set(rest) <= set("noI,TU.)(") and rest[-1:] == ["."]:
        return Phrase(phrase.start, sentence.chunks[-1].start, phrase.head)
    return phrase


def _speaker_before(sentence: Sentence, index: int) -> tuple[Phrase | None, int]:
    """The phrase between a comma and the verb that ends the sentence, and the index of its first chunk."""
    kinds = sentence.kinds
    start = index
    while start and kinds[start - 1] in "noI":
        start -= 1
    if start == index or not start or kinds[start - 1] not in ',"':
        return None, 0
    first = sentence.chunks[start]
    return Phrase(first.start, sentence.chunks[index - 1].end, first.end), start
