"""The live page: it follows a run, lets in only who may come, and the run never notices."""

import json
import re
import socket
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.errors import RunError, TownError
from sim.log.events import Event, to_line
from sim.views.live.access import Access, open_access
from sim.views.live.log_follower import LogFollower, Tail
from sim.views.live.server import LivePage, live_page
from tests.sim.cli.test_cli import town
from tests.small_logs import ADA, BO, begun, ended, folder_of, keeps, says

pytestmark = pytest.mark.slow

pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra live)")
pytest.importorskip("starlette", reason="starlette is not installed (extra live)")


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take a page for closed soon: those of these tests ask once."""
    monkeypatch.setattr("sim.views.live.server.AWAY", 0.1)


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LivePage]:
    """The page of a run that has just begun."""
    folder_of(tmp_path, begun(), says(10, ADA, BO, "Hello."), state="running")
    with live_page() as page:
        page.follow(tmp_path)
        yield page


def get(page: LivePage, path: str = "", **headers: str) -> tuple[int, str, dict[str, str]]:
    """Ask the page's server, and return status, text and headers."""
    asked = urllib.request.Request(f"http://127.0.0.1:{page.access.port}/{path}", headers=headers)
    try:
        with urllib.request.urlopen(asked, timeout=10) as answer:
            return answer.status, answer.read().decode(), {k.lower(): v for k, v in answer.headers.items()}
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode(), {k.lower(): v for k, v in error.headers.items()}


def tell(folder: Path, *events: tuple[int, Event]) -> None:
    """Append events to a log."""
    with (folder / "events.jsonl").open("a", encoding="utf-8") as log:
        log.writelines(to_line(n, event) for n, event in events)


def name_in(html: str) -> str:
    """Return what the page calls the server's run."""
    found = re.search(r'const run = "(\w+)"', html)
    assert found
    return found[1]


def followed(folder: Path, *events: Event) -> LogFollower:
    """Return who follows a log with these events, and never rests."""
    folder_of(folder, begun(), *events, state="running")
    follower = LogFollower(folder, "r", rest=0)
    follower.page()
    return follower


def lines_of(told: str) -> list[dict[str, Any]]:
    """Return the events that an answer brings."""
    return [json.loads(line) for packet in json.loads(told)["fresh"] for line in packet["lines"]]


def test_the_page_may_talk_to_its_own_server_alone(live: LivePage) -> None:
    """The policy lets the page ask its server, and nobody put it into a frame."""
    status, html, headers = get(live)
    assert (status, "connect-src 'self'" in html, "default-src 'none'" in html) == (200, True, True)
    assert (headers["x-frame-options"], headers["cache-control"]) == ("DENY", "no-store")
    assert headers["cross-origin-resource-policy"] == "same-origin"


def test_what_is_logged_later_follows(tmp_path: Path) -> None:
    """New lines come once, in order, with the thoughts and the state; a torn line waits until it is whole."""
    follower = followed(tmp_path, says(10, ADA, BO, "Hello."))
    line = to_line(3, says(30, ADA, BO, "How are you?"))
    tell(tmp_path, (2, says(20, BO, ADA, "Hi.")))
    with (tmp_path / "events.jsonl").open("a", encoding="utf-8") as log:
        log.write(line[:40])
        log.flush()
        first = follower.news(1, "r").text
        log.write(line[40:])
    second = follower.news(2, "r").text
    assert ([e["n"] for e in lines_of(first)], [e["n"] for e in lines_of(second)]) == ([2], [3])
    assert [json.loads(told)["after"] for told in (first, second)] == [2, 3]
    assert json.loads(first)["fresh"][0]["state"] == "running"


@given(st.lists(st.integers(0, 200), max_size=8), st.integers(1, 12))
def test_a_log_written_in_pieces_is_read_once(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int], n: int
) -> None:
    """However the writing is cut, every line is read once, in order."""
    path = tmp_path_factory.mktemp("tail") / "events.jsonl"
    written = "".join(to_line(i, says(i, ADA, BO, "Grüße" * i)) for i in range(n)).encode()
    tail, read, at = Tail(path), [], 0
    with path.open("wb", buffering=0) as file:
        for cut in [*cuts, len(written)]:
            file.write(written[at : at + cut])
            at += cut
            read += tail.read()
    assert [number for number, _ in read] == list(range(n))


def test_a_log_that_is_lived_again_is_waited_for(tmp_path: Path) -> None:
    """A resumed run writes the same bytes again: nothing is told twice."""
    follower = followed(tmp_path, says(10, ADA, BO, "Hello."))
    whole = (tmp_path / "events.jsonl").read_bytes()
    (tmp_path / "events.jsonl").write_bytes(whole[:50])
    assert lines_of(follower.news(1, "r").text) == []
    (tmp_path / "events.jsonl").write_bytes(whole)
    tell(tmp_path, (2, ended()))
    assert [event["n"] for event in lines_of(follower.news(1, "r").text)] == [2]


