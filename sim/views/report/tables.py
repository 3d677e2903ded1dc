"""The report's tables: what the figures show, in numbers, and what they cannot show."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar
from xml.etree.ElementTree import Element

from sim.analysis.compare import Comparison, Difference, Row
from sim.analysis.compare.paper_table import END_TO_END_NOTE, PaperRow
from sim.analysis.compare.table import possible, possible_change
from sim.analysis.measures.attendance import Attendance
from sim.analysis.measures.knowledge import Bearer, Telling
from sim.scenario.measure_names import Description, describe
from sim.views.markup import element, name_of
from sim.views.report.contents import ReportContents, Run, RunDivergence

_Number = TypeVar("_Number", int, float)
NOTHING = "–"
Clock = Callable[[int], str]
"""Writes a second of the run as town time."""
_HEAD = 60  # letters of a name above a column
_DEEPEST = 40  # levels of a written tree: browsers give up on hundreds


def cell(content: Element | str | None, class_: str | None = None) -> Element:
    """Return one cell of a table's body."""
    return element("td", content, class_=class_)


def head(text: Element | str, class_: str | None = None, scope: str = "col") -> Element:
    """Return one heading of a column, or of a row."""
    return element("th", text, scope=scope, class_=class_)


def table(caption: str, columns: Sequence[Element], *bodies: Iterable[Element]) -> Element:
    """Return a table that can be moved sideways where the window is narrow; each body is a group of rows."""
    made = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *columns)),
        *(element("tbody", *rows) for rows in bodies),
    )
    return element("div", made, class_="wide", tabindex="0", role="region", aria_label=caption)


def measure_table(rows: Sequence[Row], baseline: str) -> Element:
    """Return what the statistics say of one measure."""
    about = describe(rows[0].measure)
    columns = [head(text, "n" if i in (1, 2, 3, 4, 5, 6) else None) for i, text in enumerate(_STATISTICS)]
    lines = [element("tr", head(name_of(row.arm), scope="row"), *_statistics(row, about)) for row in rows]
    return table(f"{about.title}: each arm, and how it differs from {baseline}", columns, lines)


_STATISTICS = (
    "Arm", "Runs", "Mean [95 %]", "Spread", "Difference [95 %]", "Effect", "p, corrected", "What can be said",
)  # fmt: skip


def _statistics(row: Row, about: Description) -> Iterable[Element]:
    runs = str(row.n) if row.n == row.runs else f"{row.n} of {row.runs}"
    yield cell(runs, "n")
    yield cell(_with_interval(about.format(row.mean), possible(row.interval, about), about), "n")
    yield cell(about.format(row.spread), "n")
    found = row.difference
    if found is None:
        yield from (cell(NOTHING, "n") for _ in range(3))
    else:
        yield cell(_difference(found, about), "n")
        effect = f"{found.effect.name} {found.effect.value:+.2f}".replace("-", "−") if found.effect else NOTHING
        yield cell(effect, "n")
        yield cell(_p(found), "n")
    yield cell(row.verdict, "words")


def overview_table(found: Comparison) -> Element:
    """Return all measures of all arms: means, and a star at each difference that can be claimed."""
    by_key = {(row.measure, row.arm): row for row in found.rows}
    columns = [head("Measure"), *(head(name_of(arm, _HEAD), "n") for arm in found.arms)]
    bodies: dict[str, list[Element]] = {}
    for measure in found.measures:
        about = describe(measure)
        unit = element("span", about.unit, class_="sub") if about.unit not in ("share", "hours", "dollars") else None
        cells = [cell(_overview(by_key[measure, arm], about), "n") for arm in found.arms]
        name = element("th", about.title, unit, scope="row")
        bodies.setdefault(about.theme, []).append(element("tr", name, *cells))
    groups = [
        [element("tr", element("th", theme, scope="rowgroup", colspan=str(len(columns)))), *rows]
        for theme, rows in bodies.items()
    ]
    caption = (
        f"Mean of each arm; below it the difference to {found.baseline}. ★: p at most 0.05 after Holm's correction "
        f"for {found.claims} claims"
    )
    return table(caption, columns, *groups)


def _overview(row: Row, about: Description) -> Element:
    found = row.difference
    star = " ★" if found is not None and found.claimed else ""
    below = None if found is None else element("span", f"{signed(about, found.mean)}{star}", class_="sub")
    return element("span", about.format(row.mean), below)


def signed(about: Description, value: float) -> str:
    """Return a difference with its sign."""
    return about.change(value).replace("-", "−")


def _with_interval(text: str, interval: tuple[float, float] | None, about: Description) -> str:
    if interval is None:
        return text
    low, high = (about.format(bound).replace("-", "−") for bound in interval)
    return f"{text} [{low}, {high}]"


def _difference(found: Difference, about: Description) -> str:
    """Return a difference with its interval; of shares in points, said once."""
    text, *unit = signed(about, found.mean).split(" points")
    within = _with_interval(text, possible_change(found.interval, about), about)
    return f"{within.replace(' %', '')} points" if unit else within


def _p(found: Difference) -> str:
    if found.p_holm is None:
        return NOTHING
    shown = "< 0.001" if found.p_holm < 0.001 else f"{found.p_holm:.3f}"
    return f"{shown} ★" if found.claimed else shown


