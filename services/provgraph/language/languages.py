"""Which language a text is in, by its script and its commonest words, and which words of a language carry no content.

Knows seven languages that are written with spaces, and Chinese; anything else counts as English does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

ENGLISH: Final = "en"
CHINESE: Final = "zh"

_WORD: Final = re.compile(r"[^\W\d_]+")
_HAN: Final = re.compile("[\u4e00-\u9fff]")
_KANA_OR_HANGUL: Final = re.compile("[\u3040-\u30ff\uac00-\ud7af]")
_LOOKED_AT: Final = 2_000
_HAN_SHARE: Final = 0.3

STOP_WORDS: Final[Mapping[str, frozenset[str]]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": """
            the of and to in a is was for on that by with as at from it be are an or which this his were has had
            not have their its who what when where how why does did do can will would should must may there been
            her she he they you we if any but than these those into
        """,
        "de": """
            der die das den dem des ein eine einen einem einer eines und oder aber in im an am auf aus bei mit
            nach von vom zu zum zur für über unter um durch gegen ohne bis seit während wegen ist sind war waren
            wird werden wurde wurden worden sein hat haben hatte hatten kann können konnte darf dürfen muss
            müssen soll sollen will nicht kein keine keinen auch noch nur schon sehr so wie wer wen wem wessen
            was wann wo wohin woher warum wieso weshalb welche welcher welches welchen welchem viel viele vielen
            es er sie ich wir ihr ihre ihren ihrem ihrer seine seinen seinem seiner man sich dass daß wenn als
            ob denn dann da hier dort dieser diese dieses diesem diesen jede jeder jedes alle etwas jemand gibt
            es heißt
        """,
        "fr": """
            le la les l un une des du de d et ou mais dans en au aux à sur sous par pour avec sans chez vers
            entre est sont était étaient sera seront être a ont avait avaient aura avoir ne pas plus que qu qui
            quoi quel quelle quels quelles quand où comment pourquoi combien lequel laquelle ce cet cette ces c
            il elle ils elles on nous vous je tu se s son sa ses leur leurs y si peut peuvent doit doivent faut
            t très aussi comme depuis fait dont
        """,
        "es": """
            el la los las un una unos unas de del y o u pero en a al con por para sin sobre entre desde hasta es
            son era eran fue fueron ser está están estaba ha han había habían hay no sí que qué quién quiénes
            cuál cuáles cuándo dónde cómo cuánto cuánta cuántos cuántas por qué lo le les se su sus este esta
            estos estas ese esa eso más muy también como si puede pueden debe deben tiene tienen cual quien
            cuando donde
        """,
        "it": """
            il lo la i gli le l un uno una di del dello della dei degli delle d e o ma in nel nello nella nei
            negli nelle a al allo alla ai agli alle da dal dalla dai con su sul sulla per tra fra è sono era
            erano fu furono essere ha hanno aveva non che chi cui quale quali qual quando dove come perché
            quanto quanta quanti quante cosa si ci vi lo suo sua suoi sue questo questa questi queste più molto
            anche se può possono deve devono c viene dopo
        """,
        "pt": """
            o a os as um uma de do da dos das e ou mas em no na nos nas ao à com por para sem sobre é são foi
            foram era ser está não que quem qual quais quando onde como porque quanto quantos quantas se seu sua
            seus suas este esta mais muito também pode podem deve tem
        """,
        "nl": """
            de het een en of maar in op aan bij met van voor naar uit over door onder is zijn was waren wordt
            worden werd heeft hebben had niet geen dat die dit deze wie wat wanneer waar hoe waarom welke
            hoeveel er hij zij ze wij ook nog als om te kan kunnen moet mag
        """,
    }.items()
}
"""Words that stand in every text of a language, and those that only ask."""


@lru_cache(maxsize=4_096)
def language_of(text: str) -> str:
    """The language as its code of two letters: of the words at the beginning, which language knows most."""
    start = text[:_LOOKED_AT]
    letters = sum(map(len, _WORD.findall(start)))
    if letters and len(_HAN.findall(start)) > _HAN_SHARE * letters and not _KANA_OR_HANGUL.search(start):
        return CHINESE
    words = [word.casefold() for word in _WORD.findall(start)]
    known = {language: sum(word in stops for word in words) for language, stops in STOP_WORDS.items()}
    best = max(known.values())
    return next(language for language, count in known.items() if count == best)
