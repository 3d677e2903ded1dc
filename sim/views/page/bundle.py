"""The page as one file: its own script and style, sealed by a content policy, and packed data inside."""

import base64
import json
import zlib
from collections.abc import Sequence
from importlib.resources import files
from typing import Any
from xml.etree import ElementTree

from sim.analysis.diff import first_divergence, follow
from sim.analysis.narrate import Narrator, tell
from sim.analysis.printable import without_controls
from sim.log.events import Walked
from sim.log.run_folder import Run
from sim.views.markup import document, element
from sim.views.page.calls import calls_payload
from sim.views.page.payload import FORMAT, PagePayload, is_inner

SCRIPTS = (
    "element.js", "store.js", "moment.js", "list.js", "scene.js", "painting.js", "map.js", "timeline.js",
    "people.js", "memories.js", "reasons.js", "talks.js", "news.js", "view.js",
)  # fmt: skip
"""In the order in which they are joined; each may use those before it."""
_CHUNK = 3000  # inner events packed together: opening one thought unpacks about a megabyte


def page(runs: Sequence[Run | PagePayload], *, live: str = "") -> str:
    """Return the replay page of one run, or of two side by side, as HTML.

    Args:
        runs: Runs to be read whole, or payloads that have taken what is to be shown; those hand on later what is
            new (`PagePayload.fresh`), in the form that ``window.townsfolk.append(fresh, run)`` takes.
        live: A script to run after the page's own, with ``window.townsfolk`` there; it may talk to the page's server.

    Raises:
        RunError: If a log is damaged or holds nothing yet.
    """
    payloads = [run if isinstance(run, PagePayload) else PagePayload.of(run) for run in runs]
    blocks: list[str] = []
    heads = [_packed_run(payload, blocks) for payload in payloads]
    data = {"format": FORMAT, "runs": heads, "parting": _divergence(payloads), "live": bool(live)}
    title = " and ".join(dict.fromkeys(_title(payload) for payload in payloads))
    return _page_of(title, data, blocks, live)


def _page_of(title: str, data: dict[str, Any], blocks: Sequence[str], live: str) -> str:
    """Return the page; whatever comes from a run is data, never markup."""
    body = ElementTree.fromstring(_part("view.html"))
    body.append(element("script", _harmless(data), type="application/json", id="data"))
    body.extend(element("script", block, type="text/plain", id=f"block-{i}") for i, block in enumerate(blocks))
    return document(
        without_controls(title),
        _part("view.css"),
        body,
        scripts=[_script(), live] if live else [_script()],
        allow=("img-src data:", "connect-src 'self'" if live else "connect-src 'none'"),
        head=[element("link", rel="icon", href="data:,")],
    )


def _packed_run(payload: PagePayload, blocks: list[str]) -> dict[str, Any]:
    """Return a run's head, with the numbers of the blocks that hold the rest; they are added to *blocks*."""
    head, fresh = payload.head(), payload.fresh()
    told = list(zip(payload.events, fresh.pop("lines"), strict=True))
    outer = [line for (_, event), line in told if not is_inner(event) and not isinstance(event, Walked)]
    rest = [(n, line) for (n, event), line in told if is_inner(event)]
    chunks = [rest[i : i + _CHUNK] for i in range(0, len(rest), _CHUNK)]

    def packed(text: str) -> int:
        blocks.append(base64.b64encode(zlib.compress(text.encode("utf-8", "replace"), 6)).decode("ascii"))
        return len(blocks) - 1

    return head | {
        "log": packed(f"[{','.join(outer)}]"),
        "inner": [[chunk[0][0], packed(f"[{','.join(line for _, line in chunk)}]")] for chunk in chunks],
        "told": packed(_compact(fresh)),
        "calls": packed(_compact(calls_payload(payload.run, payload.calls_wanted()))),
        "last": payload.events[-1][0],
    }


def _divergence(payloads: Sequence[PagePayload]) -> dict[str, Any] | None:
    """Return where two runs part: how many events they share, when, and the first difference in words."""
    if len(payloads) != 2:
        return None
    narrators = (Narrator(), Narrator())
    found = first_divergence(*(follow(one.events, narrator) for one, narrator in zip(payloads, narrators, strict=True)))
    if found is None:
        return {"n": None, "t": None, "told": []}
    sides = (found.first, found.second)
    told = [
        f"{narrator.stamp(event.t)}: {tell(event, narrator).line}" if event else "The log ends here."
        for event, narrator in zip(sides, narrators, strict=True)
    ]
    return {"n": found.n, "t": min(event.t for event in sides if event), "told": told}


def _title(payload: PagePayload) -> str:
    started = payload.started
    return f"{started.scenario if started else 'A town'} ({payload.run.path.resolve().name})"


def _script() -> str:
    """Return the page's own script, all of it in one scope."""
    return '"use strict";\n(() => {\n' + "\n".join(_part(name) for name in SCRIPTS) + "\n})();\n"


def _part(name: str) -> str:
    return files(__package__).joinpath("page", name).read_text(encoding="utf-8")


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _harmless(value: Any) -> str:
    """Return JSON in which nothing can end the element that holds it."""
    escapes = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return "".join(escapes.get(character, character) for character in text)
