"""The live page in a real browser: it follows the run, asks for prompts, and stays when the run is over."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.log.events import Decided, Event, Recalled, Started, to_line
from sim.views.live.server import live_page
from tests.small_logs import ADA, BO, begun, ended, folder_of, placed, says, town

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
playwright_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra dev)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra live)")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")]


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take a page for closed soon: it asks once a second."""
    monkeypatch.setattr("sim.views.live.server.AWAY", 1.5)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    with playwright_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


def tell(folder: Path, *events: tuple[int, Event]) -> None:
    """Append events to a log."""
    with (folder / "events.jsonl").open("a", encoding="utf-8") as log:
        log.writelines(to_line(n, event) for n, event in events)


def visit(browser: Any, address: str, troubles: list[str]) -> Any:
    """Open the live page in a fresh window, noting whatever goes wrong."""
    page = browser.new_page()
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto(address)
    page.wait_for_selector("html[data-ready]", state="attached")
    return page


def test_the_page_follows_the_run_to_its_end(browser: Any, tmp_path: Path) -> None:
    """Time goes on with the log, the token leaves the address, and the page outlives the server."""
    folder_of(tmp_path, begun(), *placed((ADA, "inn"), (BO, "inn")), scenario=town(), state="running")
    troubles: list[str] = []
    with live_page(token="word") as live:
        live.follow(tmp_path)
        page = visit(browser, live.address.replace("…", "word"), troubles)
        assert "word" not in page.url
        tell(tmp_path, (3, Started(t=3600, who=ADA, do="<b>baking</b>", place="inn", until=9000)))
        playwright_api.expect(page.locator("#now")).to_contain_text("07:00")
        assert "<b>baking</b>" in page.inner_text("#view")
        tell(tmp_path, (4, says(7200, ADA, BO, "Hello.")), (5, ended(7260)))
    playwright_api.expect(page.locator("#live")).to_contain_text("The run is over")
    playwright_api.expect(page.locator("#now")).to_contain_text("08:01")
    assert page.is_hidden("#state")
    page.click("text=Talks")
    assert "Hello." in page.inner_text("#view")
    assert troubles == []


def test_a_moment_that_is_linked_to_stays(browser: Any, tmp_path: Path) -> None:
    """Who looks at an earlier moment is not torn away from it, and can go to the newest."""
    folder_of(tmp_path, begun(), *placed((ADA, "inn")), says(3600, ADA, BO, "Hello."), state="running")
    with live_page() as live:
        live.follow(tmp_path)
        page = visit(browser, f"{live.address}#t=2031-05-05T06:10:00", [])
        tell(tmp_path, (3, says(7200, BO, ADA, "Hi.")))
        playwright_api.expect(page.locator("#scrub")).to_have_attribute("max", "7200")
        assert "06:10" in page.inner_text("#now")
        page.click("text=go to the newest moment")
        playwright_api.expect(page.locator("#now")).to_contain_text("08:00")
        page.close()


def test_prompts_of_later_thoughts_are_asked_for(browser: Any, tmp_path: Path) -> None:
    """A thought that came after the page was made can be laid open down to its prompt."""
    folder_of(tmp_path, begun(), *placed((ADA, "inn")), state="running")
    request = {"prompt": "act", "messages": [{"role": "user", "content": "What will you do now?"}]}
    (tmp_path / "calls.jsonl").write_text(
        json.dumps({"key": "k1", "model": "m", "request": request, "reply": "Knit."}) + "\n", encoding="utf-8"
    )
    troubles: list[str] = []
    with live_page() as live:
        live.follow(tmp_path)
        page = visit(browser, live.address, troubles)
        search = Recalled(t=60, who=ADA, query="wool", purpose="acting", items=[])
        tell(tmp_path, (2, search), (3, Decided(t=60, who=ADA, prompt="act", call="k1", decision={"do": "knitting"})))
        tell(tmp_path, (4, Started(t=60, who=ADA, do="knitting", place="inn", until=900)))
        playwright_api.expect(page.locator("#now")).to_contain_text("06:01")
        page.evaluate("location.hash = '#t=2031-05-05T06:01:00&view=why&n=3&who=Ada+Ash'")
        playwright_api.expect(page.locator("#view")).to_contain_text("What will you do now?")
        page.close()
    assert troubles == []


def test_a_server_that_is_gone_is_said_to_be(browser: Any, tmp_path: Path) -> None:
    """A run that was killed leaves its page as it was, with a word about it."""
    folder_of(tmp_path, begun(), *placed((ADA, "inn")), state="running")
    with live_page() as live:
        live.follow(tmp_path)
        page = visit(browser, live.address, [])
        page.context.set_offline(True)
        playwright_api.expect(page.locator("#live")).to_contain_text("Nobody answers")
        page.context.set_offline(False)
        playwright_api.expect(page.locator("#live")).to_contain_text("follows the run")
        page.close()