def divergence_table(divergences: Sequence[RunDivergence], baseline: str) -> Element:
    """Return where each run leaves the baseline's run of its seed, and what happens there in both."""
    columns = [head("Arm"), head("Seed", "n"), head("Events shared", "n"), head("First difference"),
               head(f"In {baseline}"), head("In this arm")]  # fmt: skip
    rows = [
        element(
            "tr", head(name_of(one.arm), scope="row"), cell(str(one.seed), "n"),
            *((cell(f"{one.shared:,}", "n"), cell(one.when), cell(one.baseline, "words"), cell(one.other, "words"))
              if one.when else (cell("all", "n"), cell("none: they tell the same"), cell(NOTHING), cell(NOTHING))),
        )
        for one in divergences
    ]  # fmt: skip
    return table(f"Where each run parts from the run of {baseline} with the same seed", columns, rows)


def paper_table(rows: Sequence[PaperRow]) -> Element:
    """Return the paper's figures beside one's own."""
    columns = [head("Figure"), head("Ours, mean [95 %]", "n"), head("Paper")]
    lines = [element("tr", head(row.figure, scope="row"), cell(row.ours, "n"), cell(row.paper)) for row in rows]
    return table(f"Figures of Park et al. 2023 beside those of the baseline. {END_TO_END_NOTE}", columns, lines)


def attendance_table(found: ReportContents, name: str) -> Element:
    """Return who was invited to something, promised and came, and why others did not, over all runs of each arm."""
    columns = [head("Arm"), head("Runs", "n"), *(head(text, "n") for text in ("Invited", "Promised", "Came")),
               head("Of those expected who did not come")]  # fmt: skip
    rows = []
    for arm, runs in found.lived().items():
        each = [one for run in runs for one in run.measured.attendance if one.name == name]
        rows.append(element("tr", head(name_of(arm), scope="row"), cell(str(len(each)), "n"), *_coming(each)))
    return table(f"{name}: residents a run, in the mean", columns, rows)


def _coming(each: Sequence[Attendance]) -> Iterable[Element]:
    guests = [guest for one in each for guest in one.guests]
    for count in (
        sum(guest.invited is not None for guest in guests),
        sum(guest.promised for guest in guests),
        sum(guest.came is not None for guest in guests),
    ):
        yield cell(f"{count / len(each):.1f}" if each else NOTHING, "n")
    reasons: dict[str, int] = {}
    for one in each:
        for reason, times in one.reasons().items():
            reasons[reason] = reasons.get(reason, 0) + times
    ranked = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    yield cell("; ".join(f"{reason} {times / len(each):.1f}" for reason, times in ranked) or NOTHING, "words")


def runs_table(runs: Sequence[Run]) -> Element:
    """Return which runs the report rests on."""
    columns = [head("Arm"), head("Seed", "n"), head("Folder"), head("Scenario"), head("Ended"), head("Calls", "n"),
               head("Tokens", "n"), head("Dollars", "n")]  # fmt: skip
    return table("The runs of this report", columns, [_run(run) for run in runs])


def _run(run: Run) -> Element:
    facts, spent = run.measured.facts, run.measured.spending
    calls, tokens, dollars = spending_of([run])
    return element(
        "tr", head(name_of(run.arm), scope="row"), cell(str(run.seed), "n"), cell(element("code", facts.path)),
        cell(name_of(facts.scenario)), cell("yes" if facts.complete else f"no ({facts.state or 'broken off'})"),
        cell(_count(calls), "n"), cell(_count(tokens), "n"),
        cell(NOTHING if dollars is None or spent is None else f"${dollars:,.2f}", "n"),
    )  # fmt: skip


def spending_of(runs: Sequence[Run]) -> tuple[int | None, int | None, float | None]:
    """Return calls, tokens and dollars of all the runs together; None for what is not known of one of them."""
    spent = [run.measured.spending for run in runs]
    calls = [None if one is None else one.calls for one in spent]
    tokens = [
        None if one is None or one.tokens_in is None or one.tokens_out is None else one.tokens_in + one.tokens_out
        for one in spent
    ]
    dollars = [None if one is None else one.dollars for one in spent]
    return _whole(calls), _whole(tokens), _whole(dollars)


def _whole(values: Sequence[_Number | None]) -> _Number | None:
    known = [value for value in values if value is not None]
    return sum(known[1:], known[0]) if known and len(known) == len(values) else None


def _count(value: int | None) -> str:
    return NOTHING if value is None else f"{value:,}"


def written_tree(trees: Sequence[Telling], times: Clock) -> Element:
    """Return who told whom as lists within lists."""
    return element("ul", *(_written(tree, times, 1) for tree in trees), class_="tree")


def _written(tree: Telling, times: Clock, depth: int) -> Element:
    told = [_written(inner, times, depth + 1) for inner in tree.told] if depth < _DEEPEST else []
    below = element("ul", *told) if told else None
    cut = f" (and {len(tree.told)} more below)" if tree.told and not told else None
    return element("li", name_of(tree.bearer.who), f", {_how(tree.bearer)} {times(tree.bearer.t)}", cut, below)


def _how(bearer: Bearer) -> str:
    words = {"before": "from the start,", "thought": "by own thought,", "happened": "saw it happen,",
             "told": "told", "overheard": "overheard", "concluded": "concluded,"}  # fmt: skip
    return words.get(bearer.how, f"{bearer.how},")
