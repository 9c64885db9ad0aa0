"""What kind of thing a question asks for, by its question words, and whether a text has something of that kind.

In English, German, French, Spanish, Italian and Chinese. A kind is expected where the wording leaves no doubt; what a
text has of it is found by form, so it can be there and be something else.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from provgraph.language.languages import CHINESE, language_of

Kind = Literal["person", "place", "date", "duration", "money", "share", "number", ""]


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.I)


_FIRST: Final = r"^\W*(?:\w+\W+){0,2}?"
"""A word that asks only where it is among the first three; later it begins a clause."""

_TIME_UNIT: Final = (
    r"(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|centur(?:y|ies)|fortnights?"
    r"|sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?"
    r"|secondes?|heures?|jours?|semaines?|mois|ans?|années?"
    r"|segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?"
    r"|second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi])"
)
_NUMERAL: Final = (
    r"(?:\d[\d.,]{0,20}|half|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion"
    r"|dozen|twice|once|both"
    r"|ein(?:e[mnrs]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\w{0,20}zehn|\w{0,20}zig"
    r"|hundert|tausend|millionen"
    r"|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingt|trente|quarante|cinquante"
    r"|soixante|cent|mille"
    r"|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|veinte|treinta|cuarenta|cincuenta"
    r"|cien|ciento|mil|millones"
    r"|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|venti|trenta|quaranta|cinquanta|cento|mila|milioni)"
)
_MONTH: Final = (
    r"(?:january|february|march|april|(?-i:May)|june|july|august|september|october|november|december"
    r"|januar|februar|märz|mai|juni|juli|oktober|dezember"
    r"|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre"
    r"|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"
    r"|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre)"
)
_DAY: Final = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo"
    r"|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica"
)
_COIN: Final = (
    r"(?:[$€£¥]|\b(?:eur|usd|gbp|chf|jpy|cny|euros?|dollars?|pounds?|francs?|franken|yen|yuan|pence|cents?|centimes?|céntimos?|centesimi|dólares|libras"
    r"|pesetas|lire|dollari|sterline|crowns|kron(?:er|or|en)|marks|rupees|rou?bles|zloty|złoty|forints|shillings"
    r"|guilders|florins|pesos|rand|dirhams|dinars|shekels|liras|nok|sek|dkk|pln|inr|cad|aud)\b)"
)

_ASKED: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    (
        "money",
        _any(
            r"\bhow much (?:money|did \w+ (?:cost|pay|earn)|(?:does|do|did|is|was|will|would|must|has|have)\b.{0,300}\b"
            r"(?:cost|costs|pay|paid|owe|charge|earn|worth|spend|spent|price))",
            r"\bwhat (?:does|do|did|will|would|has|have)\b.{0,300}(?:(?<!\bto)\s|\b(?:have|has|had|need|needs) to\s)"
            r"(?:pay|paid|spend|spent|charge|owe|earn)\b(?! attention)",
            r"\b(?:what|which) (?:does|do|did|is|was)\b.{0,300}\b(?:cost|price|fee|salary|rent|fare|wage)s?\b",
            r"\b(?:wie ?viel|was)\b.{0,300}\b(?:kostet|kosten|kostete|verdient|zahlt|zahlen|bezahlt)\b",
            r"\b(?:wie hoch|welche[nr]?|was)\b.{0,300}\b(?:preis|gebühr|miete|lohn|gehalt|kosten|beitrag)\b",
            r"\bquel(?:le)?s? (?:est|sont|était)\b.{0,300}\b(?:tarif|prix|loyer|salaire|coût|montant)\b",
            r"\b(?:qué|cuál)\b.{0,300}\b(?:precio|tarifa|alquiler|sueldo|coste|importe)\b",
            r"\b(?:che|qual[ie]?)\b.{0,300}\b(?:prezzo|tariffa|affitto|stipendio|costo|importo)\b",
            r"\bcombien\b.{0,300}\b(?:coûte|coûtent|coûté|paie|payer|gagne)\b",
            r"\bcuánto\b.{0,300}\b(?:cuesta|cuestan|costó|costado|costará|paga|pagar|gana|vale)\b",
            r"\bquanto\b.{0,300}\b(?:costa|costano|costato|costò|paga|pagare|guadagna)\b",
            "多少钱|多少元|价格|费用|工资",
        ),
    ),
    (
        "duration",
        _any(
            r"\bhow (?:long|soon|quickly|old)\b",
            r"\bhow many (?:seconds|minutes|hours|days|weeks|months|years)\b",
            r"\bfor what (?:time|period)\b",
            r"\bwie (?:lange|schnell|alt)\b",
            r"\b(?:combien de temps|quelle durée|quel âge|dans quel délai)\b",
            r"\bcuánto (?:tiempo|dura|tarda)|cuántos (?:años|días|meses|horas)\b",
            r"\bquanto (?:tempo|dura)|quanti (?:anni|giorni|mesi)\b",
            "多久|多长时间|几年|几个月|几天|多少天|多少年",
        ),
    ),
    (
        "share",
        _any(
            r"\b(?:what|which) (?:percentage|per ?cent|share|proportion|fraction)\b",
            r"\bwie ?viel prozent\b|\bwelcher anteil\b",
            r"\bquel pourcentage\b|\bquelle part\b",
            r"\bqué (?:porcentaje|parte)\b",
            r"\b(?:che|quale) percentuale\b",
            "百分之几|多少比例|占多",
        ),
    ),
    (
        "date",
        _any(
            rf"{_FIRST}when\b(?! .{{0,300}},)",
            r"\b(?:what|which) (?:year|date|day|month|century|season|time)\b",
            r"\bsince when\b",
            rf"{_FIRST}wann\b",
            r"\bwelche[mnrs]? (?:jahr|tag|monat|datum)",
            rf"{_FIRST}quand\b",
            r"\bquelle (?:année|date|heure)|\bquel (?:jour|mois)",
            r"\bcuándo\b|\bqué (?:año|día|mes|fecha)",
            rf"{_FIRST}quando\b",
            r"\b(?:che|quale) (?:anno|giorno|mese|data)",
            "什么时候|何时|哪一?年|几月|哪一?天|几号|日期",
        ),
    ),
    (
        "number",
        _any(
            r"\bhow (?:many|much|far|tall|high|large|big|heavy|fast|often|deep|wide|hot|cold|loud)\b",
            r"\b(?:what|which) (?:number|amount|size|height|weight|distance|speed|temperature|age|population)\b",
            r"\bwie ?(?:viele?n?|hoch|groß|weit|schwer|oft|breit|tief|laut|warm)\b",
            r"\bwelche (?:höhe|leistung|fläche|länge|kapazität|größe)\b",
            r"\bcombien\b|\bquel(?:le)? (?:est la )?(?:hauteur|taille|distance|quantité|capacité|poids)",
            r"\bcuánt[oa]s?\b|\b(?:qué|cuál es (?:la|el)) (?:altura|tamaño|cantidad|capacidad|peso)",
            r"\bquant[ioea]\b|\b(?:quale|che) (?:altezza|quantità|capacità|superficie|lunghezza|peso)",
            "多少|几[个名位家台次条间]|多高|多大|多重|多远",
        ),
    ),
    (
        "place",
        _any(
            r"\bwhere\b",
            r"\b(?:what|which) (?:city|cities|town|country|countries|state|place|village|continent|county|province)\b",
            r"\bwo(?:hin|her)?\b|\bwelche[mnrs]? (?:stadt|land|ort|gemeinde|dorf)",
            r"\boù\b|\bquelle (?:ville|commune|région)|\bquel (?:pays|village|lieu)",
            r"\b(?:a|de)?dónde\b|\bqué (?:ciudad|país|pueblo|lugar)",
            r"\bdove\b|\b(?:che|quale) (?:città|paese|luogo|comune)",
            "哪里|哪儿|什么地方|哪个(?:城市|国家|县|省|村)|何处",
        ),
    ),
    (
        "person",
        _any(
            r"\bwho(?:m|se)?\b",
            rf"{_FIRST}wer\b",
            r"\bwen\b|\bwem\b|\bwessen\b",
            r"\bqui (?!est-ce que\b)(?:a|est|était|sont|dirige|peut|doit|\w+)",
            r"\bquién(?:es)?\b",
            rf"{_FIRST}chi\b",
            "谁|什么人|哪位",
        ),
    ),
)

_HAS: Final[dict[str, re.Pattern[str]]] = {
    "money": _any(
        rf"{_COIN}\s*\d",
        rf"\b{_NUMERAL}(?:\s\w+)?\s*{_COIN}",
        "[\\d一二三四五六七八九十百千万亿两]{1,20}\\s*(?:元|美元|欧元)",
    ),
    "duration": _any(
        rf"\b{_NUMERAL}(?:[\s-]\w+)?[\s-]{_TIME_UNIT}\b",
        "[\\d一二三四五六七八九十百两半]{1,20}\\s*(?:年|个?月|天|小时|分钟|周|秒)",
    ),
    "date": _any(
        r"\b(?:1\d|20)\d\d\b",
        rf"\b{_MONTH}\b",
        rf"\b(?:{_DAY})\b",
        r"\b\d{1,2}[./-]\d{1,2}\b",
        r"\b\d{1,2}:\d\d\b",
        r"\b\d{1,2} ?(?:am|pm|uhr|h)\b",
        "[\\d一二三四五六七八九十]{1,20}\\s*[年月日号]|[春夏秋冬]天",
        r"\b(?:spring|summer|autumn|winter|frühling|sommer|herbst|printemps|été|automne|hiver|primavera|verano|otoño)\b",
    ),
    "share": _any(
        r"\d\s*%",
        r"\bper ?cent\b|\bprozent\b|\bpour cent\b|\bpor ciento\b|\bper cento\b",
        r"\b(?:half|quarters?|thirds?|two-thirds|fifths?|hälfte|drittel|viertel|moitié|tiers|mitad|tercio|metà|terzo)\b",
        "百分之|[一二三四五六七八九]成|分之",
    ),
    "number": _any(rf"\b{_NUMERAL}\b", "[一二三四五六七八九十百千万亿两]"),
}
_NAME: Final = re.compile(
    r"(?<=[^.!?:\n#|*\s]\s)[\"'“‘«(]*[A-ZÀ-ÖØ-Þ][\w’'.-]+|^[A-ZÀ-ÖØ-Þ][\w’'-]+ [A-ZÀ-ÖØ-Þ][\w’'-]+"
)

_MONTH_AND_YEAR: Final = rf"{_MONTH}(?:\s+(?:de\s+|del\s+)?(?:1\d|20)\d\d)?"
_EXPRESSIONS: Final[dict[str, re.Pattern[str]]] = {
    "date": _any(
        rf"\b\d{{1,2}}(?:\.|er|º)?\s+(?:de\s+)?{_MONTH_AND_YEAR}",
        rf"\b{_MONTH_AND_YEAR}",
        r"\b(?:1\d|20)\d\d\b",
        r"\b\d{1,2}(?::\d\d)? ?(?:uhr|h|heures)\b",
        "\\d{4}年(?:\\d{1,2}月(?:\\d{1,2}[日号])?|[春夏秋冬]天)?|\\d{1,2}月(?:\\d{1,2}[日号])?",
    ),
    "money": _any(
        rf"{_COIN}\s*\d[\d.,]*",
        rf"\b{_NUMERAL}(?:\s(?:mill?i\w+|millon\w*))?(?:\s(?:de|di))?\s*{_COIN}",
        "[\\d.,一二三四五六七八九十百千万亿两]{1,20}\\s*(?:元|美元|欧元)",
    ),
    "duration": _any(
        rf"\b{_NUMERAL}[\s-]{_TIME_UNIT}\b",
        "[\\d.一二三四五六七八九十百两半]{1,20}\\s*(?:年|个?月|天|小时|分钟|周|秒)",
    ),
    "share": _any(
        rf"\b{_NUMERAL}\s*(?:%|(?:per ?cent|prozent|pour cent|por ciento|per cento)\b)",
        "百分之[\\d.一二三四五六七八九十百]+|[一二三四五六七八九]成",
    ),
    "number": _any(
        rf"\b{_NUMERAL}(?:\s+(?:de\s+)?[^\W\d_]+(?:\s(?:cúbic\w+|cuadrad\w+|quadrat\w+|cubi\w+|carrés?|cubes?))?)?",
        "[\\d.,]+(?:[百千万亿]*[^\\W\\d_])?|[一二三四五六七八九十百千万亿两]{1,20}[个名位家台次条间亩吨户]",
    ),
}
_NAMES: Final = re.compile(
    r"[A-ZÀ-ÖØ-Þ][\w’'.-]*(?:\s(?:(?:von|van|de|del|della|di|du|des|da|la)\s)?[A-ZÀ-ÖØ-Þ][\w’'-]+)*"
)

_CALENDAR: Final = re.compile(rf"(?:{_MONTH}|{_DAY})", re.IGNORECASE)


def expressions(text: str, kind: Kind) -> list[tuple[int, int]]:
    """Where a text has something of a kind, as it would be said in answer: a number with what it counts, a date with
    its year, a name whole. Names that begin a sentence are of several words."""
    if kind in _EXPRESSIONS:
        return [match.span() for match in _EXPRESSIONS[kind].finditer(text)]
    if kind not in ("person", "place") or language_of(text) == CHINESE:
        return []
    found = [match.span() for match in _NAMES.finditer(text)]
    named = [(start, end) for start, end in found if not _CALENDAR.fullmatch(text[start:end])]
    return [(start, end) for start, end in named if start > 0 or " " in text[start:end]]


DESCRIPTIONS: Final[dict[str, str]] = {
    "person": "a name",
    "place": "a name",
    "date": "a date",
    "duration": "a duration",
    "money": "an amount of money",
    "share": "a share",
    "number": "a number",
}


def asked_kind(question: str) -> Kind:
    """Of several kinds that the wording fits the most special; none where it leaves that open."""
    for kind, pattern in _ASKED:
        if pattern.search(question):
            return kind
    return ""


def has_kind(text: str, kind: Kind) -> bool | None:
    """Whether a text has something of the kind; None where that can't be told by its form."""
    if not kind:
        return None
    if kind in _HAS:
        return _HAS[kind].search(text) is not None
    if language_of(text) == CHINESE:
        return None
    return _NAME.search(text) is not None