def test_a_page_of_another_run_loads_anew(tmp_path: Path) -> None:
    """The same port may serve another run later: its packets are not mixed with those of the first."""
    follower = followed(tmp_path)
    assert json.loads(follower.news(1, "another").text) == {"reload": True}
    assert json.loads(follower.news(99, "r").text) == {"reload": True}


def test_old_packets_are_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory stays bounded: a page that is too far behind loads anew, and is then up to date."""
    monkeypatch.setattr("sim.views.live.log_follower.KEPT", 3000)
    follower = followed(tmp_path)
    for n in range(1, 30):
        tell(tmp_path, (n, says(n, ADA, BO, "word " * 60)))
        follower.news(n, "r")
    assert json.loads(follower.news(1, "r").text) == {"reload": True}
    html = follower.page()
    assert html is not None
    assert "let after = 30;" in html
    assert json.loads(follower.news(30, "r").text)["fresh"] == []


def test_an_answer_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that is far behind asks again at once instead of getting all in one answer."""
    monkeypatch.setattr("sim.views.live.log_follower.AT_ONCE", 1500)
    follower = followed(tmp_path)
    for n in range(1, 9):
        tell(tmp_path, (n, says(n, ADA, BO, "word " * 60)))
        follower.news(n, "r")
    after, got, more = 1, [], True
    while more:
        told = follower.news(after, "r").text
        after, more = json.loads(told)["after"], json.loads(told)["more"]
        got += [event["n"] for event in lines_of(told)]
        assert len(told) < 3000
    assert got == list(range(1, 9))


def test_a_look_is_followed_by_rest(tmp_path: Path) -> None:
    """Who asks without end does not keep the log from being written: what is new waits for the next look."""
    folder_of(tmp_path, begun())
    follower = LogFollower(tmp_path, "r")
    follower.page()
    tell(tmp_path, (1, says(1, ADA, BO, "Hello.")))
    assert lines_of(follower.news(1, "r").text) == []


def test_the_end_is_told(tmp_path: Path) -> None:
    """A run that was stopped is told as such, from its manifest; nothing follows."""
    follower = followed(tmp_path, says(10, ADA, BO, "Hello."))
    (tmp_path / "manifest.json").write_text('{"state": "stopped"}', encoding="utf-8")
    follower.finish()
    told = json.loads(follower.news(1, "r").text)
    assert (told["over"], told["fresh"][-1]["state"]) == (True, "stopped")


def test_a_page_that_is_open_takes_up_the_last_of_it(tmp_path: Path) -> None:
    """The server closes with the run, once open pages know how it ended."""
    folder_of(tmp_path, begun(), state="running")
    with live_page() as page:
        page.follow(tmp_path)
        html = get(page)[1]
        tell(tmp_path, (1, ended()))
        page._follower.finish()  # type: ignore[union-attr]
        told = json.loads(get(page, f"news?after=1&run={name_in(html)}&me=x")[1])
    assert (told["over"], told["fresh"][-1]["state"]) == (True, "done")
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", page.access.port), timeout=5).close()


def test_before_the_first_line_there_is_a_page_that_waits() -> None:
    """A browser that comes too early asks again by itself."""
    with live_page() as page:
        status, html, _ = get(page)
    assert (status, 'http-equiv="refresh"' in html) == (200, True)


def test_a_recorded_call_can_be_asked_for(tmp_path: Path, live: LivePage) -> None:
    """Prompts and replies of later thoughts come one by one; what is not there is said not to be."""
    request = {"prompt": "act", "messages": [{"role": "user", "content": "What now?"}]}
    call = {"key": "k 1", "model": "m", "request": request, "reply": "Knit."}
    (tmp_path / "calls.jsonl").write_text(json.dumps(call) + "\n", encoding="utf-8")
    assert json.loads(get(live, "call?key=k%201")[1])["calls"]["k 1"][4] == "Knit."
    assert get(live, "call?key=none")[0] == 404


@pytest.mark.parametrize("path", ["manifest.json", "../manifest.json", "events.jsonl", "%2e%2e/%2e%2e/etc/passwd"])
def test_nothing_else_is_served(live: LivePage, path: str) -> None:
    """No file of the machine can be had."""
    assert get(live, path)[0] == 404


@pytest.mark.parametrize("query", ["", "after=-1", "after=x", "after=1e9", f"after={'9' * 40}", "after=²"])
def test_a_senseless_question_is_refused(live: LivePage, query: str) -> None:
    """Only a whole number of packets can have been taken up."""
    assert get(live, f"news?{urllib.parse.quote(query, safe='=&')}")[0] == 400


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost@evil", "10.0.0.1"]
)
def test_a_name_that_was_pointed_here_is_refused(live: LivePage, host: str) -> None:
    """DNS rebinding: a page of elsewhere asks for its own name, and gets nothing."""
    status, text, _ = get(live, Host=host)
    assert (status, "data" in text) == (400, False)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1", "[::1]:80"])
def test_the_machines_own_names_are_known(live: LivePage, host: str) -> None:
    """However this machine is called by itself, the page comes."""
    assert get(live, Host=host)[0] == 200


