"""Every regular expression of the package, and texts made from it that would show it to be slow.

A pattern in which two quantifiers that adjoin each other take the same characters, or that begins anew at each place of
a long run, takes time that grows as the square or the cube of the text. The texts are made from the parsed pattern:
what leads to each of its quantifiers, then very often what that quantifier takes, then something that ends the match.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any, Final

METHODS: Final = frozenset({"search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"})
_USES: Final = re.compile(rf"\.(?:{'|'.join(sorted(METHODS))}|compile)\(")
_ALPHABET: Final = " a1A,.-\n'\"(|/:;_é*#<[{=@$%&+?!\t)]}>\\~^`–’€"
_PUMPS: Final = (
    " ",
    "a",
    "1",
    "A",
    ",",
    ".",
    "\n",
    "a ",
    "A ",
    "Ab ",
    "1 ",
    ", ",
    "a, ",
    "1,",
    "a.",
    "- ",
    "a-",
    "\n ",
    "of ",
)
_ENDS: Final = ("\x00", "\n\x00", "?a")
_MANY: Final = 16
"""A quantifier that takes fewer is no danger."""


@dataclass(frozen=True)
class Used:
    """A pattern, and how it is used; `place` is where."""

    pattern: re.Pattern[str]
    method: str
    place: str


def modules(package: str = "provgraph") -> Iterator[ModuleType]:
    root = importlib.import_module(package)
    yield root
    for found in pkgutil.walk_packages(root.__path__, f"{package}."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def patterns_used() -> list[Used]:
    """Each pattern with each of the ways in which it is used; one whose use is not seen is searched for."""
    found: dict[tuple[str, int, str], Used] = {}
    seen: dict[tuple[str, int], Used] = {}
    for module in modules():
        assert module.__file__ is not None
        text = Path(module.__file__).read_text("utf-8")
        tree = ast.parse(text) if _USES.search(text) else ast.Module([], [])
        for pattern, method, line in _calls(tree, vars(module)):
            used = Used(pattern, method or "search", f"{module.__name__}:{line}")
            key = (pattern.pattern, pattern.flags)
            if method:
                found.setdefault((*key, "sub" if method == "subn" else method), used)
            seen.setdefault(key, used)
        for pattern in _held(vars(module).values()):
            seen.setdefault((pattern.pattern, pattern.flags), Used(pattern, "search", module.__name__))
    known = {key[:2] for key in found}
    return [*found.values(), *(used for key, used in seen.items() if key not in known)]


def _calls(tree: ast.AST, names: dict[str, Any]) -> Iterator[tuple[re.Pattern[str], str, int]]:
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        method = node.func.attr
        if method not in METHODS | {"compile"}:
            continue
        on = _value(node.func.value, names)
        if on is re and method in METHODS | {"compile"} and node.args:
            pattern = _value(node.args[0], names)
            flags = next((k.value for k in node.keywords if k.arg == "flags"), None)
            if method == "compile" and len(node.args) > 1:
                flags = node.args[1]
            pattern = _compiled(pattern, _value(flags, names) if flags is not None else 0)
        else:
            pattern = on if method in METHODS else None
        if isinstance(pattern, re.Pattern) and isinstance(pattern.pattern, str):
            yield pattern, "" if method == "compile" else method, node.lineno


def _compiled(pattern: object, flags: object) -> re.Pattern[str] | None:
    if isinstance(pattern, re.Pattern):
        return pattern
    return re.compile(pattern, flags) if isinstance(pattern, str) and isinstance(flags, int) else None


def _value(expression: ast.expr, names: dict[str, Any]) -> object:
    """What an expression of names of its module is; None where it needs more than those."""
    if isinstance(expression, ast.Call) and not isinstance(expression.func, ast.Attribute | ast.Name):
        return None
    try:
        return eval(compile(ast.Expression(expression), "<pattern>", "eval"), names, {})
    except (NameError, AttributeError, TypeError, KeyError, IndexError, ValueError):  # names of a function
        return None


def _held(values: Iterable[object], deep: int = 0) -> Iterator[re.Pattern[str]]:
    for value in values:
        if isinstance(value, re.Pattern):
            if isinstance(value.pattern, str):
                yield value
        elif isinstance(value, tuple | list | frozenset | set) and deep < 4:
            yield from _held(value, deep + 1)
        elif isinstance(value, dict) and deep < 4:
            yield from _held([*value.keys(), *value.values()], deep + 1)


def texts(pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """What begins a text, and what it then has very often."""
    parsed = sre_parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    found = {(before, pump) for before, pumps in _repeated(parsed, "") for pump in pumps}
    whole = _sample(parsed)
    found |= (
        {("", pump) for pump in _PUMPS} | {("", begin) for begin, _ in list(found) if begin} | {("", whole)}
    )
    return sorted((begin, pump) for begin, pump in found if pump)


def _repeated(parsed: Any, before: str) -> Iterator[tuple[str, list[str]]]:
    """Each quantifier without a small limit: a text that leads to it, and what it takes."""
    for at, (op, given) in enumerate(parsed):
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            _, most, body = given
            yield from _repeated(body, before)
            if most > _MANY:
                after = _sample(parsed[at + 1 :])
                taken = _taken(body)
                yield before, taken + [f"{one}{after}" for one in taken[:2] if after]
        elif op is sre.SUBPATTERN:
            yield from _repeated(given[3], before)
        elif op is sre.ATOMIC_GROUP:
            yield from _repeated(given, before)
        elif op is sre.BRANCH:
            for branch in given[1]:
                yield from _repeated(branch, before)
        elif op in (sre.ASSERT, sre.ASSERT_NOT):
            yield from _repeated(given[1], before)
        before += _sample([(op, given)])


def _taken(body: Any) -> list[str]:
    items = list(body)
    if len(items) == 1 and (chars := _chars(items[0])) is not None:
        few = chars[:3]
        spaces = [each for each in " \n" if each in chars and each not in few]
        return [*few, *spaces, *(f"{one}{other}" for one, other in pairwise(few))]
    if len(items) == 1 and items[0][0] is sre.BRANCH:
        return [_sample(branch) for branch in items[0][1][1]][:6]
    if len(items) == 1 and items[0][0] is sre.SUBPATTERN:
        return _taken(items[0][1][3])
    return [_sample(body), _sample(body, longest=True)]


def _chars(item: Any) -> list[str] | None:
    """Of an alphabet, what one item of a pattern takes; None where it takes more than one character."""
    op, given = item
    if op is sre.LITERAL:
        return [chr(given)]
    if op is sre.ANY:
        return list(_ALPHABET)
    if op is sre.NOT_LITERAL:
        return [each for each in _ALPHABET if each != chr(given)]
    if op is sre.IN:
        one = sre_parser.SubPattern(sre_parser.State(), [item])
        taking = re.compile(_class_source(given)) if one else None
        return [each for each in _alphabet_of(given) if taking and taking.match(each)]
    return None


def _alphabet_of(given: Any) -> str:
    literal = "".join(chr(value) for op, value in given if op is sre.LITERAL)
    ranges = "".join(chr(value[0]) for op, value in given if op is sre.RANGE)
    return "".join(dict.fromkeys(_ALPHABET + literal + ranges))


_CATEGORIES: Final = {
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
}


def _class_source(given: Any) -> str:
    made = ""
    for op, value in given:
        if op is sre.NEGATE:
            made += "^"
        elif op is sre.LITERAL:
            made += re.escape(chr(value))
        elif op is sre.RANGE:
            made += f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
        elif op is sre.CATEGORY:
            made += _CATEGORIES[value]
    return f"[{made}]"


def _sample(parsed: Any, longest: bool = False) -> str:
    """A text that a pattern takes, as far as that is easily told."""
    made = ""
    for op, given in parsed:
        if (chars := _chars((op, given))) is not None:
            made += chars[0] if chars else ""
        elif op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            least, most, body = given
            made += _sample(body, longest) * max(least, 1 if longest and most else 0)
        elif op is sre.SUBPATTERN:
            made += _sample(given[3], longest)
        elif op is sre.ATOMIC_GROUP:
            made += _sample(given, longest)
        elif op is sre.BRANCH:
            made += _sample(given[1][-1 if longest else 0], longest)
    return made


def slow_text(used: Used, most: int, limit_s: float) -> tuple[str, str, int] | None:
    """What begins the first text on which a pattern is slow, what that has very often, and how long it was: it takes
    more than `limit_s`, and three times what half of it takes, or far more than that."""
    for begin, pump in texts(used.pattern):
        for end in _ENDS:
            size = 12
            while True:
                took = _seconds(used, begin, pump, size, end)
                if took > limit_s:
                    if _is_slow(used, begin, pump, size, end, limit_s):
                        return begin, pump, size
                    break
                if size >= most:
                    break
                size = most if size > 180 and took < limit_s / 100 else min(most, size * 2)
    return None


def _is_slow(used: Used, begin: str, pump: str, size: int, end: str, limit_s: float) -> bool:
    """Whether it takes ten times the limit, or the limit and twice the text three times as long, as often as it is
    tried: other processes disturb one trial."""
    for _ in range(4):
        half = _seconds(used, begin, pump, size // 2, end)
        took = _seconds(used, begin, pump, size, end)
        if took > 50 * limit_s:
            return True
        if took < limit_s or took < min(3 * half, 10 * limit_s):
            return False
    return True


def _seconds(used: Used, begin: str, pump: str, size: int, end: str) -> float:
    text = begin + pump * (size // len(pump)) + end
    begun = time.thread_time()
    if used.method in ("sub", "subn"):
        used.pattern.sub("", text)
    elif used.method == "finditer":
        list(used.pattern.finditer(text))
    else:
        getattr(used.pattern, used.method)(text)
    return time.thread_time() - begun
