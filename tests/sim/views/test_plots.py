"""The charts of a run: files, labels in any script, time axis."""

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.errors import RunError, TownError
from sim.log.events import (
    Arrived,
    Event,
    Left,
    Placed,
    Reflected,
    Remembered,
    RunEnded,
    RunStarted,
    Slept,
    TalkEnded,
    TalkStarted,
    Woke,
)
from sim.views.plots import plot_run
from sim.views.plots.style import PALETTE, fill, time_ticks

pytestmark = pytest.mark.slow

NAMES = ["importance_totals", "reflection_times", "places", "diffusion", "who_told_whom", "acquaintance"]
HOUR = 3600
Log = list[tuple[int, Event]]


def started(people: list[str], **changes: Any) -> RunStarted:
    places = {"cafe": {"name": "Old Cafe"}, "flat": {"name": "Ann's flat"}}
    values: dict[str, Any] = {
        "t": 0, "format": 1, "scenario": "Small town", "start": "2023-02-13T06:00:00", "until": 18 * HOUR,
        "people": {name: {} for name in people}, "places": places, "seed": 7, "arm": "full",
        "reflect_above": 150,
    }  # fmt: skip
    return RunStarted(**(values | changes))


def day_of(who: str) -> list[Event]:
    """Return a short day of one resident with everything that a chart shows."""
    return [
        Placed(t=0, who=who, place="flat"), Woke(t=HOUR, who=who, place="flat"),
        Left(t=2 * HOUR, who=who, place="flat", to="cafe", arrives=2 * HOUR + 600),
        Arrived(t=2 * HOUR + 600, who=who, place="cafe"),
        TalkStarted(t=3 * HOUR, talk=who, who=who, to=["Guest"], place="cafe"),
        TalkEnded(t=3 * HOUR + 60, talk=who, who=who, to=["Guest"], place="cafe", reason="goodbye", turns=2),
        Remembered(t=4 * HOUR, who=who, id=1, memory_kind="talk", text="x", importance=8, total=155),
        Reflected(t=4 * HOUR, who=who, total=155, questions=["?"], insights=[2, 3], dropped=0),
        Slept(t=16 * HOUR, who=who, place="cafe"),
    ]  # fmt: skip


def log_of(*people: str) -> Log:
    events = sorted((event for who in people for event in day_of(who)), key=lambda event: event.t)
    return list(enumerate([*events, RunEnded(t=18 * HOUR, reason="")]))


def plot(out: Path, *people: str, formats: tuple[str, ...] = ("svg",)) -> list[Path]:
    return plot_run(started(list(people)), log_of(*people), out, formats)


def texts_drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that will hold each text of the charts saved from now on, chart by chart, its title first."""
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    drawn: list[str] = []
    save = Figure.savefig

    def savefig(self: Figure, *args: Any, **more: Any) -> None:
        save(self, *args, **more)
        texts = [text for part in (*self.texts, *self.axes, *self.legends) for text in part.findobj(Text)]
        drawn.extend(text.get_text() for text in texts if isinstance(text, Text) and text.get_visible())

    monkeypatch.setattr(Figure, "savefig", savefig)
    return drawn


def test_six_charts_are_written_in_both_formats(tmp_path: Path) -> None:
    """A run gives six charts, as PNG and as SVG, and nothing is left beside them."""
    written = plot(tmp_path / "plots", "Ann", "Ben", formats=("png", "svg"))
    assert [path.name for path in written] == [f"{name}.{kind}" for name in NAMES for kind in ("png", "svg")]
    assert sorted(written) == sorted((tmp_path / "plots").iterdir())
    assert all(path.read_bytes()[:4] in (b"\x89PNG", b"<?xm") for path in written)


def test_same_log_gives_the_same_bytes(tmp_path: Path) -> None:
    """Charts hold no time and no random ids."""
    one = plot(tmp_path / "one", "Ann", "Ben", formats=("png", "svg"))
    other = plot(tmp_path / "other", "Ann", "Ben", formats=("png", "svg"))
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in other]


def test_charts_name_residents_places_and_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names, places, counts and the run's own figures stand in the charts; so does an unlisted guest."""
    drawn = texts_drawn(monkeypatch)
    plot(tmp_path, "Ann", "Ben")
    title = "Small town · 3 residents · reflection threshold 150 · Mon 13 Feb 06:00 to Tue 14 Feb 00:00"
    assert {"Ann", "Ben", "Old Cafe", "Ann's flat", "1 reflection", "pale: asleep", title} <= set(drawn)