def test_beyond_this_machine_a_token_is_needed() -> None:
    """Nothing listens to other machines unless visitors must bring something."""
    for host in ("0.0.0.0", "::", ""):
        with pytest.raises(RunError, match=r"--token WORD"):
            open_access(host)
    with pytest.raises(RunError, match="--token is empty"):
        open_access("0.0.0.0", token=" ")


def test_addresses_are_known_beyond_this_machine_and_names_are_not() -> None:
    """An address cannot be pointed elsewhere; a name can, unless it is the machine's own or was given."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        access = Access(listening, "town.example", "192.0.2.1", 80, "word", beyond=True)
        assert all(map(access.knows_host, ("192.0.2.7:80", "[2001:db8::1]", "town.example", socket.gethostname())))
        assert not any(map(access.knows_host, ("evil.example", "", None, "a b", "[zz]")))


def test_a_token_lets_in_and_leaves_a_pass(tmp_path: Path) -> None:
    """The token comes with the address once; from then on a cookie of the server's own stands for it."""
    folder_of(tmp_path, begun())
    with live_page(token="wörd/1") as page:
        page.follow(tmp_path)
        assert [get(page)[0], get(page, "?token=word")[0], get(page, "news?after=0")[0]] == [401, 401, 401]
        status, html, headers = get(page, "?token=w%C3%B6rd/1")
        pass_ = headers["set-cookie"].partition(";")[0]
        assert (status, get(page, Cookie=pass_)[0], get(page, Cookie=f"{pass_}x")[0]) == (200, 200, 401)
    assert "HttpOnly" in headers["set-cookie"]
    assert "SameSite=strict" in headers["set-cookie"]
    assert not [text for text in (html, headers["set-cookie"], repr(page.access)) if "wörd" in text or "w%C3" in text]


def test_stalled_browsers_hold_nobody_up(live: LivePage) -> None:
    """Who asks for the page and never reads it neither keeps others from it nor the server from closing."""
    stalled = [socket.create_connection(("127.0.0.1", live.access.port)) for _ in range(10)]
    try:
        for one in stalled:
            one.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert get(live)[0] == 200
    finally:
        for one in stalled:
            one.close()


def test_a_taken_port_is_said_to_be(live: LivePage) -> None:
    """The message names the port and what to do."""
    with pytest.raises(RunError, match=rf"cannot listen on 127.0.0.1:{live.access.port}.*leave --port out"):
        live_page(port=live.access.port)


def test_a_host_that_is_not_ours_is_said_to_be() -> None:
    """A name that leads nowhere is no place to listen."""
    with pytest.raises(RunError, match=r"cannot listen on nowhere\.invalid"):
        open_access("nowhere.invalid", token="word")


def test_who_asks_nothing_holds_no_place(live: LivePage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections without a whole request are closed, however many there are and though bytes trickle in."""
    monkeypatch.setattr("sim.views.live.connection_timeout.WAITS", 0.3)
    with ExitStack() as opened:
        idle = [opened.enter_context(socket.create_connection(("127.0.0.1", live.access.port), 5)) for _ in range(45)]
        idle[0].sendall(b"GET / HT")
        ended_with = [one.recv(100) for one in idle]
    assert ended_with == [b""] * 45
    assert get(live)[0] == 200


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is named, and the way to do without."""
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(TownError, match=r"townsfolk\[live\].*town view"):
        live_page()


def test_the_run_is_the_same_with_it(tmp_path: Path) -> None:
    """`town run --live` says where to watch, ends with the run, and leaves the same log."""
    shown = town("run", "two_friends", "--live", "--out", "live", cwd=tmp_path)
    plain = town("run", "two_friends", "--out", "plain", cwd=tmp_path)
    assert (shown.returncode, plain.returncode) == (0, 0)
    assert re.search(r"watch it at http://127\.0\.0\.1:\d+/\n", shown.stderr)
    assert (tmp_path / "live/events.jsonl").read_bytes() == (tmp_path / "plain/events.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--live", "--host", "0.0.0.0"], "say what they must know with --token WORD"),
        (["--port", "8000"], "add --live"),
        (["--token", "word"], "add --live"),
    ],
    ids=["beyond", "no page", "a token for no page"],
)
def test_nothing_is_run_where_the_page_cannot_be(tmp_path: Path, options: list[str], words: str) -> None:
    """The mistake is said before anything is spent, with exit code 2."""
    done = town("run", "two_friends", *options, cwd=tmp_path)
    assert (done.returncode, (tmp_path / "runs").exists()) == (2, False)
    assert words in done.stderr


def test_memories_and_thoughts_come_as_well(tmp_path: Path) -> None:
    """The page is told of all that the log has, not only of what is said."""
    follower = followed(tmp_path)
    tell(tmp_path, (1, keeps(5, ADA, 1, "I woke.")))
    assert [event["kind"] for event in lines_of(follower.news(1, "r").text)] == ["remembered"]
