"""The replay page as a file: all of the log in it, nothing of it as markup, no request anywhere."""

import base64
import hashlib
import json
import re
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from sim.analysis.decisions import thoughts_of
from sim.analysis.two_lives import lives_lines, two_lives
from sim.errors import RunError
from sim.log.events import Decided, FellBack, Reflected, Spoke, Started, TalkEnded, TalkStarted, Unknown, Woke
from sim.log.run_folder import Run, open_run
from sim.scenario import loads
from sim.views.page import write_page
from sim.views.page.bundle import SCRIPTS, page
from sim.views.page.calls import call_payload, calls_payload
from sim.views.page.payload import PagePayload
from tests.lives import VILLAGE, live
from tests.sim.cli.test_cli import town
from tests.small_logs import ADA, BO, begun, ended, folder_of, keeps, placed, says
from tests.small_logs import town as hamlet

pytestmark = pytest.mark.slow

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&lt;\u202e\u2028"


class Parts(HTMLParser):
    """Takes a page apart: its elements, and the text of each script and style."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[dict[str, str | None], str]] = []
        self.inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.inside = tag in ("script", "style")
        if self.inside:
            self.texts.append((dict(attrs), ""))

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            attrs, text = self.texts[-1]
            self.texts[-1] = (attrs, text + data)

    @property
    def policy(self) -> str:
        """The content policy."""
        found = (attrs for tag, attrs in self.tags if attrs.get("http-equiv") == "Content-Security-Policy")
        return str(next(found)["content"])

    @property
    def data(self) -> Any:
        """What the page is told in plain JSON."""
        return json.loads(next(text for attrs, text in self.texts if attrs.get("id") == "data"))

    def block(self, number: int) -> Any:
        """Return what a packed block holds."""
        packed = next(text for attrs, text in self.texts if attrs.get("id") == f"block-{number}")
        return json.loads(zlib.decompress(base64.b64decode(packed)))

    def lines(self, run: int = 0) -> list[dict[str, Any]]:
        """Return all lines of a run's log, in order."""
        head = self.data["runs"][run]
        found = self.block(head["log"]) + [line for _, number in head["inner"] for line in self.block(number)]
        return sorted(found, key=lambda line: line["n"])


