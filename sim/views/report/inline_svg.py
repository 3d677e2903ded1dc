"""matplotlib's figures as part of a page: in the page's own colours, light and dark, and without inline styles."""

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from sim.views.markup import element
from sim.views.plots.style import FAINT, GRID, INK, LINE, MARK

# What the charts draw in these colours follows the page's own, which change with light and dark.
_THEME = {
    "#ffffff": "var(--paper)", INK.lower(): "var(--ink)", FAINT.lower(): "var(--faint)",
    GRID.lower(): "var(--grid)", LINE.lower(): "var(--line)", MARK.lower(): "var(--mark)",
}  # fmt: skip
_COLOUR = re.compile(r"#[0-9a-f]{6}")
_NUMBER = re.compile(r"-?\d+\.\d+")
_FAMILY = re.compile(r"font-family:[^;]*;?")  # the page's own letters
_REFERENCE = re.compile(r"url\(#([^)]*)\)")
_DROPPED = {"metadata", "style"}


class Inliner:
    """Takes figures into one page; equal looks become one class, and no two figures share an id."""

    def __init__(self) -> None:
        self._classes: dict[str, str] = {}
        self._figures = 0

    def take(self, svg: bytes, title: str, description: str) -> Element:
        """Return the figure as an element that reads *title* and *description* to those who do not see it."""
        self._figures += 1
        prefix = f"f{self._figures}"
        root = _bare(ElementTree.fromstring(svg))
        self._adapt(root, prefix)
        for name in ("width", "height", "version"):
            root.attrib.pop(name, None)
        root.set("role", "img")
        root.set("aria-labelledby", f"{prefix}t {prefix}d")
        root.insert(0, element("title", title, id=f"{prefix}t"))
        root.insert(1, element("desc", description, id=f"{prefix}d"))
        return root

    @property
    def style(self) -> str:
        """The rules of all classes so far."""
        return "".join(f".{name}{{{look}}}\n" for look, name in self._classes.items())

    def _adapt(self, node: Element, prefix: str) -> None:
        for kept in [child for child in node if child.tag in _DROPPED]:
            node.remove(kept)
        node.tail = None
        if node.tag != "text":
            node.text = None
        self._restyle(node)
        _rename(node, prefix)
        for child in list(node):
            self._adapt(child, prefix)
            if child.tag in ("g", "defs") and not len(child):
                node.remove(child)
            elif child.tag == "g" and not child.attrib:
                _unwrap(node, child)

    def _restyle(self, node: Element) -> None:
        look = node.attrib.pop("style", None)
        if look is None:
            return
        look = _FAMILY.sub("", look.lower())
        look = _COLOUR.sub(lambda found: _THEME.get(found[0], found[0]), look)
        look = re.sub(r"\s*([:;])\s*", r"\1", look).strip("; ")
        node.set("class", self._classes.setdefault(look, f"s{len(self._classes)}"))


def _bare(node: Element) -> Element:
    """Return the tree without namespaces: HTML knows what is SVG by where it stands."""
    for inner in node.iter():
        inner.tag = inner.tag.rpartition("}")[2]
        inner.attrib = {name.rpartition("}")[2]: value for name, value in inner.attrib.items()}
    return node


def _rename(node: Element, prefix: str) -> None:
    """Make ids the page's own, drop those that nothing points to, and shorten numbers to what can be seen."""
    if node.tag not in ("path", "clipPath", "linearGradient", "pattern"):
        node.attrib.pop("id", None)
    for name, value in node.attrib.items():
        if name == "id":
            node.set(name, f"{prefix}{value}")
        elif name == "href":
            node.set(name, f"#{prefix}{value[1:]}")
        elif name in ("d", "x", "y", "transform", "width", "height"):
            node.set(
                name, " ".join(_NUMBER.sub(lambda found: f"{float(found[0]):.1f}".removesuffix(".0"), value).split())
            )
        else:
            node.set(name, _REFERENCE.sub(rf"url(#{prefix}\1)", value))


def _unwrap(parent: Element, group: Element) -> None:
    place = list(parent).index(group)
    parent.remove(group)
    for offset, child in enumerate(list(group)):
        parent.insert(place + offset, child)
