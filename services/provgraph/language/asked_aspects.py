"""What of a thing a question asks for: what it is, how it works, on which data it was tried, what came out, what it
cannot do; and how English sentences and headings sound that say it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

Aspect = Literal[
    "abbreviation",
    "definition",
    "mechanism",
    "permission",
    "reason",
    "data set",
    "metric",
    "comparison",
    "problem",
    "proposal",
    "limitation",
    "plan",
    "result",
]


@dataclass(frozen=True)
class AspectCues:
    """`asked` is how questions for an aspect sound, `said` how sentences do that tell it, `section` how headings do
    below which it is told. `opening` tells that it comes where a paper opens."""

    aspect: Aspect
    asked: re.Pattern[str]
    said: re.Pattern[str]
    section: re.Pattern[str] | None = None


def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.I)


_RESULTS: Final = _words(r"\bresult|experiment|evaluation|ablation|finding|analysis")
_METHODS: Final = _words(
    r"\bmethod|approach|model|architecture|overview|implement|algorithm|background|training"
)

CUES: Final = (
    AspectCues(
        "abbreviation",
        _words(
            r"\b(?:stands?|standing|short) for\b",
            r"\babbreviat|\bacronym|\bspelled out\b",
            r"\bwhat does (?-i:[A-Z][\w-]*[A-Z][\w-]*) mean\b",
        ),
        _words(r"\([^()]+\)|\bstands for\b|\bshort for\b"),
    ),
    AspectCues(
        "problem",
        _words(
            r"\bproblems? (?:does|do|is|was|did)\b.*\b(?:address|solve|tackle|study|consider)",
            r"\bmotivat\w+\b",
        ),
        _words(
            r"\b(?:however|problem|challenge\w*|difficult\w*|lack\w*|limit\w*|restrict\w*|often|need(?:s|ed)?|cannot|precludes?|expensive|fails?)\b",
            r"\b(?:remains?|important|(?<!-)hard|rel(?:y|ies) on|address(?:es)?|suffers?)\b",
        ),
        _words(r"\babstract|introduction|motivation|background"),
    ),
    AspectCues(
        "proposal",
        _words(r"\b(?:propos\w+|contributions?|main idea)\b"),
        _words(
            r"\b(?:we|this (?:paper|work|article)|authors?|our)\b.{0,30}\b(?:propose"
            r"|introduce|present|describe|develop|explore|show|"
            r"build|implement|provide)\w*\b",
            r"\b(?:provides|implements|proposed|introduced|presented|designed to)\b",
        ),
        _words(r"\babstract|introduction|conclu"),
    ),
    AspectCues(
        "limitation",
        _words(
            r"\b(?:limit(?:ations?|ed|s)?|weakness(?:es)?|drawbacks?|shortcomings?|disadvantages?|downsides?|problems?|fail)\b",
            r"\bwrong with\b|\black\b|\bcan(?:not|'t)\b|\bunable\b|\bstruggles?\b",
        ),
        _words(
            r"\b(?:limit\w*|weakness\w*|drawback\w*|shortcoming\w*|disadvantage\w*|downside\w*|problem\w*|however|cannot)\b",
            r"\b(?:suffers?|fails?|restrict\w*|preclud\w*|prevent\w*|expensive|costly|intensive|slow\w*|unfortunately|never)\b",
            r"\b(?:hard|difficult|unclear|suboptimal|mismatch|errors?|bias\w*|lacks?|unable)\b",
        ),
        _words(r"\blimitation|discussion|conclu|impact|future|weakness"),
    ),
    AspectCues(
        "plan",
        _words(r"\b(?:next|future|plans?|planned|further work)\b"),
        _words(r"\b(?:future|plan to|plans to|would like to|will (?:be|also)|remains? to|next step)\b"),
        _words(r"\bconclu|future|outlook|discussion"),
    ),
    AspectCues(
        "comparison",
        _words(
            r"\b(?:compar\w+|better|worse|outperform\w*|faster|slower|larger|smaller"
            r"|more accurate|versus|vs|beats?|superior)\b",
            r"\bdifferen(?:t|ce)\b|\bthan\b",
        ),
        _words(
            r"\b(?:outperform\w*|better|worse|than|compared|improv\w+|faster|slower|exceed\w*|whereas|superior|advantage)\b",
            r"\bspeed[ -]?up|\bvs\b",
        ),
        _RESULTS,
    ),
    AspectCues(
        "metric",
        _words(
            r"\bmetrics?\b|\bmeasures?\b",
            r"\bhow (?:is|are|was|were) .*\b(?:evaluated|measured|judged|assessed|scored)\b",
        ),
        _words(
            r"\b(?:metrics?|accuracy|F1|BLEU|ROUGE|precision|recall|exact match|perplexity|error rate|MSE|AUC|mAP)\b",
            r"\b(?:evaluat\w+|measur\w+|report\w*|assess\w*|scores?)\b",
        ),
        _RESULTS,
    ),
    AspectCues(
        "data set",
        _words(
            r"\bdata ?sets?\b|\bcorp(?:us|ora)\b|\bbenchmarks?\b",
            r"\b(?:trained|tested|evaluated|tried|experiments?)\b.*\bon\b|\bon (?:what"
            r"|which)\b.*\b(?:trained|tested|evaluated)",
            r"\bwhich data\b",
        ),
        _words(
            r"\bdata ?sets?\b|\bcorp(?:us|ora)\b|\bbenchmarks?\b|\bsamples\b",
            r"\b(?:trained|tested|evaluated|tuned|experiments?|pre-?train\w*)\b[^.]{0,20}\bon (?:the )?(?-i:[A-Z])",
        ),
        _words(r"\bdata|experiment|training|evaluation|set-?up|corpus|result"),
    ),
    AspectCues(
        "permission",
        _words(
            r"^\W*(?:and |but )?(?:can|may|could) (?!not\b)",
            r"\b(?:allowed|permitted|forbidden|permission|consent)\b",
            r"^\W*(?:must|do|does|need|have) (?:i|we|you|they|the \w+)\b.*\b(?:need|have|must|ask|get)\b",
        ),
        _words(
            r"\b(?:may|must|shall|allowed|permit\w*|permission|consent|forbid\w*|forbidden|prohibit\w*)\b",
            r"\b(?:entitled|right to|approval|approved|requires?|only (?:if|with)|without asking)\b",
        ),
    ),
    AspectCues(
        "reason",
        _words(r"^\W*why\b|\bfor what reason\b"),
        _words(
            r"\b(?:because|since|due to|in order to|so that|as a result|reasons?|therefore|owing to|thus|must)\b"
        ),
    ),
    AspectCues(
        "result",
        _words(
            r"\b(?:scores?|accuracy|accurate|reach(?:es)?|achieves?|results?|performance|BLEU|F1|precision|recall)\b",
            r"\bhow (?:well|good)\b",
        ),
        _words(
            r"\b(?:achiev|reach|obtain|outperform|improv|surpass|yield|gain|exceed)\w*|\bstate[ -]of[ -]the[ -]art\b",
            r"\b(?:results? show|we find|we found|show that)\b|\d+(?:\.\d+)?\s?%|\d+\.\d+|\|",
        ),
        _RESULTS,
    ),
    AspectCues(
        "mechanism",
        _words(
            r"^\W*(?:and |but )?how (?:does|do|did|is|are|was|were|can)\b",
            r"\bmechanism\b",
            r"\bin what way\b",
        ),
        _words(
            r"\bby \w+ing\b|\busing\b|\bvia\b|\bby (?:a|an|the|means)\b|\bwith (?:a|an|the)\b",
            r"\b(?:comput|map|appl|divid|encod|estimat|train|initiali[sz]|condition|mask|retriev|creat|combin)\w*\b",
            r"\b(?:uses?|first|then|consists? of|is (?:made|built|composed|created|given) )\b",
        ),
        _METHODS,
    ),
    AspectCues(
        "definition",
        _words(
            r"^\W*(?:what|who) (?:is|are|was|were) (?:(?:an?|the) )?[^?,]{2,60}\?*\s*\Z",
            r"\bdefin(?:e|ed|ition)\b|\bmeant by\b|\bwhat does .* (?:(?:mean|refer to)\b|do\W*\Z)",
        ),
        _words(r"\b(?:is|are|refers? to|denotes?|means?|called|defined? as|described as)\b"),
        _words(r"\babstract|introduction|background|overview|definition"),
    ),
)


def asked_aspect(question: str) -> AspectCues | None:
    """The aspect that a question asks for; None where it asks for none of them."""
    return next((cue for cue in CUES if cue.asked.search(question)), None)


Overview = Literal["summary", "comparison", ""]
_OF_PAPERS: Final = r"(?:(?:this|these|the|all|both|two|three|selected|my) )*(?:papers?|articles?|them|it)\b"
_SUMMARY: Final = _words(
    rf"\b(?:summari[sz]e|sum up|summary of|overview of)\b\W+{_OF_PAPERS}",
    r"^\W*(?:please )?(?:summari[sz]e|sum up)\W*\Z",
    rf"\bwhat (?:do|does) {_OF_PAPERS} (?:propose|say|find)",
)
_COMPARISON: Final = _words(
    rf"\bcompare {_OF_PAPERS}\W*",
    rf"\bhow do {_OF_PAPERS} (?:compare|differ)",
    rf"\bcomparison of {_OF_PAPERS}",
)


def asked_overview(question: str) -> Overview:
    """Whether papers are to be summed up, or set beside each other; empty for a question of something in them."""
    if _COMPARISON.search(question):
        return "comparison"
    return "summary" if _SUMMARY.search(question) else ""


_THING: Final = re.compile(
    r"^\W*(?:what|who|how(?: (?:much|many|long|large|big|high|old|often))?) (?:is|are|was|were|does|do) "
    r"(?:an? |the )?(?P<thing>.{1,300}?)"
    r"(?: (?:mean|refer to|works?)\b.*+| do| \w+ed)?\W*\Z",
    re.I,
)


def thing_asked(question: str) -> str:
    """Whose definition is asked for: "self-attention" of "What is self-attention?"; empty where that is not said."""
    match = _THING.match(question)
    return match["thing"] if match else ""


_LINK: Final = (
    r"(?:,? (?:also |sometimes |often )?(?:called|known as|written|built upon)[^,.]{1,60},)?"
    r"(?:\s*\[[^\]]*\])?(?: ?\([^()]{1,60}\))*"
    r"(?: (?:algorithm|architecture|benchmark|corpus|data ?set|framework|library|method|model|network|protocol|score"
    r"|standard|system|task))?,?(?: can be| may be| was| were)? "
)
_SAYS_WHAT: Final = (
    r"(?:(?:is|are) (?!\w+(?:ed|ing)\b|not\b|also\b|used\b|made\b|given\b|then\b)"
    r"|(?:is|are) (?:designed|based|built|defined|intended)\b|refers? to\b|denotes?\b|means\b|stands for\b|defined as\b"
    r"|described as\b|aims to\b|allows\b|enables\b|lets\b|provides\b|offers\b|implements\b|extends\b"
    r"|contains\b|randomly\b)"
)
_APPOSED: Final = (
    r"[\s“”\"']*(?:\([^()]{1,60}\)|\))*,? (?:i\.e\.,? )?"
    r"(?:an?|the(?! \w+ of\b)|models?|methods?|which|whose)\b"
)
_PRESENTED_AS: Final = (
    r"\b(?:propose|introduce|present|describe|develop)\w* (?:an?|our|the) (?:[\w-]+ ){1,6}?[\w-]+, "
)
"""What a thing is, before its name: "We propose a new network architecture, the Transformer"."""
_PRESENTS: Final = (
    r"\b(?:we|which|that|paper|work|article|section|authors?)\b[^.]{0,30}?"
    r"\b(?:propose|introduce|present|explore|define|describe|develop|call)\w*\b[^.]{0,70}?[\s(]"
)


def defines(thing: str, sentence: str) -> float:
    """How far a sentence says what a thing is (0…1): 1 where it is its subject, or is presented with what it is; less
    where it only stands before such words."""
    words = [re.escape(word) for word in re.findall(r"[\w-]+", thing)]
    if not words:
        return 0.0
    named = r"[\s“”\"'‘’]+".join((*words[:-1], _plural(words[-1])))
    named = rf"[“\"'‘]?(?<![\w-]){named}(?![\w-])[”\"'’]?"
    opening = r"(?:(?:\d[\d.]*|Abstract)\s+)?(?:the |an? |our |this |these |R package )*"
    if re.match(rf"{opening}{named}{_LINK}{_SAYS_WHAT}", sentence, re.I):
        return 1.0
    if re.search(
        rf"{_PRESENTED_AS}(?:the )?{named}|{_PRESENTS}{named}{_APPOSED}|{named},? i\.e\.", sentence, re.I
    ):
        return 1.0
    if re.search(rf"{_PRESENTS}{named}|(?:called|named) {named}", sentence, re.I):
        return 0.8
    if re.search(rf"{named}{_LINK}{_SAYS_WHAT}", sentence, re.I):
        return 0.6
    return 0.0


def is_about(thing: str, sentence: str) -> bool:
    """Whether a sentence begins with a thing: all of its words are among the first of the sentence."""
    first = " ".join(sentence.split()[: 4 + len(thing.split())]).casefold()
    return all(word.casefold().removesuffix("s") in first for word in re.findall(r"[\w-]+", thing))


def _plural(word: str) -> str:
    return rf"{word.removesuffix('s')}(?:s|es)?"


def names_of(thing: str, long_forms: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """The thing under each of its names: RAG is retrieval-augmented generation too."""
    folded = thing.casefold().strip()
    other = [
        long if short.casefold() == folded else short
        for short, long in long_forms
        if folded in (short.casefold(), long.casefold())
    ]
    return tuple(dict.fromkeys((thing, *other)))