@pytest.fixture(scope="module")
def fenwick(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A small town's run of two days, lived once."""
    folder = tmp_path_factory.mktemp("view") / "fenwick"
    live(VILLAGE, folder)
    (folder / "manifest.json").write_text(
        json.dumps({"scenario": json.loads(loads(VILLAGE).to_json())}), encoding="utf-8"
    )
    return open_run(folder)


def test_the_page_holds_the_whole_log(fenwick: Run) -> None:
    """Unpacked and put in order, the page's blocks are the log, line for line."""
    log = [json.loads(line) for line in (fenwick.path / "events.jsonl").read_text(encoding="utf-8").splitlines()]
    assert Parts(page([fenwick])).lines() == log


def test_the_policy_allows_only_what_is_in_the_file(fenwick: Run) -> None:
    """Script and style are allowed by their hashes, nothing may be fetched, and no address stands in the page."""
    text = page([fenwick])
    parts = Parts(text)
    for attrs, held in parts.texts:
        if attrs.get("type") is None:
            assert base64.b64encode(hashlib.sha256(held.encode()).digest()).decode() in parts.policy
    assert "default-src 'none'" in parts.policy
    assert "connect-src 'none'" in parts.policy
    assert "unsafe" not in parts.policy
    assert not re.search(r"""(src|href)=["'](?!data:|#)""", text)
    assert not re.search(r"https?://", "".join(held for attrs, held in parts.texts if attrs.get("type") is None))


def test_no_script_of_the_page_reads_text_as_markup() -> None:
    """Whatever comes from a run reaches the page as text: nothing in its scripts parses markup or code."""
    folder = Path(write_page.__code__.co_filename).parent / "page"
    scripts = "".join((folder / name).read_text(encoding="utf-8") for name in SCRIPTS)
    assert {path.name for path in folder.glob("*.js")} == set(SCRIPTS)
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function|setTimeout\([\"']", scripts
    )


def test_hostile_names_and_speech_stay_data(tmp_path: Path) -> None:
    """Names, places and words that look like markup add no element to the page and come back as they were."""
    said = Spoke(t=3, talk=HOSTILE, who=HOSTILE, to=[BO], place="inn", text=HOSTILE)
    names = begun([HOSTILE, BO, "__proto__"], scenario=HOSTILE, places={"inn": {"name": HOSTILE}})
    events = (names, *placed((HOSTILE, "inn"), (BO, "inn")), said)
    hostile, tame = (
        folder_of(tmp_path / "h", *events),
        folder_of(tmp_path / "t", begun(), *placed((ADA, "inn"), (BO, "inn"))),
    )
    parts = Parts(page([hostile]))
    assert [tag for tag, _ in parts.tags] == [tag for tag, _ in Parts(page([tame])).tags]
    assert parts.lines()[-1]["text"] == HOSTILE


def test_two_pages_of_one_run_are_the_same(fenwick: Run) -> None:
    """Nothing in the page depends on when or how it is made."""
    assert page([fenwick]) == page([open_run(fenwick.path)])


def test_the_page_knows_the_thoughts(fenwick: Run) -> None:
    """The thoughts that the page lays open are those that `town why` tells of."""
    parts = Parts(page([fenwick]))
    told = parts.block(parts.data["runs"][0]["told"])["thoughts"]
    events = list(fenwick.events())
    found = {row[0]: row for row in told if row[2] == "Osric Vane"}
    assert sorted(found) == [thought.n for thought in thoughts_of("Osric Vane", events)]
    thought = thoughts_of("Osric Vane", events)[3]
    assert found[thought.n][3:6] == [thought.what, [n for n, _ in thought.perceived], [n for n, _ in thought.recalled]]


def test_every_prompt_and_reply_comes_back_whole(fenwick: Run) -> None:
    """Prompts whose lines are kept once are the recorded ones when put together again."""
    wanted = PagePayload.of(fenwick).calls_wanted()
    told = calls_payload(fenwick, wanted)
    assert set(told["calls"]) == wanted
    for line in (fenwick.path / "calls.jsonl").read_text(encoding="utf-8").splitlines():
        call = json.loads(line)
        if call["key"] in wanted:
            *_, reply, messages = told["calls"][call["key"]]
            whole = [{"role": role, "content": "\n".join(told["lines"][n] for n in lines)} for role, lines in messages]
            assert (reply, whole) == (call["reply"], call["request"]["messages"])


def test_one_call_can_be_told_later(fenwick: Run) -> None:
    """A page that follows a run asks for a call by its key; one that is not recorded is None."""
    key = min(PagePayload.of(fenwick).calls_wanted())
    found = call_payload(fenwick, key)
    assert found is not None
    assert list(found["calls"]) == [key]
    assert call_payload(fenwick, "feedfeedfeedfeed") is None


def test_the_news_tells_who_had_it_from_whom(fenwick: Run) -> None:
    """For each thing to know the page has its bearers in order, the teller among them."""
    (news,) = PagePayload.of(fenwick).fresh()["news"]
    who, t, _, how, _, teller, parent, depth = news["bearers"][0]
    assert (news["name"], who, t, how, teller, parent, depth) == (
        "concert",
        "Osric Vane",
        5400,
        "thought",
        None,
        None,
        0,
    )
    assert all(bearer[6] in {b[0] for b in news["bearers"]} for bearer in news["bearers"][1:] if bearer[6])


def test_a_log_taken_bit_by_bit_tells_the_same(fenwick: Run) -> None:
    """What a payload hands on piece by piece is, in the end, what one that reads the whole log has."""
    events, piecemeal = list(fenwick.events()), PagePayload(fenwick)
    lines: list[str] = []
    thoughts: dict[tuple[int, str], Any] = {}
    for first in range(0, len(events), 97):
        piecemeal.take(events[first : first + 97])
        fresh = piecemeal.fresh()
        lines += fresh["lines"]
        thoughts |= {(row[0], row[2]): row for row in fresh["thoughts"]}
    whole = PagePayload.of(fenwick).fresh()
    assert lines == whole["lines"]
    assert thoughts == {(row[0], row[2]): row for row in whole["thoughts"]}
    assert piecemeal.fresh()["lines"] == []


def test_two_runs_stand_side_by_side(tmp_path: Path) -> None:
    """The page of two runs holds both logs and says where they part, and with what."""
    first = folder_of(tmp_path / "a", begun(), *placed((ADA, "inn")), says(60, ADA, BO, "Hello."), ended())
    second = folder_of(tmp_path / "b", begun(), *placed((ADA, "inn")), says(60, ADA, BO, "Go away."), ended())
    parts = Parts(page([first, second]))
    assert (parts.lines(0)[2]["text"], parts.lines(1)[2]["text"]) == ("Hello.", "Go away.")
    assert (parts.data["parting"]["n"], parts.data["parting"]["t"]) == (2, 60)
    assert ["Hello." in parts.data["parting"]["told"][0], "Go away." in parts.data["parting"]["told"][1]] == [
        True,
        True,
    ]


def test_each_of_two_towns_names_its_own_places(tmp_path: Path) -> None:
    """Where runs of different towns part, each line has the names of its own town's places, not their ids."""
    barn = begun(places={"barn": {"name": "the Barn"}})
    one, two = (
        folder_of(tmp_path / "a", begun(), *placed((ADA, "inn"))),
        folder_of(tmp_path / "b", barn, *placed((ADA, "barn"))),
    )
    told = Parts(page([one, two])).data["parting"]["told"]
    assert ["the Inn" in told[0], "the Barn" in told[1]] == [True, True]
    assert "the Barn" in "\n".join(lives_lines(two_lives(one, two)))


def test_a_run_beside_itself_never_parts(fenwick: Run) -> None:
    """Where both tell the same the page says so."""
    assert Parts(page([fenwick, fenwick])).data["parting"] == {"n": None, "t": None, "told": []}


def test_a_run_that_was_broken_off_is_shown(tmp_path: Path) -> None:
    """A torn last line is passed over, and the state is not done."""
    run = folder_of(tmp_path / "torn", begun(), *placed((ADA, "inn")), state="running")
    with (run.path / "events.jsonl").open("a", encoding="utf-8") as log:
        log.write('{"n": 2, "t": 9, "kind": "wo')
    parts = Parts(page([open_run(run.path)]))
    assert [line["kind"] for line in parts.lines()] == ["run_started", "placed"]
    assert parts.block(parts.data["runs"][0]["told"])["state"] == "running"


def test_a_run_without_recorded_calls_says_so(tmp_path: Path) -> None:
    """An imported run has no calls.jsonl: its thoughts are shown without prompt and reply."""
    decided = Decided(t=5, who=ADA, prompt="agent_action", call="abc", decision={"do": "x"})
    parts = Parts(page([folder_of(tmp_path / "r", begun(), decided)]))
    calls = parts.block(parts.data["runs"][0]["calls"])
    assert calls["calls"] == {}
    assert "no calls.jsonl" in calls["note"]


def test_a_run_in_which_nothing_happened_yet_is_shown(tmp_path: Path) -> None:
    """The first line of a log is enough for a page."""
    parts = Parts(page([folder_of(tmp_path / "r", begun())]))
    assert [line["kind"] for line in parts.lines()] == ["run_started"]


def test_a_log_without_its_first_line_is_refused(tmp_path: Path) -> None:
    """Where nothing has been written there is nothing to show, and the error says so."""
    run = folder_of(tmp_path / "r")
    with pytest.raises(RunError, match="run_started"):
        page([run])
    with pytest.raises(RunError, match="nothing to show yet"):
        page([PagePayload(run)])


def test_a_scenario_that_cannot_be_read_does_not_hide_the_log(tmp_path: Path) -> None:
    """A manifest of another version costs the news and the weights, not the page."""
    run = folder_of(tmp_path / "r", begun(), keeps(3, ADA, 1, "The fair is in May."))
    (run.path / "manifest.json").write_text('{"scenario": {"from": "the future"}}', encoding="utf-8")
    head = Parts(page([open_run(run.path)])).data["runs"][0]
    assert (head["news"], head["weights"]) == ([], {"recency": 1, "importance": 1, "relevance": 1})


def test_roads_of_the_scenario_are_the_maps_roads(tmp_path: Path) -> None:
    """A town with roads shows those, with their lengths in metres; one without gets footpaths."""
    roads = hamlet(overrides={"town.roads": "[[inn, mill]]"})
    with_roads = PagePayload.of(folder_of(tmp_path / "a", begun(), scenario=roads)).head()["ways"]
    without = PagePayload.of(folder_of(tmp_path / "b", begun(), scenario=hamlet())).head()["ways"]
    assert with_roads == {"roads": True, "edges": [["inn", "mill", 90.0]]}
    assert (without["roads"], [edge[:2] for edge in without["edges"]]) == (False, [["inn", "mill"]])


def test_unknown_kinds_and_whole_lives_are_kept(tmp_path: Path) -> None:
    """Kinds of a later version stand in the page as they stand in the log."""
    later = Unknown(t=7, raw={"n": 6, "t": 7, "kind": "danced", "who": ADA, "with": BO})
    events = (
        begun(), Woke(t=1, who=ADA, place="inn"), Started(t=2, who=ADA, do="baking", place="inn", until=90),
        TalkStarted(t=3, talk="a", who=ADA, to=[BO], place="inn"),
        TalkEnded(t=4, talk="a", who=ADA, to=[BO], place="inn", reason="over", turns=0),
        FellBack(t=5, who=ADA, prompt="agent_action", reason="no answer"), later,
    )  # fmt: skip
    assert Parts(page([folder_of(tmp_path / "r", *events)])).lines()[-1] == later.raw


def test_reflections_name_their_calls(tmp_path: Path) -> None:
    """The calls of reflections and of fallbacks are wanted as well as those of decisions."""
    events = (
        begun(), Reflected(t=3, who=ADA, total=151.0, questions=[], insights=[], dropped=0, calls=["q", "i"]),
        FellBack(t=5, who=ADA, prompt="agent_action", reason="no answer", call="f"),
    )  # fmt: skip
    assert PagePayload.of(folder_of(tmp_path / "r", *events)).calls_wanted() == {"q", "i", "f"}


def test_a_live_page_may_talk_to_its_server_only(fenwick: Run) -> None:
    """A script that follows a run is allowed by its hash, and its requests only to where the page is from."""
    parts = Parts(page([fenwick], live="window.followed = true;"))
    assert parts.data["live"] is True
    assert "connect-src 'self'" in parts.policy
    assert parts.texts[-1][1] == "window.followed = true;"


def test_the_file_is_small(fenwick: Run) -> None:
    """The page takes less than a third of what the run's log and calls take."""
    raw = sum((fenwick.path / name).stat().st_size for name in ("events.jsonl", "calls.jsonl"))
    own = len(page([folder_of(fenwick.path.parent / "empty", begun())]))
    assert len(page([fenwick])) - own < raw / 3


def test_the_command_writes_the_page(fenwick: Run, tmp_path: Path) -> None:
    """`town view` writes the file that is named and says so; two runs are shown in one."""
    done = town("view", fenwick.path, fenwick.path, "--out", "both.html", cwd=tmp_path)
    assert (done.returncode, done.stdout.startswith("both.html (")) == (0, True)
    assert len(Parts((tmp_path / "both.html").read_text(encoding="utf-8")).data["runs"]) == 2


def test_the_page_goes_into_the_runs_folder(tmp_path: Path) -> None:
    """Where no file is named it is view.html beside the log, and nothing else is left there."""
    run = folder_of(tmp_path / "r", begun())
    assert write_page([run]) == run.path / "view.html"
    assert sorted(path.name for path in run.path.iterdir()) == ["events.jsonl", "manifest.json", "view.html"]


def test_a_page_that_cannot_be_written_is_an_error_of_one_sentence(fenwick: Run, tmp_path: Path) -> None:
    """A folder in the way, or a file where a folder should be, is named with what to do."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(RunError, match="is a folder"):
        write_page([fenwick], tmp_path)
    with pytest.raises(RunError, match="cannot write the page"):
        write_page([fenwick], tmp_path / "file" / "view.html")
