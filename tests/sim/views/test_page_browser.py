"""The replay page in a real browser: it plays, can be asked, and takes nothing that a run holds for code."""

import json
import math
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sim.log.events import (
    Decided,
    Event,
    Happened,
    Left,
    Planned,
    Reflected,
    Started,
    TalkEnded,
    TalkStarted,
    ThingChanged,
    Woke,
    to_line,
)
from sim.log.relationship_events import RelationChanged
from sim.log.run_folder import Run, open_run
from sim.scenario import loads
from sim.views.page import bundle, write_page
from sim.views.page.bundle import page as view_page
from sim.views.page.payload import PagePayload
from tests.lives import VILLAGE, live
from tests.small_logs import ADA, BO, CY, begun, ended, folder_of, keeps, placed, says

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
playwright_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra dev)")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")]

HOSTILE = "<script>window.broken = 1</script><img src=x onerror='window.broken = 2'>\"&lt;"
TURNED = "abc \u202egnorw\u2066 \u05e9\u05dc\u05d5\u05dd"
Open = Callable[..., Any]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    with playwright_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@pytest.fixture
def show(browser: Any) -> Iterator[Open]:
    """Open a file in a fresh window; at the end nothing may have gone wrong or been asked for over a network."""
    troubles: list[str] = []
    contexts = []

    def opened(path: Path, address: str = "", *, width: int = 1280, height: int = 800, **context: Any) -> Any:
        contexts.append(browser.new_context(viewport={"width": width, "height": height}, **context))
        page = contexts[-1].new_page()
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("dialog", lambda dialog: troubles.append(dialog.message))
        page.on("request", lambda asked: troubles.extend([] if asked.url[:5] in ("file:", "data:") else [asked.url]))
        page.goto(f"{path.as_uri()}{address}")
        page.wait_for_selector("html[data-ready]", state="attached")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert troubles == []


@pytest.fixture(scope="module")
def fenwick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a small town's run of two days."""
    folder = tmp_path_factory.mktemp("browser") / "fenwick"
    live(VILLAGE, folder)
    manifest = {"scenario": json.loads(loads(VILLAGE).to_json()), "state": "done"}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return write_page([open_run(folder)])


def morning(*more: Event, extra: dict[str, Any] | None = None) -> tuple[Event, ...]:
    """Return the log of a morning on which Ada talks with Bo, and what else is given."""
    blocks = [{"t": 100, "until": 3000, "place": "mill", "do": "grinding corn"}]
    events: list[Event] = [
        begun(**(extra or {})), *placed((ADA, "inn"), (BO, "inn"), (CY, "mill")),
        Woke(t=100, who=ADA, place="inn"), Planned(t=100, who=ADA, blocks=blocks, reason="It is Monday."),
        Started(t=110, who=ADA, do="baking bread", place="inn", until=900),
        TalkStarted(t=600, talk="one", who=ADA, to=[BO], place="inn"),
        replace(says(600, ADA, BO, "The fair is in May."), talk="one"),
        replace(says(620, BO, ADA, "So I heard."), talk="one"),
        TalkEnded(t=640, talk="one", who=ADA, to=[BO], place="inn", reason="over", turns=2), *more,
    ]  # fmt: skip
    return tuple(sorted(events, key=lambda event: event.t))


def shown(tmp_path: Path, *events: Event, **manifest: Any) -> Path:
    """Return the page of a log."""
    return write_page([folder_of(tmp_path / "run", *events, **manifest)])


def until(page: Any, condition: str) -> None:
    """Wait until a JavaScript condition holds; the browser's own waiting would need eval, which the page forbids."""
    for _ in range(200):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(30)
    pytest.fail(f"never came true: {condition} (the page shows {clock(page)})")


def clock(page: Any) -> str:
    """Return the time that the page shows."""
    return str(page.text_content("#now"))


def test_the_map_is_painted(show: Open, fenwick: Path) -> None:
    """The page opens from a file without a complaint, and there is a town on its map."""
    page = show(fenwick)
    page.wait_for_timeout(200)
    colors = page.evaluate(
        "() => { const c = document.querySelector('canvas.map'); const d = c.getContext('2d')"
        ".getImageData(0, 0, c.width, c.height).data; const seen = new Set();"
        "for (let i = 0; i < d.length; i += 404) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return seen.size; }"
    )
    assert page.text_content("h1") == "Fenwick"
    assert colors > 8


