"""A placed graph → SVG that stands alone, and from that PNG, by MuPDF: no script, no font, nothing fetched; readable on
light and on dark.

Colours stand twice: as attributes, light, for programs that read no style sheet, and as rules for those that do. A
page that shows the picture may set the custom properties of `_RULES`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final
from xml.etree import ElementTree

from provgraph.errors import Unavailable
from provgraph.pictures.graph import Emphasis, Graph, NodeKind
from provgraph.pictures.layout import (
    EDGE_TEXT,
    LINE,
    NODE_TEXT,
    Box,
    NodePositions,
    PlacedEdge,
    PlacedNode,
    Point,
    clean,
    layout,
)

MEDIA_TYPE: Final = "image/svg+xml"

_FONT: Final = "Helvetica, Arial, sans-serif"
"""Said with each text: MuPDF lets no text inherit it."""

_BASELINE: Final = 0.35
_PAPER: Final = ("#ffffff", "#14171c")
_INK: Final = ("#1a1d21", "#eceff3")
_FILLS: Final[Mapping[NodeKind, tuple[str, str, str, str]]] = {
    NodeKind.ENTITY: ("#e2f3e4", "#2c7a3f", "#16351f", "#5cbf78"),
    NodeKind.METRIC: ("#e0ecfb", "#2360a8", "#14294a", "#6aa5ec"),
    NodeKind.VALUE: ("#f1f1ee", "#77756c", "#2a2c30", "#9a9da3"),
    NodeKind.DOCUMENT: ("#fbf0d9", "#8f6410", "#3d2f10", "#d9a945"),
}
"""Fill and line of each kind, on light and on dark."""
_LINES: Final[Mapping[Emphasis, tuple[str, str]]] = {
    Emphasis.CONTEXT: ("#b4b7bc", "#565b63"),
    Emphasis.CHOSEN: ("#4c5563", "#a9b2bf"),
    Emphasis.CITED: ("#b3261e", "#ff8a7d"),
}
_CORNERS: Final = {NodeKind.ENTITY: 13.0, NodeKind.METRIC: 3.0, NodeKind.VALUE: 0.0, NodeKind.DOCUMENT: 0.0}
_ORDER: Final = (Emphasis.CONTEXT, Emphasis.CHOSEN, Emphasis.CITED)
_TOLD: Final = 40

Element = ElementTree.Element


def svg(graph: Graph) -> str:
    """The picture of a graph."""
    return drawn(layout(graph))


def drawn(placement: NodePositions) -> str:
    """The picture of a graph that is laid out: edges below nodes, and what matters more above what matters less."""
    width, height = _number(placement.width), _number(placement.height)
    picture = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": width,
            "height": height,
            "viewBox": f"0 0 {width} {height}",
            "role": "img",
            "aria-labelledby": "title description",
        },
    )
    _child(picture, "title", {"id": "title"}, clean(placement.graph.title))
    _child(
        picture, "desc", {"id": "description"}, clean(placement.graph.description) or _description(placement)
    )
    _child(picture, "style", {}, _style())
    _child(picture, "rect", {"class": "paper", "width": width, "height": height, "fill": _PAPER[0]})
    edges = sorted(placement.edges, key=lambda placed: _ORDER.index(placed.edge.emphasis))
    for edge in edges:
        _draw_line(picture, edge)
    for edge in edges:
        _draw_label(picture, edge)
    for node in placement.nodes:
        _draw_node(picture, node)
    return ElementTree.tostring(picture, encoding="unicode")


def _draw_line(picture: Element, placed: PlacedEdge) -> None:
    group = _child(picture, "g", {"class": placed.edge.emphasis.value})
    colour = _LINES[placed.edge.emphasis][0]
    curve = placed.curve
    thickness = _thickness(placed)
    end = curve.foot(thickness) if placed.edge.directed else curve.end
    path = f"M{_point(curve.start)} Q{_point(curve.control)} {_point(end)}"
    width = _number(thickness)
    _child(
        group, "path", {"class": "line", "d": path, "fill": "none", "stroke": colour, "stroke-width": width}
    )
    if not placed.edge.directed:
        return
    corners = " ".join(map(_point, curve.head(thickness)))
    _child(group, "polygon", {"class": "head", "points": corners, "fill": colour})


def _draw_label(picture: Element, placed: PlacedEdge) -> None:
    group = _child(picture, "g", {"class": placed.edge.emphasis.value})
    _child(group, "title", {}, clean(placed.edge.label))
    _child(group, "rect", {**_rectangle(placed.box), "class": "paper", "fill": _PAPER[0], "rx": "3"})
    quiet = placed.edge.emphasis is Emphasis.CONTEXT
    colour = "#6b7078" if quiet else _LINES[placed.edge.emphasis][0]
    _draw_text(group, placed.box, placed.lines, {"class": "label", "fill": colour}, EDGE_TEXT)


def _draw_node(picture: Element, placed: PlacedNode) -> None:
    node = placed.node
    group = _child(picture, "g", {"class": node.kind.value})
    _child(group, "title", {}, clean(f"{node.label} ({node.detail})" if node.detail else node.label))
    fill, line, _, _ = _FILLS[node.kind]
    shape = {"class": "node", "fill": fill, "stroke": line, "stroke-width": "1.5"}
    _child(group, "rect", {**_rectangle(placed.box), **shape, "rx": _number(_CORNERS[node.kind])})
    _draw_text(group, placed.box, placed.lines, {"class": "ink", "fill": _INK[0]}, NODE_TEXT)


def _draw_text(
    group: Element, box: Box, lines: tuple[str, ...], style: Mapping[str, str], size: float
) -> None:
    top = box.y - (len(lines) - 1) * LINE * size / 2 + _BASELINE * size
    for number, line in enumerate(lines):
        place = {"x": _number(box.x), "y": _number(top + number * LINE * size)}
        look = {"text-anchor": "middle", "font-size": _number(size), "font-family": _FONT}
        _child(group, "text", {**place, **look, **style}, line)


def _thickness(placed: PlacedEdge) -> float:
    if placed.edge.emphasis is Emphasis.CONTEXT:
        return 1
    base = 2.0 if placed.edge.emphasis is Emphasis.CITED else 1.4
    return base + 1.6 * min(1.0, max(0.0, placed.edge.weight))


def _description(placement: NodePositions) -> str:
    """The edges in words, those that matter first."""
    labels = {placed.node.id: placed.node.label for placed in placement.nodes}
    edges = sorted((placed.edge for placed in placement.edges), key=lambda edge: -_ORDER.index(edge.emphasis))
    said = [f"{labels[edge.subject]}, {edge.label}, {labels[edge.object]}" for edge in edges[:_TOLD]]
    rest = [f"and {len(edges) - _TOLD} more edges"] if len(edges) > _TOLD else []
    return clean("; ".join([*said, *rest])) or "There is no edge in this picture."


def _style() -> str:
    """Rules that follow the reader's choice of light or dark, or the page's own custom properties."""
    return "\n".join(["", *_rules(0), "@media (prefers-color-scheme: dark) {", *_rules(1), "}", ""])


def _rules(theme: int) -> Iterator[str]:
    yield f".paper {{ fill: var(--graph-paper, {_PAPER[theme]}); }}"
    yield f".ink {{ fill: var(--graph-ink, {_INK[theme]}); }}"
    for emphasis, colours in _LINES.items():
        colour = f"var(--graph-{emphasis.value}, {colours[theme]})"
        yield f".{emphasis.value} .line {{ stroke: {colour}; }}"
        yield f".{emphasis.value} .head, .{emphasis.value} .label {{ fill: {colour}; }}"
    yield f".context .label {{ fill: var(--graph-quiet, {('#6b7078', '#9ba1aa')[theme]}); }}"
    for kind, fills in _FILLS.items():
        fill, line = (
            f"var(--graph-{kind.value}{part}, {colour})"
            for part, colour in zip(("-fill", ""), fills[2 * theme : 2 * theme + 2], strict=True)
        )
        yield f".{kind.value} .node {{ fill: {fill}; stroke: {line}; }}"


def _child(parent: Element, tag: str, attributes: Mapping[str, str], text: str = "") -> Element:
    child = ElementTree.SubElement(parent, tag, dict(attributes))
    if text:
        child.text = text
    return child


def _rectangle(box: Box) -> dict[str, str]:
    return {
        "x": _number(box.x - box.width / 2),
        "y": _number(box.y - box.height / 2),
        "width": _number(box.width),
        "height": _number(box.height),
    }


def _point(point: Point) -> str:
    return f"{_number(point[0])},{_number(point[1])}"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


PNG: Final = "image/png"
_SCALE: Final = 2.0
_MOST_PIXELS: Final = 40_000_000


def png(picture: str) -> bytes:
    """A picture of our own drawing as pixels, two to a unit of it, fewer where it is very large.

    Raises `Unavailable` where PyMuPDF is not installed.
    """
    try:
        import pymupdf
    except ModuleNotFoundError as error:
        raise Unavailable(
            "A PNG is made by PyMuPDF, which is not installed. Install it: pip install pymupdf. Or ask for SVG."
        ) from error
    with pymupdf.open(stream=picture.encode(), filetype="svg") as document:  # type: ignore[no-untyped-call]
        page = document[0]
        area = page.rect.width * page.rect.height
        scale = min(_SCALE, (_MOST_PIXELS / max(area, 1)) ** 0.5)
        matrix = pymupdf.Matrix(scale, scale)  # type: ignore[no-untyped-call]
        pixels: bytes = page.get_pixmap(matrix=matrix).tobytes("png")
    return pixels
