"""Pictures of graphs: nothing lies over anything else, one graph has one picture, and it is safe to open."""

from __future__ import annotations

from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pymupdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provgraph.pictures.graph import DrawnEdge, DrawnNode, Emphasis, Graph, NodeKind
from provgraph.pictures.layout import Box, NodePositions, clean, curve, layout, loop, text_width, wrapped
from provgraph.pictures.svg import png, svg

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</text><script>alert(1)</script> & "quoted" \x00\x1b[31m \u202e'


def star(rays: int) -> Graph:
    nodes = tuple(DrawnNode(str(number), f"thing number {number}") for number in range(rays + 1))
    edges = tuple(DrawnEdge(f"e{number}", "0", str(number), "leads to") for number in range(1, rays + 1))
    return Graph(nodes, edges, "A star")


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Graphs with lone nodes, several edges between two nodes, and edges from a node to itself."""
    nodes = tuple(
        DrawnNode(str(number), label, kind)
        for number, (label, kind) in enumerate(
            draw(st.lists(st.tuples(st.text(max_size=60), st.sampled_from(NodeKind)), min_size=1, max_size=9))
        )
    )
    ends = st.sampled_from([node.id for node in nodes])
    drawn = draw(
        st.lists(st.tuples(ends, ends, st.text(max_size=40), st.sampled_from(Emphasis)), max_size=14)
    )
    edges = tuple(
        DrawnEdge(str(number), subject, thing, label, number / 14, emphasis)
        for number, (subject, thing, label, emphasis) in enumerate(drawn)
    )
    return Graph(nodes, edges, draw(st.text(max_size=30)))


def boxes_of(placed: NodePositions) -> list[Box]:
    return [*(node.box for node in placed.nodes), *(edge.box for edge in placed.edges)]


def overlap(first: Box, second: Box) -> bool:
    return (
        abs(first.x - second.x) < (first.width + second.width) / 2
        and abs(first.y - second.y) < (first.height + second.height) / 2
    )


@settings(deadline=None, max_examples=60)
@given(graphs())
def test_no_label_lies_over_another_and_all_lie_in_the_picture(graph: Graph) -> None:
    placed = layout(graph)
    boxes = boxes_of(placed)
    assert [pair for pair in combinations(boxes, 2) if overlap(*pair)] == []
    for box in boxes:
        assert box.width / 2 <= box.x <= placed.width - box.width / 2
        assert box.height / 2 <= box.y <= placed.height - box.height / 2


@settings(deadline=None, max_examples=40)
@given(graphs())
def test_any_graph_is_well_formed_svg_that_is_always_the_same(graph: Graph) -> None:
    drawn = svg(graph)
    root = ElementTree.fromstring(drawn)
    assert root.tag == f"{SVG}svg"
    assert len(root.findall(f".//{SVG}polygon")) == len(graph.edges)
    assert svg(graph) == drawn


@pytest.mark.slow
def test_a_graph_of_200_edges_has_room_for_every_label() -> None:
    placed = layout(star(200))
    boxes = boxes_of(placed)
    assert [pair for pair in combinations(boxes, 2) if overlap(*pair)] == []


def test_an_empty_graph_has_a_picture_that_says_so() -> None:
    root = ElementTree.fromstring(svg(Graph((), (), "Nothing")))
    assert root.findtext(f"{SVG}title") == "Nothing"
    assert root.findtext(f"{SVG}desc") == "There is no edge in this picture."


def test_the_description_tells_the_edges_those_that_are_cited_first() -> None:
    nodes = (DrawnNode("a", "Curie"), DrawnNode("b", "polonium"), DrawnNode("c", "Warsaw"))
    edges = (
        DrawnEdge("1", "a", "c", "was born in", emphasis=Emphasis.CONTEXT),
        DrawnEdge("2", "a", "b", "discovered", emphasis=Emphasis.CITED),
    )
    root = ElementTree.fromstring(svg(Graph(nodes, edges, "Curie")))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}desc") == "Curie, discovered, polonium; Curie, was born in, Warsaw"


def test_words_of_documents_stay_words() -> None:
    graph = Graph(
        (DrawnNode("a", HOSTILE), DrawnNode("b", HOSTILE)), (DrawnEdge("e", "a", "b", HOSTILE),), HOSTILE
    )
    root = ElementTree.fromstring(svg(graph))
    known = {"svg", "title", "desc", "style", "rect", "g", "path", "polygon", "text"}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= known
    assert not [name for element in root.iter() for name in element.keys() if name.startswith("on")]  # noqa: SIM118
    assert root.findtext(f"{SVG}title") == '</text><script>alert(1)</script> & "quoted" [31m'


def test_long_labels_are_shortened_in_the_picture_and_whole_in_its_tooltip() -> None:
    label = "a very long name of a thing that nobody would ever want to read in a picture of a graph at all"
    root = ElementTree.fromstring(svg(Graph((DrawnNode("a", label),), (), "Long")))
    shown = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert len(shown) == 3
    assert shown[-1].endswith("…")
    assert label in [title.text for title in root.iter(f"{SVG}title")]


@pytest.mark.parametrize("text", ["Marie Curie", "居里夫人发现了钋", "Мария", "x" * 300, ""])
def test_a_wrapped_label_keeps_to_its_room(text: str) -> None:
    lines = wrapped(text, 24, 3)
    assert 1 <= len(lines) <= 3
    assert all(text_width(line) <= 24 for line in lines)


@given(st.text())
def test_cleaned_text_may_stand_in_xml(text: str) -> None:
    element = ElementTree.Element("text")
    element.text = clean(text)
    assert (ElementTree.fromstring(ElementTree.tostring(element)).text or "") == clean(text)


def test_a_curve_passes_through_the_place_of_its_label() -> None:
    label = Box(60, -40, 30, 10)
    for drawn in (curve(Box(0, 0, 20, 10), label, Box(100, 30, 20, 10)), loop(Box(0, 0, 20, 10), label)):
        middle = [(drawn.start[axis] + 2 * drawn.control[axis] + drawn.end[axis]) / 4 for axis in (0, 1)]
        assert middle == pytest.approx([label.x, label.y])


def test_a_curve_starts_and_ends_on_the_rim_of_its_boxes() -> None:
    ends = Box(0, 0, 20, 10), Box(100, 30, 20, 10)
    drawn = curve(ends[0], Box(60, -40, 30, 10), ends[1])
    for box, (x, y) in zip(ends, (drawn.start, drawn.end), strict=True):
        reach = max(abs(x - box.x) / box.width, abs(y - box.y) / box.height)
        assert reach == pytest.approx(0.5)


def test_a_png_shows_nodes_words_and_arrows() -> None:
    graph = Graph(
        (DrawnNode("a", "Curie"), DrawnNode("b", "polonium", NodeKind.METRIC)),
        (DrawnEdge("e", "a", "b", "discovered", 1, Emphasis.CITED),),
        "Curie",
    )
    placed = layout(graph)
    pixels: Any = pymupdf.Pixmap(png(svg(graph)))  # type: ignore[no-untyped-call]
    assert (pixels.width, pixels.height) == pytest.approx((2 * placed.width, 2 * placed.height), abs=3)
    tip, foot = placed.edges[0].curve.end, placed.edges[0].curve.foot(3.6)
    head = (tip[0] + foot[0]) / 2, (tip[1] + foot[1]) / 2
    assert pixels.pixel(*(round(2 * part) for part in head)) == (0xB3, 0x26, 0x1E)
    box = placed.nodes[1].box
    corner = box.x - box.width / 2 + 5, box.y
    assert pixels.pixel(*(round(2 * part) for part in corner)) == (0xE0, 0xEC, 0xFB)
    dark = [
        x
        for x in range(round(2 * (box.x - box.width / 2)) + 8, round(2 * (box.x + box.width / 2)) - 8)
        if sum(pixels.pixel(x, round(2 * box.y))) < 300
    ]
    assert dark