def test_time_passes_while_it_plays_and_only_then(show: Open, fenwick: Path) -> None:
    """The space bar starts the clock and stops it."""
    page = show(fenwick, "#t=2031-05-05T12:00:00")
    page.keyboard.press("Space")
    until(page, "document.getElementById('now').textContent > 'Mon 5 May 12:03'")
    page.keyboard.press("Space")
    stopped = clock(page)
    page.wait_for_timeout(150)
    assert clock(page) == stopped
    assert str(page.text_content("#said")).startswith("Paused at")


def test_the_slider_moves_the_time(show: Open, fenwick: Path) -> None:
    """Keys and clicks on the strip move the clock, and the slider says the time in words."""
    page = show(fenwick, "#t=2031-05-05T12:00:00")
    page.focus("#scrub")
    page.keyboard.press("ArrowRight")
    until(page, "document.getElementById('now').textContent === 'Mon 5 May 12:01'")
    assert page.get_attribute("#scrub", "aria-valuetext") == "Mon 5 May 12:01"
    box = page.locator("#scrub").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 12, box["y"] + 10)
    until(page, "document.getElementById('now').textContent > 'Tue 6 May 22:00'")


def test_the_address_holds_the_moment(show: Open, fenwick: Path) -> None:
    """A moment and what is looked at can be linked to: the address leads back to both."""
    page = show(fenwick, "#t=2031-05-06T15:30:00&view=person&who=Tilda+Roe&tab=plan")
    assert clock(page) == "Tue 6 May 15:30"
    assert page.text_content("#view h2") == "Tilda Roe"
    page.keyboard.press("Shift+ArrowLeft")
    until(page, "location.hash.includes('t=2031-05-06T14:30:00')")
    page.reload()
    page.wait_for_selector(".plan .current")
    assert clock(page) == "Tue 6 May 14:30"


def test_an_act_is_explained(show: Open, fenwick: Path) -> None:
    """One click leads from a resident to the situation, the scored memories, the prompt and the reply."""
    page = show(fenwick, "#t=2031-05-05T15:30:00&view=person&who=Tilda+Roe")
    page.click("#view button.main")
    page.wait_for_selector("#view pre >> nth=0", state="attached")
    titles = page.eval_on_selector_all("#view h3", "all => all.map((one) => one.textContent)")
    assert {"Situation", "Decided", "Done", "Recalled", "Prompt and reply"} <= set(titles)
    assert page.locator("#view .hits .bar.recency").count() > 0
    log = [json.loads(line) for line in (fenwick.parent / "calls.jsonl").read_text(encoding="utf-8").splitlines()]
    assert page.locator("#view .call pre").last.text_content() in {call["reply"] for call in log}


def test_an_act_gone_on_with_leads_to_its_choice_and_its_plan(show: Open, tmp_path: Path) -> None:
    """After a talk the same act has no thought of its own: its choice is opened, and its block of the plan named."""
    chose = Decided(t=110, who=ADA, prompt="agent_action", call="c1", decision={"do": "grinding corn"})
    summed = Decided(t=640, who=ADA, prompt="talk_summary", call="c2", decision={"summary": "We talked."})
    again = Started(t=640, who=ADA, do="grinding corn", place="mill", until=900)
    page = show(shown(tmp_path, *morning(chose, summed, again)), "#t=2031-05-05T06:12:00&view=person&who=Ada+Ash")
    assert "By the plan, 06:01 to 06:50: grinding corn, at the Mill; planned" in page.text_content("#view")
    page.click("#view button.main")
    page.wait_for_selector("#view dl")
    assert "agent action" in page.text_content("#view")


def test_an_utterance_is_explained(show: Open, fenwick: Path) -> None:
    """Each line of a talk leads to why it was said."""
    page = show(fenwick, "#t=2031-05-06T23:00:00&view=talks")
    page.locator("#view .row button").first.click()
    page.locator("#view .speech button", has_text="why?").first.click()
    page.wait_for_selector("#view .call")
    assert "dialogue turn" in page.text_content("#view")


def test_a_reflection_shows_its_evidence(show: Open, tmp_path: Path) -> None:
    """An insight is shown with what it rests on, down to what was said."""
    heard = morning()
    n = next(n for n, event in enumerate(heard) if getattr(event, "text", "") == "The fair is in May.")
    later = (
        keeps(600, BO, 1, "Ada told me of the fair in May.", n),
        keeps(700, BO, 2, "Ada likes fairs.", memory_kind="reflection", evidence=[1]),
        Reflected(t=700, who=BO, total=151.0, questions=["What does Ada like?"], insights=[2], dropped=0),
    )
    page = show(shown(tmp_path, *heard, *later), "#t=2031-05-05T06:20:00&view=person&who=Bo+Birch")
    page.get_by_role("button", name="why, and what came of it").click()
    page.wait_for_selector("#view .tree .tree, #view .tree ul")
    assert re.search(r"Ada likes fairs.*Ada told me of the fair.*The fair is in May", page.text_content("#view .tree"))


