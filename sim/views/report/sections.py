"""The report's sections, each a heading with figures, tables and the sentences that go with them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from xml.etree.ElementTree import Element

from sim.analysis.compare import Row
from sim.analysis.compare.paper_table import paper_rows
from sim.analysis.compare.table import possible
from sim.analysis.measures.knowledge import Diffusion
from sim.analysis.measures.network import Snapshot
from sim.analysis.measures.timeline import Period
from sim.scenario.measure_names import Description, describe
from sim.times import label as time_label
from sim.views.markup import element, name_of
from sim.views.plots import acquaintance, cascade, diffusion_curve, dot_plot, importance_timeline
from sim.views.plots.chart_page import Panel
from sim.views.report import tables
from sim.views.report.contents import ReportContents, Run
from sim.views.report.figures import Figures

_NOTES = 10  # that are shown at once
_CLAIMS = 8  # of one arm that are named; the tables hold all
_NETWORK = 3.5  # inches of a small network


class Section(NamedTuple):
    """A part of the report that can be reached from its head."""

    id: str
    title: str
    body: list[Element]


def sections(found: ReportContents, figures: Figures) -> list[Section]:
    """Return all sections that have something to show."""
    parts = [
        Section("short", "In short", list(_short(found))),
        Section("measures", "Measures", list(measures(found, figures))),
        Section("table", "All measures", [tables.overview_table(found.comparison)]),
        Section("paper", "Beside the paper", [tables.paper_table(paper_rows(found.comparison))]),
        Section("diffusion", "How news spread", list(_diffusion(found, figures))),
        Section("told", "Who told whom", list(_told(found, figures))),
        Section("came", "Who came", list(_came(found))),
        Section("network", "Who knows whom", list(_networks(found, figures))),
        Section("reflection", "Importance totals and reflections", list(_reflections(found, figures))),
        Section("parting", "Where runs part", list(_divergences(found))),
        Section("runs", "The runs", list(_runs(found))),
    ]
    return [part for part in parts if part.body]


def _short(found: ReportContents) -> Iterator[Element]:
    """Yield what can be claimed, and what a reader must know before believing it."""
    claimed = [row for row in found.comparison.rows if row.difference is not None and row.difference.claimed]
    leaning = [row for row in found.comparison.rows if _leans(row) and not row.exploratory]
    if claimed:
        said = f"Compared with {found.comparison.baseline}, after correction for {found.comparison.claims} claims:"
        yield element("p", said)
        yield element("ul", *_claims(claimed), class_="points")
    elif len(found.arms) > 1:
        yield element("p", "No difference between the arms can be claimed from these runs.")
    if leaning:
        yield element("p", "Not claimed, but the 95 % interval of the difference, taken alone, excludes 0:")
        yield element("ul", *_claims(leaning), class_="points")
    yield from _notes(found.comparison.notes)


def _leans(row: Row) -> bool:
    found = row.difference
    if found is None or found.interval is None or found.claimed:
        return False
    return found.interval.excludes_zero


def _notes(notes: Sequence[str]) -> Iterator[Element]:
    points = [element("li", note) for note in notes]
    if points:
        yield element("h3", "To be known when reading")
        yield element("ul", *points[:_NOTES], class_="points")
    if len(points) > _NOTES:
        yield element("details", element("summary", f"{len(points) - _NOTES} more"), element("ul", *points[_NOTES:]))


def _claims(rows: Sequence[Row]) -> Iterator[Element]:
    """Yield a point for each arm with all that is claimed of it."""
    by_arm: dict[str, list[str]] = {}
    for row in rows:
        if row.difference is not None:
            about = describe(row.measure)
            by_arm.setdefault(row.arm, []).append(f"{about.title} {tables.signed(about, row.difference.mean)}")
    for arm, said in by_arm.items():
        yield element(
            "li", element("strong", name_of(arm)), f": {'; '.join(said[:_CLAIMS])}{_more(len(said) - _CLAIMS)}"
        )


def _more(count: int) -> str:
    return f"; and {count} more" if count > 0 else ""


def measures(found: ReportContents, figures: Figures) -> Iterator[Element]:
    """Yield a heading for each theme, with a figure for each measure, the statistics, and what does not apply."""
    by_theme: dict[str, list[str]] = {}
    for measure in found.comparison.measures:
        by_theme.setdefault(describe(measure).theme, []).append(measure)
    by_measure: dict[str, list[Row]] = {}
    for row in found.comparison.rows:
        by_measure.setdefault(row.measure, []).append(row)
    for number, (theme, names) in enumerate(by_theme.items()):
        yield element("h3", theme)
        moving = [measure for measure in names if _varies(by_measure[measure])]
        panels = [_dots(by_measure[measure], figures) for measure in moving]
        if panels:
            stem = f"measures_{number + 1}_{_stem(theme)}"
            yield figures.show(stem, f"{theme}, by arm", panels, dot_plot.KEY)
        yield from _still([by_measure[measure] for measure in names if measure not in moving])
        shown = [tables.measure_table(by_measure[measure], found.comparison.baseline) for measure in names]
        yield element("details", element("summary", f"{theme}: the statistics"), *shown)
    lacking = _lacking(found)
    if lacking:
        points = (element("li", f"{describe(name).title}: {why}") for name, why in lacking.items())
        yield element(
            "details", element("summary", "Measures that apply to none of these runs"), element("ul", *points)
        )


def _varies(rows: Sequence[Row]) -> bool:
    return len({value for row in rows for _, value in row.values}) > 1


def _still(measures: Sequence[Sequence[Row]]) -> Iterator[Element]:
    """Yield what is to be said of measures that have one value: in every run, or in those to which they apply."""
    by_place: dict[str, list[str]] = {}
    for rows in measures:
        by_place.setdefault(_where(rows), []).append(_constant(rows))
    for where, said in by_place.items():
        yield element("p", f"{where}: {'; '.join(said)}.", class_="faint")


def _where(rows: Sequence[Row]) -> str:
    having = [row.arm for row in rows if row.n]
    if all(row.n == row.runs for row in rows):
        return "The same in every run"
    return f"Of {having[0]} alone" if len(having) == 1 else "The same wherever there is a value"


def _constant(rows: Sequence[Row]) -> str:
    about = describe(rows[0].measure)
    value = next(value for row in rows for _, value in row.values)
    return f"{about.title} {about.format(value)}"


def _dots(rows: Sequence[Row], figures: Figures) -> Panel:
    about = describe(rows[0].measure)
    lines = [
        dot_plot.ArmDots(figures.arms[row.arm], tuple(value for _, value in row.values), row.mean,
                     possible(row.interval, about), row.runs - row.n)
        for row in rows
    ]  # fmt: skip
    return dot_plot.dots_panel(figures.plain(about.title), lines, about.format, _meaning(about))


def _meaning(about: Description) -> str:
    counted = about.meaning or about.unit
    unit = f" ({about.unit})" if about.meaning and about.unit not in ("share", "hours", "dollars", "") else ""
    return f"{counted[:1].upper()}{counted[1:]}{unit}." if counted else ""


def _lacking(found: ReportContents) -> dict[str, str]:
    """Return the measures that no run has a value for, and why."""
    names = dict.fromkeys(name for run in found.runs for name in run.measured.numbers)
    why: dict[str, str] = {}
    for name in names:
        if name not in found.comparison.measures:
            reasons = dict.fromkeys(run.measured.reasons.get(name, "no value") for run in found.runs)
            why[name] = "; ".join(reasons)
    return why


def _diffusion(found: ReportContents, figures: Figures) -> Iterator[Element]:
    for number, (name, ask) in enumerate(_things(found).items(), 1):
        yield element("h3", name_of(name))
        yield element("p", ask, class_="faint")
        lived = found.lived()
        curves = {arm: [_curve(run, name) for run in runs] for arm, runs in lived.items()}
        first = next(iter(curves))
        base = diffusion_curve.mean_curve(curves[first])
        panels = [
            diffusion_curve.diffusion_panel(
                figures.arms[arm], curves[arm], _people(runs), _lived(runs), base if arm != first else None
            )
            for arm, runs in lived.items()
        ]
        key = f"━ mean of an arm · thin: its single runs · ┄ mean of {first}"
        yield figures.show(f"diffusion_{number}_{_stem(name)}", f"Who knows of {name}, over time", panels, key)


def _things(found: ReportContents) -> dict[str, str]:
    """Return what can be known, with the question that asks for it."""
    return {one.name: one.ask for run in found.runs for one in run.measured.diffusion}


def _curve(run: Run, name: str) -> diffusion_curve.Curve:
    news = _news(run, name)
    return diffusion_curve.Curve(news.curve() if news else ())


def _news(run: Run, name: str) -> Diffusion | None:
    return next((one for one in run.measured.diffusion if one.name == name), None)


def _told(found: ReportContents, figures: Figures) -> Iterator[Element]:
    shown = found.shown()
    for number, name in enumerate(_things(found), 1):
        known = [(run, news) for run in shown if (news := _news(run, name)) is not None]
        panels = [
            cascade.cascade_panel(_with_seed(run, figures), news, _window(run, known), figures.people)
            for run, news in known
        ]
        yield element("h3", name_of(name))
        yield figures.show(f"told_{number}_{_stem(name)}", f"Who told whom of {name}", panels, cascade.KEY)
        lists = [
            part
            for run, news in known
            for part in (element("h4", name_of(run.arm)), tables.written_tree(news.trees(), _clock(run)))
        ]
        yield element("details", element("summary", f"Who told whom of {name}, in words"), *lists)


def _window(run: Run, known: Sequence[tuple[Run, Diffusion]]) -> cascade.Window:
    """Return the time that the tree of *run* shows: the same for all runs that begin at the same time."""
    alike = [(other, news) for other, news in known if other.measured.facts.start == run.measured.facts.start]
    lived = _lived([other for other, _ in alike])
    return cascade.window([news for _, news in alike], lived.start, lived.ends)


def _with_seed(run: Run, figures: Figures) -> str:
    return figures.plain(f"{figures.arms[run.arm]}, seed {run.seed}")


def _came(found: ReportContents) -> Iterator[Element]:
    for name in dict.fromkeys(one.name for run in found.runs for one in run.measured.attendance):
        yield tables.attendance_table(found, name)


def _networks(found: ReportContents, figures: Figures) -> Iterator[Element]:
    panels: list[Panel] = []
    starts: list[Snapshot] = []
    for run in found.shown():
        network = run.measured.network
        if network is None or not network.people:
            continue
        arm = f"{figures.arms[run.arm]}, seed {run.seed}"
        start = network.start
        if not any(start.pairs == other.pairs and start.one_way == other.one_way for other in starts):
            title = figures.plain("At the start" if not starts else f"{arm}, at the start")
            panels.append(acquaintance.network_panel(title, network, start, figures.people, _NETWORK))
            starts.append(start)
        title = figures.plain(f"{arm}, at the end")
        panels.append(acquaintance.network_panel(title, network, network.end, figures.people, _NETWORK))
    if panels:
        yield figures.show("network", acquaintance.TITLE, panels, acquaintance.KEY)


def _reflections(found: ReportContents, figures: Figures) -> Iterator[Element]:
    panels = [
        importance_timeline.importance_panel(
            _with_seed(run, figures), run.measured.reflections, run.measured.facts.people, _lived([run]), figures.people
        )
        for run in found.shown()
        if run.measured.reflections is not None
    ]
    if panels:
        yield figures.show("reflection", "Importance totals and reflections", panels, importance_timeline.KEY)


def _divergences(found: ReportContents) -> Iterator[Element]:
    if found.divergences:
        yield element("p", "Runs of one seed live the same past until the arm makes a difference.")
        yield tables.divergence_table(found.divergences, found.comparison.baseline)


def _runs(found: ReportContents) -> Iterator[Element]:
    arms = found.study.get("arms")
    changes = {str(arm): made for arm, made in arms.items() if made} if isinstance(arms, Mapping) else {}
    if changes:
        yield element("h3", "What each arm changes")
        points = (
            element("li", element("strong", name_of(arm)), f": {_settings(made)}") for arm, made in changes.items()
        )
        yield element("ul", *points, class_="points")
    yield tables.runs_table([run for arm in found.arms for run in found.of(arm)])


def _settings(changes: object, path: str = "") -> str:
    """Return an arm's changes as ``memory.k: 8, mind.planning: no``."""
    if isinstance(changes, Mapping):
        return ", ".join(_settings(value, f"{path}.{key}" if path else str(key)) for key, value in changes.items())
    shown = {True: "yes", False: "no"}.get(changes, str(changes)) if isinstance(changes, bool) else str(changes)
    return f"{path}: {shown}"


def _people(runs: Sequence[Run]) -> int:
    return max((len(run.measured.facts.people) for run in runs), default=0)


def _lived(runs: Iterable[Run]) -> Period:
    facts = [run.measured.facts for run in runs]
    return Period(datetime.fromisoformat(facts[0].start), max(one.ends for one in facts))


def _clock(run: Run) -> tables.Clock:
    start = datetime.fromisoformat(run.measured.facts.start)
    return lambda t: time_label(start, t)


def _stem(name: str) -> str:
    """Return a part of a file's name that every system takes."""
    kept = "".join(c if c.isascii() and c.isalnum() else "_" for c in name.lower()).strip("_")
    return kept[:40] or "x"
