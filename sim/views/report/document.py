"""The page itself: title, facts of the study, and the sections one after the other."""

from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any
from xml.etree.ElementTree import Element

from sim.views.markup import document, element, name_of
from sim.views.report.contents import ReportContents
from sim.views.report.figures import Figures
from sim.views.report.sections import Section, sections
from sim.views.report.tables import spending_of

_BROKEN = 6  # cells that are named; study.json has all
_DESIGNS = {
    "rerun": "rerun: each arm lives a life of its own",
    "paper": "paper: one life a seed, and the arms differ in what may be used in its interviews",
}


def title_of(found: ReportContents) -> str:
    """Return the report's title: which town, how many arms and seeds."""
    towns = list(dict.fromkeys(run.measured.facts.scenario for run in found.runs))
    seeds = len({run.seed for run in found.runs})
    arms = f"{len(found.arms)} arm{_s(len(found.arms))}"
    return f"{', '.join(towns)}: {arms}, {seeds} seed{_s(seeds)}"


def compose(found: ReportContents, figures: Figures) -> str:
    """Return the whole page."""
    title = title_of(found)
    parts = sections(found, figures)
    links = (element("li", element("a", part.title, href=f"#{part.id}")) for part in parts)
    header = element(
        "header",
        element("h1", title),
        element("p", "Every figure and number here is worked out from the runs' logs.", class_="faint"),
        element("nav", element("ul", *links), aria_label="Sections"),
        facts_list(found),
    )
    main = element("main", *(_section(part, folded=number > 0) for number, part in enumerate(parts)))
    body = element("body", header, main, _footer(figures))
    return document(title, _sheet() + figures.style, body)


def _section(part: Section, *, folded: bool) -> Element:
    """Return a section; all but the first, which says what can be claimed, are folded until they are opened."""
    heading = element("h2", part.title, id=f"{part.id}-title")
    body = [element("details", element("summary", heading), *part.body)] if folded else [heading, *part.body]
    return element("section", *body, id=part.id, aria_labelledby=f"{part.id}-title")


def facts_list(found: ReportContents) -> Element:
    """Return what was studied, with which means, and at what price."""
    pairs = [part for name, value in _facts(found) for part in (element("dt", name), element("dd", value))]
    return element("dl", *pairs, class_="facts")


def _facts(found: ReportContents) -> Iterator[tuple[str, Element | str]]:
    every = [run.measured.facts for run in found.runs]
    yield "Scenario", element("span", *_listed(dict.fromkeys(facts.scenario for facts in every)))
    yield "Arms", element("span", *_listed(dict.fromkeys(found.arms)))
    yield "Baseline", name_of(found.comparison.baseline)
    yield "Seeds", _numbers(sorted({run.seed for run in found.runs}))
    yield "Runs", f"{len(found.lives)}, of {_range([len(facts.people) for facts in every])} residents and " \
                  f"{_range([round(facts.days, 1) for facts in every])} days each"  # fmt: skip
    models = dict.fromkeys(
        f"{use}: {name}" if use != "chat" else name for facts in every for use, name in facts.models.items()
    )
    yield "Model", element("span", *_listed(models)) if models else "not known"
    yield from _cells(found.study)
    calls, tokens, dollars = _spending(found)
    yield "Calls", "not known" if calls is None else f"{calls:,}"
    yield "Tokens", "not known" if tokens is None else f"{tokens:,}"
    yield "Dollars", "not known" if dollars is None else f"${dollars:,.2f}"
    yield from _study_facts(found.study)


def _cells(study: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield how many of a study's cells came to their end, and which did not, unless all of them did."""
    cells = _of_study(study)
    broken = [cell for cell in cells if cell.get("state") != "done"]
    if broken:
        named = [f"{cell.get('arm')}, seed {cell.get('seed')} ({cell.get('state')})" for cell in broken[:_BROKEN]]
        more = f"; and {len(broken) - _BROKEN} more" if len(broken) > _BROKEN else ""
        yield "Cells", f"{len(cells) - len(broken)} of {len(cells)}; broken: {'; '.join(named)}{more}"


def _of_study(study: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the cells that the study's manifest tells of."""
    cells = study.get("cells")
    return [cell for cell in cells if isinstance(cell, Mapping)] if isinstance(cells, list) else []


def _spending(found: ReportContents) -> tuple[int | None, int | None, float | None]:
    """Return calls, tokens and dollars: of all cells with their interviews in a study, else of the runs."""
    calls, tokens, dollars = spending_of(found.lives)
    counted = [cell for cell in _of_study(found.study) if _is_counted(cell)]
    if not counted:
        return calls, tokens, dollars
    every = sum(cell["calls"] for cell in counted)
    used = sum(cell["tokens_in"] + cell["tokens_out"] for cell in counted)
    return every, used, None if dollars is None else sum(cell["dollars"] for cell in counted)


def _is_counted(cell: Mapping[str, Any]) -> bool:
    return all(isinstance(cell.get(key), int | float) for key in ("calls", "tokens_in", "tokens_out", "dollars"))


def _study_facts(study: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what only the study's own manifest knows."""
    if isinstance(study.get("design"), str):
        yield "Design", _DESIGNS.get(study["design"], study["design"])
    shared = study.get("shared")
    share = shared.get("share") if isinstance(shared, Mapping) else None
    if isinstance(share, int | float) and 0 <= share <= 1:
        yield "Calls shared", f"{100 * share:.1f} % are the same in several cells: with a paid model they are paid once"


def _listed(names: Mapping[str, None]) -> list[Element | str]:
    """Return the names with commas between them."""
    parts: list[Element | str] = []
    for name in names:
        parts += [", ", name_of(name)] if parts else [name_of(name)]
    return parts


def _numbers(seeds: list[int]) -> str:
    """Return whole numbers, runs of them as ranges."""
    ranges: list[list[int]] = []
    for seed in seeds:
        if ranges and seed == ranges[-1][1] + 1:
            ranges[-1][1] = seed
        else:
            ranges.append([seed, seed])
    return ", ".join(str(a) if a == b else f"{a}, {b}" if b == a + 1 else f"{a} to {b}" for a, b in ranges)


def _range(values: list[float]) -> str:
    low, high = min(values), max(values)
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def _footer(figures: Figures) -> Element:
    key = None
    if figures.substitutes:
        pairs = [part for shown, name in figures.substitutes.items() for part in (f"{shown} = ", name_of(name), "; ")]
        key = element("p", "Names that the figures' letters lack: ", *pairs[:-1])
    own = "This page loads nothing and runs no script. The figures stand as PNG and SVG in the folder plots beside it."
    return element("footer", key, element("p", own))


def _sheet() -> str:
    return (files("sim.views.report") / "page.css").read_text(encoding="utf-8")