def test_everything_said_can_be_searched(show: Open, fenwick: Path) -> None:
    """All words must be held, hits are marked, and a click leads to the moment and the talk."""
    page = show(fenwick)
    page.keyboard.press("/")
    until(page, "document.activeElement.type === 'search'")
    page.keyboard.type("LANTERN concert")
    page.wait_for_selector("#view mark")
    assert set(page.eval_on_selector_all("#view mark", "all => all.map((one) => one.textContent.toLowerCase())")) == {
        "lantern", "concert",
    }  # fmt: skip
    page.select_option("#view select", "spoke")
    page.locator("#view .row button").first.click()
    page.wait_for_selector("#view .speech.chosen")
    assert "concert" in page.text_content("#view .speech.chosen")


def test_memories_are_those_of_the_moment(show: Open, tmp_path: Path) -> None:
    """The stream holds what had been remembered by then, to be narrowed by words and by kind."""
    more = [
        keeps(1000 + i, ADA, i + 1, f"thought number {i}", memory_kind="idle" if i % 2 else "plan") for i in range(9)
    ]
    page = show(shown(tmp_path, *morning(*more)), "#t=2031-05-05T06:16:44&view=person&who=Ada+Ash&tab=memory")
    assert page.locator("#view .row").count() == 5
    page.select_option("#view select", "idle")
    assert page.locator("#view .row").count() == 2
    page.fill("#view input[type=search]", "number 3")
    assert page.locator("#view .row").all_text_contents()[0].startswith("thought number 3")


def test_long_lists_keep_few_rows_in_the_page(show: Open, tmp_path: Path) -> None:
    """Of thousands of memories only those in sight are built, and the last can be scrolled to."""
    many = [keeps(1000 + i, ADA, i + 1, f"thought number {i}") for i in range(5000)]
    page = show(shown(tmp_path, *morning(*many)), "#t=2031-05-05T08:00:00&view=person&who=Ada+Ash&tab=memory")
    assert page.locator("#view .row").count() < 60
    page.eval_on_selector("#view .long", "list => { list.scrollTop = list.scrollHeight; }")
    page.wait_for_selector("text=thought number 0")
    assert page.locator("#view .row").count() < 60


def test_keys_jump_to_what_happens(show: Open, tmp_path: Path) -> None:
    """Talk, reflection, scenario event and act are a key away, both ways."""
    more = (
        Happened(t=1200, place="inn", text="The roof leaks."),
        Reflected(t=1800, who=ADA, total=151.0, questions=[], insights=[], dropped=0),
        Started(t=2400, who=ADA, do="sweeping", place="inn", until=2500),
    )
    page = show(shown(tmp_path, *morning(*more)), "#t=2031-05-05T06:00:00&view=person&who=Ada+Ash")
    for key, time in (("t", "06:10"), ("e", "06:20"), ("r", "06:30"), ("a", "06:40"), ("Shift+T", "06:10")):
        page.keyboard.press(key)
        until(page, f"document.getElementById('now').textContent === 'Mon 5 May {time}'")
    page.keyboard.press("Shift+E")
    assert page.text_content("#said") == "No earlier scenario event"


def test_the_news_spreads(show: Open, fenwick: Path) -> None:
    """Who knows grows with time, and the tree says who told whom."""
    page = show(fenwick, "#t=2031-05-05T07:00:00&view=news")
    assert "0 of 3 know" in page.text_content("#view")
    page.keyboard.press("End")
    page.get_by_role("button", name="next step").click()
    assert "1 of 3 know" in page.text_content("#view")
    for _ in range(2):
        page.get_by_role("button", name="next step").click()
    assert page.locator("#view .tree ul .memory").count() >= 1


def test_two_runs_share_one_clock(show: Open, tmp_path: Path) -> None:
    """Two maps stand side by side; where the logs part is said, marked, and a key away."""
    one = folder_of(tmp_path / "a", *morning(says(1200, ADA, BO, "Come along."), ended()))
    two = folder_of(tmp_path / "b", *morning(says(1200, ADA, BO, "Stay here."), ended()))
    page = show(write_page([one, two], tmp_path / "both.html"), "#t=2031-05-05T06:01:00")
    assert page.locator("canvas.map").count() == 2
    assert "then part at Mon 5 May 06:20:00" in page.text_content("#state")
    page.keyboard.press("d")
    until(page, "document.getElementById('now').textContent === 'Mon 5 May 06:20'")
    page.select_option("#which", "1")
    page.click("[data-tab=search]")
    page.fill("#view input[type=search]", "stay here")
    assert page.locator("#view .row").count() == 1