ODD = [
    "林美",
    "ليلى",
    "Bob 🙂",
    "$$",
    "_x",
    "$x^2$ \\frac",
    "a\nb\tc",
    "",
    "x" * 300,
    "\u202eevil",
    "\x00",
    "👩‍🚀",
]


def test_pu01_pu08_odd_names_make_one_warning_at_most(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """PU-01, PU-08: no script, sign or control character crashes a chart; there is one warning at most."""
    with caplog.at_level(logging.WARNING):
        plot(tmp_path, *ODD, formats=("png", "svg"))
    assert len(caplog.records) <= 1
    assert all(path.stat().st_size > 1000 for path in tmp_path.iterdir())


def test_pu01_name_that_no_font_has_gets_a_substitute_and_a_key() -> None:
    """PU-01: a name without glyphs becomes a number that the key explains; a lost sign costs no name."""
    typesetter = _typesetter("Latin", "abcdefghijklmnopqrstuvwxyzBR 0123456789=\\()")
    shown = typesetter.names(["ab", "林美", "Bob 🙂"], "Resident")
    assert shown == ["ab", "Resident 2", "Bob"]
    assert typesetter.key == [r"Resident 2 = \u6797\u7f8e", r"Bob = Bob \U0001f642"]


def test_pu01_fallback_font_is_used_where_there_is_one() -> None:
    """PU-01: matplotlib is given the fonts that hold the names' characters, and only those."""
    from sim.views.plots.text import Font, Typesetter

    fonts = [
        Font("Latin", {ord(c) for c in "ab "}),
        Font("Han", {ord(c) for c in "林美"}),
        Font("Other", {1}),
    ]
    typesetter = Typesetter(iter(fonts))
    families = [(typesetter.names([name], "R"), typesetter.families)[1] for name in ("ab", "ab 林", "美")]
    assert families == [["Latin"], ["Latin", "Han"], ["Latin", "Han"]]
    assert not typesetter.key


def _typesetter(family: str, characters: str) -> Any:
    from sim.views.plots.text import Font, Typesetter

    return Typesetter(iter([Font(family, {ord(c) for c in characters})]))


def test_pu06_twins_stay_apart_and_numbers_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PU-06: names that look the same once cleaned are told apart; numeric names keep the given order."""
    drawn = texts_drawn(monkeypatch)
    plot(tmp_path, "10", "9", "Ann", "Ann\n", "Ann ")
    shown = [text for text in dict.fromkeys(drawn) if text in {"10", "9"} or text.startswith("Ann")]
    assert shown[:5] == ["10", "9", "Ann", "Ann (2)", "Ann (3)"]


@given(st.lists(st.text(max_size=40), max_size=8))
def test_pu06_labels_are_distinct_whatever_the_names(names: list[str]) -> None:
    """PU-06, PU-08: labels are one line each, never empty, and all different."""
    texts = _typesetter("Latin", "".join(map(chr, range(32, 127)))).names(names, "Resident")
    assert len(set(texts)) == len(names)
    assert all(text and len(text.splitlines()) == 1 for text in texts)


@pytest.mark.parametrize(
    "log", [[], [(0, RunEnded(t=0, reason="killed"))], [(0, Placed(t=0, who="Ann", place="cafe"))]]
)
@pytest.mark.parametrize("people", [[], ["Ann"]], ids=["nobody", "Ann"])
def test_pu07_nothing_to_plot_says_no_data(
    log: Log, people: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PU-07, RP-08: charts of an empty run say "no data", without NaN."""
    drawn = texts_drawn(monkeypatch)
    plot_run(started(people), log, tmp_path, ("svg",))
    assert drawn.count("no data") == 6
    assert not any("nan" in text.lower() for text in drawn)


def test_rp08_empty_log_has_no_events_to_draw(tmp_path: Path) -> None:
    """RP-08: a log without its first line says "no events" and leaves no files."""
    with pytest.raises(RunError, match="no events"):
        plot_run(None, [], tmp_path)
    assert not list(tmp_path.iterdir())


def test_pu05_no_figure_stays_open(tmp_path: Path) -> None:
    """PU-05: charts never enter pyplot's list of open figures."""
    plot(tmp_path, "Ann")
    pyplot = sys.modules.get("matplotlib.pyplot")
    assert pyplot is None or not pyplot.get_fignums()


def test_pu04_worker_threads_can_plot(tmp_path: Path) -> None:
    """PU-04: threads that plot at once get the files that a lone one gets."""
    alone = plot(tmp_path / "alone", "Ann", "$$")
    threads = [threading.Thread(target=plot, args=(tmp_path / str(i), "Ann", "$$")) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i in range(3):
        assert [(tmp_path / str(i) / path.name).read_bytes() for path in alone] == [p.read_bytes() for p in alone]


def test_pu04_pk08_hostile_environment(tmp_path: Path) -> None:
    """PU-04, PK-08: a GUI backend without display, unwritable settings and an odd path do not matter."""
    out = tmp_path / "My Rüns #1"
    program = (
        "import sys; from pathlib import Path; from sim.log.events import *; from sim.views.plots import plot_run\n"
        "started = RunStarted(t=0, format=1, scenario='s', start='2023-02-13T06:00', until=9,"
        " people={'A': {}}, places={}, seed=1, arm='full', reflect_above=150)\n"
        "events = [(0, Placed(t=0, who='A', place='p')), (1, RunEnded(t=9, reason=''))]\n"
        "plot_run(started, events, Path(sys.argv[1]))"
    )
    environment = {k: v for k, v in os.environ.items() if k != "DISPLAY"}
    environment |= {
        "MPLBACKEND": "TkAgg",
        "MPLCONFIGDIR": os.devnull + "/x",
        "PYTHONUTF8": "0",
        "LC_ALL": "C",
    }
    done = subprocess.run(
        [sys.executable, "-c", program, str(out)], env=environment, cwd=Path(__file__).parents[3],
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert len(list(out.iterdir())) == 12


def test_users_own_settings_do_not_matter(tmp_path: Path) -> None:
    """A dark style or another font size in the user's settings changes nothing, and stays as it was."""
    import matplotlib

    plain = plot(tmp_path / "plain", "Ann")
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "black", "svg.hashsalt": "mine"}):
        styled = plot(tmp_path / "styled", "Ann")
        assert matplotlib.rcParams["font.size"] == 30
    assert [path.read_bytes() for path in plain] == [path.read_bytes() for path in styled]


def test_pk07_missing_matplotlib_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PK-07: without matplotlib the error says how to get it."""
    monkeypatch.delitem(sys.modules, "sim.views.plots.charts", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(TownError, match="pip install matplotlib"):
        plot(tmp_path, "Ann")


def test_unknown_format_is_refused(tmp_path: Path) -> None:
    """A format that there is no writer for is an error that lists the others."""
    with pytest.raises(TownError, match=r"no chart format 'gif' \(there is: png, svg\)"):
        plot(tmp_path, "Ann", formats=("gif",))


def test_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    """A file in the place of the folder is an error that names it."""
    (tmp_path / "plots").write_text("")
    with pytest.raises(RunError, match="cannot write the charts to"):
        plot(tmp_path / "plots", "Ann")


def test_log_is_read_once(tmp_path: Path) -> None:
    """A log that can only be read once is enough."""
    events: Iterator[tuple[int, Event]] = iter(log_of("Ann"))
    assert len(plot_run(started(["Ann"]), events, tmp_path, ("svg",))) == 6


def test_ticks_show_hours_and_name_each_day() -> None:
    """On a long axis ticks are round hours, and each day's first tick has the date below."""
    ticks = time_ticks(datetime(2023, 2, 13, 6), 42 * HOUR, 12)
    labels = {tick.t // HOUR: tick.label for tick in ticks}
    assert labels[0] == "06:00\nMon 13 Feb"
    assert labels[2] == "08:00"
    assert labels[18] == "00:00\nTue 14 Feb"


@given(st.integers(0, 400 * 24 * HOUR), st.integers(0, 86399), st.floats(1, 14))
def test_ticks_are_few_enough_for_their_axis(ends: int, second: int, inches: float) -> None:
    """Whatever the span, labels have room, and ticks lie on the axis in order."""
    start = datetime(2023, 2, 13) + timedelta(seconds=second)
    times = [tick.t for tick in time_ticks(start, ends, inches)]
    assert times == sorted(set(times))
    assert all(0 <= t <= ends for t in times)
    assert 1 <= len(times) <= inches / 0.5 + 1


def test_fills_are_all_different() -> None:
    """A hundred places look different, the first 24 by colour alone."""
    assert len(set(PALETTE)) == len(PALETTE) == 24
    assert len({fill(i) for i in range(100)}) == 100
    assert all(not fill(i).hatch for i in range(24))
