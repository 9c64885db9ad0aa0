"""Words that a parser took for another part of speech, where that is plain from the word and its place."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from provgraph.language import wordnet
from provgraph.language.irregular_forms import BASE_OF
from provgraph.reading.entity_types import gender_of_name
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.reading.trees import with_tokens

_OF_ACTS: Final = ("tion", "sion", "ment")


def retagged(sentence: ParsedSentence) -> ParsedSentence:
    """The sentence with abbreviations, nouns and names that were taken for something else."""
    befores = sentence.tokens[:1] + sentence.tokens
    tokens = [
        _retagged_token(token, before, sentence)
        for before, token in zip(befores, sentence.tokens, strict=False)
    ]
    return with_tokens(sentence, tokens)


def _retagged_token(token: Token, before: Token, sentence: ParsedSentence) -> Token:
    if _is_abbreviation(token, before):
        return replace(
            token, pos="PROPN", tag="NNP", lemma=token.text, entity=token.entity or "B-ORGANIZATION"
        )
    if _is_noun(token, sentence):
        return replace(token, pos="NOUN", tag="NN")
    if _is_past(token):
        tag = "VBD" if token.tag in ("VBP", "NN", "NNP", "JJ") else token.tag
        return replace(token, pos="VERB", tag=tag, lemma=BASE_OF[token.text])
    if _is_bare_noun(token, sentence):
        return replace(token, pos="NOUN", tag="NN", lemma=token.text.lower())
    if _is_name(token):
        return replace(token, pos="PROPN", tag="NNP", lemma=token.text)
    if _is_first_name(token, sentence):
        return replace(token, pos="PROPN", tag="NNP", lemma=token.text, relation="compound")
    if _is_place(token, before, sentence):
        return replace(token, entity="B-PLACE")
    return token


def _is_abbreviation(token: Token, before: Token) -> bool:
    """Whether it is a pronoun in capitals after an article: "The WHO"."""
    is_capitals = token.pos == "PRON" and len(token.text) > 1 and token.text.isupper()
    return is_capitals and before.text.lower() == "the"


def _is_noun(token: Token, sentence: ParsedSentence) -> bool:
    """Whether it is an adjective with an article and nothing behind it that WordNet has as a noun: "is an
    antibiotic"."""
    return (
        token.pos == "ADJ"
        and token.text.islower()
        and any(c.relation == "det" and c.text.lower() in ("a", "an") for c in sentence.children[token.index])
        and wordnet.known(token.text, "n")
    )


def _is_past(token: Token) -> bool:
    """Whether it is an irregular form of a verb and no noun or adjective, and was not read as that: "the ship sank"."""
    form = token.text
    unread = token.pos in ("VERB", "NOUN", "PROPN", "ADJ") and (token.lemma == form or token.pos != "VERB")
    is_verb = form in BASE_OF and wordnet.known(BASE_OF[form], "v")
    return unread and is_verb and not wordnet.known(form, "n") and not wordnet.known(form, "a")


def _is_bare_noun(token: Token, sentence: ParsedSentence) -> bool:
    """Whether it begins the sentence with a capital for that alone, as nouns for money and acts do that need no
    article: "Revenue rose"."""
    word = token.text.lower()
    alone = (
        token.index == 0 and token.tag == "NNP" and not token.entity and token.relation.startswith("nsubj")
    )
    if (
        not alone
        or len(sentence.tokens) < 2
        or not sentence.tokens[1].text.islower()
        or gender_of_name(token.text)
    ):
        return False
    fields = wordnet.fields(word, "n", 1)
    return "noun.possession" in fields or ("noun.act" in fields and word.endswith(_OF_ACTS))


def _is_name(token: Token) -> bool:
    """Whether it is a word with a capital that is read as a plural, though it has no ending of one and no noun is known
    like it: "Munro kept the light"."""
    is_plural = token.tag == "NNS" and not token.text.endswith("s")
    return is_plural and token.text[:1].isupper() and not wordnet.known(token.lemma.casefold(), "n")


def _is_place(token: Token, before: Token, sentence: ParsedSentence) -> bool:
    """Whether something is done at it, and not to it, so that it is nobody: "are made at Ostrander"."""
    if token.entity != "B-PERSON" or before.text.lower() != "at" or gender_of_name(token.text):
        return False
    behind = sentence.tokens[token.index + 1 : token.index + 2]
    is_alone = not behind or (behind[0].entity != "I-PERSON" and behind[0].text not in ("'s", "’s"))
    return is_alone and token.head >= 0 and sentence.tokens[token.head].lemma not in _AT_SOMEBODY


_AT_SOMEBODY: Final = frozenset(
    "look laugh shout stare smile yell aim point shoot fire throw wave glare swear anger angry furious".split()
)


def _is_first_name(token: Token, sentence: ParsedSentence) -> bool:
    """Whether it is read as a preposition, and is the first name of the name behind it: "with Per Falk"."""
    is_before = token.relation == "case" and token.head == token.index + 1
    is_one = token.text.istitle() and gender_of_name(token.text) != ""
    return is_before and is_one and sentence.tokens[token.head].pos == "PROPN"