def test_hostile_texts_are_only_texts(show: Open, tmp_path: Path) -> None:
    """Markup, quotes, turned writing and endless words in names and speech are shown, and do nothing."""
    long, people = "w" * 4000, (HOSTILE, TURNED, "__proto__")
    events = (
        begun(people, places={"inn": {"name": HOSTILE, "rooms": [HOSTILE]}, "constructor": {"name": TURNED}}),
        *placed(*((name, "inn") for name in people)),
        Started(t=5, who=HOSTILE, do=HOSTILE, place="inn", until=50),
        TalkStarted(t=9, talk=HOSTILE, who=HOSTILE, to=[TURNED, "__proto__"], place="inn"),
        says(9, HOSTILE, TURNED, HOSTILE * 20), says(12, TURNED, HOSTILE, long),
        ThingChanged(t=14, place="inn", thing=HOSTILE, state=HOSTILE),
        keeps(15, HOSTILE, 1, HOSTILE), Left(t=16, who="__proto__", place="inn", to="constructor", arrives=60),
    )  # fmt: skip
    page = show(shown(tmp_path, *events), "#t=2031-05-05T06:00:15")
    for tab in ("people", "talks", "search"):
        page.click(f"[data-tab={tab}]")
        if tab == "search":
            page.fill("#view input[type=search]", "<script>")
        page.locator("#view .row button").first.click()
        page.wait_for_timeout(60)
    assert page.evaluate("window.broken") is None
    assert page.locator("#view img, #view script").count() == 0
    assert "\u202e" not in page.text_content("body main")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    ("size", "scheme"),
    [((360, 740), "dark"), ((1280, 800), "light"), ((3840, 2160), "dark")],
    ids=["phone", "laptop", "4K"],
)
def test_nothing_runs_out_of_the_window(show: Open, fenwick: Path, size: tuple[int, int], scheme: str) -> None:
    """At each size, light or dark, the page fits the window and its texts can be read."""
    page = show(fenwick, "#view=talks", width=size[0], height=size[1], color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") >= 14
    assert page.locator("canvas.map").bounding_box()["height"] > 150
    assert page.locator("#view .row").first.bounding_box()["height"] > 30
    assert page.locator(".key .mark").count() == page.locator(".key .mark:visible").count() > 0
    if size[0] < 800:
        below = page.locator(".zoom").bounding_box()
        assert below["y"] >= sum(page.locator("canvas.map").bounding_box()[side] for side in ("y", "height"))


def test_the_panel_can_be_used_by_keyboard(show: Open, fenwick: Path) -> None:
    """Arrow keys go through the tabs, Enter opens, Escape leads back."""
    page = show(fenwick)
    page.focus("[data-tab=people]")
    page.keyboard.press("ArrowRight")
    assert page.get_attribute("[data-tab=talks]", "aria-selected") == "true"
    page.keyboard.press("ArrowLeft")
    page.locator("#view .row button").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#view .entry.head")
    assert page.evaluate("document.activeElement.id") == "view"
    page.keyboard.press("Escape")
    page.wait_for_selector("#view .row")


def test_a_figure_on_the_map_can_be_chosen(show: Open, tmp_path: Path) -> None:
    """A click on a figure opens the resident, a click on a place the place."""
    places = {"inn": {"name": "the Inn", "at": [0, 0]}}
    page = show(shown(tmp_path, begun([ADA], places=places), *placed((ADA, "inn")), ended()))
    box = page.locator("canvas.map").bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(200)
    page.mouse.click(*middle)
    page.wait_for_selector("#view .entry.head")
    page.mouse.click(middle[0] - 45, middle[1] + 40)
    until(page, "document.querySelector('#view h2').textContent === 'the Inn'")


def scene_of(browser: Any, path: Path, *events: Event) -> Any:
    """Return a window in which ``scene`` knows where everyone of a log is drawn, in cells."""
    payload = PagePayload.of(folder_of(path, *events))
    head, lines = payload.head(), payload.fresh()["lines"]
    page = browser.new_page()
    folder = Path(bundle.__file__).parent / "page"
    parts = "\n".join(
        (folder / f"{name}.js").read_text() for name in ("element", "store", "moment", "scene", "reasons")
    )
    page.add_script_tag(
        content=f"{parts}; const store = new Store({json.dumps(head)}); store.take([{','.join(lines)}]);"
        "window.scene = new Scene(store); window.at = t => { scene.update(store.numberAt(t));"
        "return scene.figures.map(f => { const p = scene.position(f, t); return [p.x, p.y]; }); };"
    )
    return page


def test_those_who_walk_together_start_from_their_seats_and_cover_nobody(browser: Any, tmp_path: Path) -> None:
    """Who sets out is drawn where they stood, and those on one way walk beside and behind each other."""
    people = [f"Resident Number{i}" for i in range(9)]
    leave = [Left(t=100, who=name, place="inn", to="mill", arrives=700) for name in people[:8]]
    places = {"inn": {"name": "the Inn", "at": [0, 0]}, "mill": {"name": "the Mill", "at": [900, 0]}}
    start = begun(people, places=places)
    page = scene_of(browser, tmp_path, start, *placed(*((name, "inn") for name in people)), *leave, ended(900))
    seats, setting_out, halfway = (page.evaluate(f"at({t})") for t in (99, 100, 400))
    page.close()
    assert setting_out == [pytest.approx(seat) for seat in seats]
    apart = [math.dist(one, other) for i, one in enumerate(halfway) for other in halfway[:i]]
    assert min(apart) > 0.38


def test_how_residents_stand_to_others_is_shown(show: Open, tmp_path: Path) -> None:
    """Whatever numbers a relation has stand there with bars, as of the moment."""
    relation = RelationChanged(
        t=900, who=ADA, other=BO, affinity=1.5, trust=-2.25, conflict=0.0, humor=4.0, relation="helpful", events=3
    )
    page = show(shown(tmp_path, *morning(relation)), "#t=2031-05-05T06:14:00&view=person&who=Ada+Ash")
    assert page.locator("#view .relation").count() == 0
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#view .relation")
    assert page.locator("#view .relation .measure").all_text_contents()[:2] == ["affinity1.50", "trust-2.25"]


def test_a_page_grows_with_its_run(show: Open, tmp_path: Path) -> None:
    """What is appended is shown at once, and whoever watches the end stays there."""
    run = folder_of(tmp_path / "run", *morning(), state="running")
    payload = PagePayload.of(run)
    path = tmp_path / "live.html"
    path.write_text(view_page([payload], live="window.followed = Boolean(window.townsfolk);"), encoding="utf-8")
    page = show(path, "#t=2031-05-05T09:00:00&view=talks")
    payload.take(list(enumerate([says(4000, ADA, BO, "Good night."), ended(4100)], len(morning()))))
    page.evaluate("fresh => window.townsfolk.append(fresh)", payload.fresh())
    assert page.evaluate("window.followed") is True
    assert clock(page) == "Mon 5 May 07:08"
    assert page.locator("#view .row").count() == 2
    assert page.evaluate("document.getElementById('state').hidden")


@pytest.mark.parametrize(
    "events",
    [(begun(),), (begun([], places={}),), (begun([ADA], places={"inn": {}}), *placed((ADA, "inn")), ended(9))],
    ids=["one line", "nobody and nowhere", "one place"],
)
def test_the_smallest_runs_are_shown(show: Open, tmp_path: Path, events: tuple[Event, ...]) -> None:
    """A run in which next to nothing is has a page all the same."""
    page = show(shown(tmp_path, *events))
    for tab in ("talks", "search", "help", "people"):
        page.click(f"[data-tab={tab}]")
    page.keyboard.press("Space")
    assert page.locator("#trouble").is_hidden()


def test_a_run_that_was_broken_off_says_so(show: Open, tmp_path: Path) -> None:
    """The reader is told that what is shown is not all."""
    page = show(shown(tmp_path, *morning(), state="stopped"))
    assert "not ended in order" in page.text_content("#state")


def test_little_motion_is_respected(show: Open, fenwick: Path) -> None:
    """Whoever asked for little motion sees the town in steps, and time passes all the same."""
    page = show(fenwick, "#t=2031-05-05T12:00:00", reduced_motion="reduce")
    page.keyboard.press("Space")
    until(page, "document.getElementById('now').textContent > 'Mon 5 May 12:02'")


def run_of(path: Path) -> Run:
    """Return the run beside a page."""
    return open_run(path.parent)


def test_lines_of_the_log_may_be_appended_as_they_stand(show: Open, fenwick: Path) -> None:
    """Lines that the page has already are passed over, whoever sends them again."""
    page = show(fenwick, "#t=2031-05-06T23:00:00&view=talks")
    before = page.get_attribute("#view .row", "aria-setsize")
    lines = [to_line(n, event) for n, event in run_of(fenwick).events()]
    page.evaluate("lines => townsfolk.append({lines, thoughts: [], news: [], state: 'done'})", lines)
    assert page.get_attribute("#view .row", "aria-setsize") == before
