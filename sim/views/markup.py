"""HTML as a tree of elements: whatever text is put in comes out escaped, and what is invisible is shown or gone.

Built on the standard library's ElementTree, so no text is ever glued to a tag by hand.
"""

import base64
import hashlib
from collections.abc import Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from sim.analysis.printable import printable, without_controls

__all__ = ["Element", "document", "element", "name_of"]


def element(tag: str, *children: Element | str | None, **attributes: str | None) -> Element:
    """Return an element; texts among *children* are data, never markup.

    Args:
        children: Elements and texts in order; None is left out.
        attributes: ``class_`` stands for ``class`` and ``_`` within for ``-``; None is left out.
    """
    made = Element(tag)
    for name, value in attributes.items():
        if value is not None:
            made.set(name.rstrip("_").replace("_", "-"), without_controls(value))
    for child in children:
        if isinstance(child, str):
            _append_text(made, printable(child))
        elif child is not None:
            made.append(child)
    return made


def name_of(text: str, at_most: int = 1000) -> Element:
    """Return somebody's or something's own name: on one line, and its direction of writing kept to itself."""
    name = without_controls(text) or "(no name)"
    return element("bdi", name if len(name) <= at_most else f"{name[: at_most - 1]}…")


def document(
    title: str,
    style: str,
    body: Element,
    *,
    scripts: Sequence[str] = (),
    allow: Sequence[str] = (),
    head: Sequence[Element] = (),
) -> str:
    """Return a whole page that can load nothing, and run nothing but its own scripts.

    Args:
        scripts: Stand at the end of *body*; like the style they are what the page's content policy names.
        allow: What else its content policy allows.
        head: What else stands in its head.
    """
    allowed = [f"script-src {' '.join(map(_source, scripts))}"] if scripts else []
    allowed += [f"style-src {_source(style)}", *allow]
    policy = ["default-src 'none'", *allowed, "base-uri 'none'", "form-action 'none'"]
    body.extend(_verbatim("script", script) for script in scripts)
    made = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content="; ".join(policy)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        *head,
        element("title", title),
        _verbatim("style", style),
    )
    page = element("html", made, body, lang="en")
    return "<!DOCTYPE html>\n" + ElementTree.tostring(page, encoding="unicode", method="html") + "\n"


def _source(text: str) -> str:
    """Return the name that a content policy has for a script or a style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _verbatim(tag: str, text: str) -> Element:
    """Return a script or a style with *text* as it stands: its hash must fit."""
    made = Element(tag)
    made.text = text
    return made


def _append_text(parent: Element, text: str) -> None:
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text
