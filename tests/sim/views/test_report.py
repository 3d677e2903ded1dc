"""The report of a study: one page that loads nothing, shows everything, and takes every text for data."""

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sim.analysis.compare import Row
from sim.analysis.compare.statistics import Interval
from sim.analysis.compare.table import possible
from sim.errors import RunError
from sim.scenario.measure_names import describe
from sim.views.markup import element
from sim.views.plots.charts import drawing
from sim.views.plots.dot_plot import ArmDots, _limits
from sim.views.report import write_report
from sim.views.report.document import facts_list
from sim.views.report.figures import Figures
from sim.views.report.files import gather
from sim.views.report.sections import _still, measures
from sim.views.report.tables import signed
from tests.studies import tiny_study

pytestmark = pytest.mark.slow

PEOPLE = ["Ann Ash", "Ben Birch", "Cy Cedar", "Dot Dale"]
ATTACK = "<img src=x onerror=alert(1)><script>alert(2)</script>"
ODD = [ATTACK, "$$", "_x", "\u202eevil", "x" * 300, "林美", "ليلى", "a\nb\x00c", "& &amp; \"'", "]]>-->"]
VOID = {"meta", "link", "br", "hr", "img", "input"}


class Page(HTMLParser):
    """Reads a page: its tags, attributes and texts, and whether each tag is closed in turn."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self.wrong: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of a tag."""
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Take note of a tag that closes another."""
        if not self._open or self._open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data: str) -> None:
        """Take note of a text."""
        self.texts.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """Return the attributes of each such tag."""
        return [attributes for name, attributes in self.tags if name == tag]


def report(folder: Path, arms: list[str], seeds: int, people: list[str], **more: str) -> str:
    """Write a tiny study's report, without files of figures, and return it."""
    folders, loaded = tiny_study(folder, arms, seeds, people, **more)
    return write_report(folders, folder / "report.html", formats=(), loaded=loaded).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A report of two arms with three seeds."""
    return report(tmp_path_factory.mktemp("plain"), ["full", "mute"], 3, PEOPLE)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A report in which every text of the runs is an attack or an oddity."""
    return report(
        tmp_path_factory.mktemp("hostile"), [ATTACK, "$x^2$ _"], 2, ODD, thing=ATTACK, said=ATTACK + "\u202e\x1b[2J"
    )


def test_every_section_is_there_and_reached_from_the_head(plain: str) -> None:
    """The links at the head lead to all sections, each with its heading."""
    page = Page(plain)
    ids = {attributes["id"] for attributes in page.all("section")}
    assert {f"#{name}" for name in ids} == {a["href"] for a in page.all("a")}
    assert ids >= {
        "short",
        "measures",
        "table",
        "diffusion",
        "told",
        "came",
        "network",
        "reflection",
        "parting",
        "runs",
    }
    assert not page.wrong


def test_facts_name_the_study(plain: str) -> None:
    """Arms, seeds, model, calls, tokens and dollars stand at the head."""
    texts = Page(plain).texts
    facts = {texts[i]: texts[i + 1] for i in reversed(range(len(texts) - 1))}
    assert (facts["Seeds"], facts["Calls"], facts["Tokens"], facts["Dollars"]) == ("1 to 3", "600", "6,060", "$1.50")
    assert (facts["Scenario"], facts["Baseline"], facts["Model"]) == ("Tiny", "full", "m")


def test_policy_allows_the_pages_own_style_and_nothing_else(plain: str) -> None:
    """The content policy forbids all but the one style sheet, whose hash it names; it stands before any style."""
    policy = next(m["content"] for m in Page(plain).all("meta") if m.get("http-equiv") == "Content-Security-Policy")
    style = re.search(r"<style>(.*?)</style>", plain, re.DOTALL)
    assert style
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert plain.index("Content-Security-Policy") < plain.index("<style>")


def test_page_asks_nobody_for_anything(hostile: str) -> None:
    """No script, no inline style, no handler, and no address but places within the page."""
    page = Page(hostile)
    names = {name for name, _ in page.tags}
    assert {"body", "svg", "table"} <= names
    assert not names & {"script", "img", "link", "iframe", "object", "embed", "base", "form", "foreignobject", "image"}
    for _, attributes in page.tags:
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "src", "xlink:href")]
        assert (attributes.get("href") or "#").startswith("#")
    assert "@import" not in hostile
    assert not re.search(r"url\((?!#)", hostile)


def test_se07_every_text_is_data(hostile: str) -> None:
    """SE-07: names, arms, things and utterances come out as text, and none of them as markup."""
    page = Page(hostile)
    assert not page.wrong
    assert ATTACK in page.texts
    assert any("onerror" in text for text in page.texts)


def test_marks_that_turn_writing_or_steer_are_shown_or_gone(hostile: str) -> None:
    """Right-to-left overrides, escapes and NUL never stand in the page; a name keeps its direction to itself."""
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", hostile)
    assert "ليلى" in hostile
    assert Page(hostile).all("bdi")


def test_figures_read_aloud(plain: str) -> None:
    """Each figure is an image with a title and a description of its own, and no two things share an id."""
    page = Page(plain)
    ids = [attributes["id"] for _, attributes in page.tags if attributes.get("id")]
    assert len(ids) == len(set(ids))
    drawn = page.all("svg")
    assert len(drawn) >= 10
    for attributes in drawn:
        assert attributes["role"] == "img"
        assert set(str(attributes["aria-labelledby"]).split()) <= set(ids)


def test_figures_take_their_colours_from_the_page(plain: str) -> None:
    """Ink, lines and grounds follow light and dark; no text keeps a colour of its own."""
    style = plain[plain.index("<style>") : plain.index("</style>")]
    assert "prefers-color-scheme:dark" in style
    looks = re.findall(r"^\.s\d+\{(.*)\}$", style, re.MULTILINE)
    assert looks
    assert not re.findall(r"#[0-9a-f]{6}", "".join(looks))


def test_references_within_figures_lead_somewhere(plain: str) -> None:
    """What a figure uses or is clipped by stands in the page."""
    page = Page(plain)
    ids = {attributes["id"] for _, attributes in page.tags if attributes.get("id")}
    used = {str(a["href"])[1:] for a in page.all("use")} | set(re.findall(r"url\(#([^)]*)\)", plain))
    assert used
    assert used <= ids


def test_tables_have_captions_and_scopes(plain: str) -> None:
    """Every table says what it shows, and each heading what it heads."""
    page = Page(plain)
    assert len(page.all("caption")) == len(page.all("table")) > 4
    assert all(attributes.get("scope") for attributes in page.all("th"))


def test_too_few_seeds_claim_nothing(plain: str) -> None:
    """With three seeds no star is printed but in the caption, and the page says that seeds are too few."""
    texts = Page(plain).texts
    assert "No difference between the arms can be claimed from these runs." in texts
    assert not [text for text in texts if "★" in text and "Holm" not in text]
    assert any("smallest possible p is 0.25" in text for text in texts)


def test_who_told_whom_stands_in_words_as_well(plain: str) -> None:
    """The tree is written as lists, each with how and when it was heard."""
    texts = Page(plain).texts
    assert any("told Mon 5 May 08:00" in text for text in texts)
    assert any("by own thought, Mon 5 May 07:00" in text for text in texts)


def test_parting_shows_both_sides(plain: str) -> None:
    """Where an arm's run leaves the baseline's of the same seed, both sides are told."""
    texts = " ".join(Page(plain).texts)
    assert '"concert 0"' in texts
    assert '"concert 1"' in texts


def test_measure_without_value_says_why(plain: str) -> None:
    """What applies to no run is not drawn but named, with the reason."""
    assert any("nobody knows anybody" in text for text in Page(plain).texts)
    assert "nan" not in plain.lower().replace("nano", "")


def test_same_runs_give_the_same_page(tmp_path: Path) -> None:
    """No time, no chance: the page's bytes depend on the runs alone."""
    folders, loaded = tiny_study(tmp_path, ["full"], 1, PEOPLE[:2])
    one, other = (
        write_report(folders, tmp_path / name, formats=(), loaded=loaded).read_bytes() for name in ("a.html", "b.html")
    )
    assert one == other


def test_figures_are_files_as_well(tmp_path: Path) -> None:
    """Each kind of figure stands in plots/ as PNG and SVG, and nothing half-written beside them."""
    folders, loaded = tiny_study(tmp_path / "s", ["full"], 1, PEOPLE[:2])
    write_report(folders, tmp_path / "out" / "report.html", loaded=loaded)
    names = sorted(path.name for path in (tmp_path / "out" / "plots").iterdir())
    assert {"network.png", "network.svg", "reflection.png", "diffusion_1_concert.svg", "told_1_concert.png"} <= set(
        names
    )
    assert not [name for name in names if name.endswith(".tmp")]


def test_forty_arms_fit_in_one_figure(tmp_path: Path) -> None:
    """Forty arms stand below each other in the figure of a measure, and side by side in the table."""
    arms = ["full", *(f"arm {number}" for number in range(39))]
    folders, loaded = tiny_study(tmp_path, arms, 1, PEOPLE)
    with drawing():
        figures = Figures(PEOPLE, arms, "Tiny", as_files=False)
        found = gather(folders, None, loaded, None)
        drawn = ElementTree.tostring(element("div", *measures(found, figures)), encoding="unicode")
    assert drawn.count("arm 38") >= 4
    assert len(drawn) < 300_000


def test_folder_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    """A file in the place of the folder is an error that names the report."""
    folders, loaded = tiny_study(tmp_path / "s", ["full"], 1, PEOPLE[:2])
    (tmp_path / "out").write_text("")
    with pytest.raises(RunError, match="cannot write the report"):
        write_report(folders, tmp_path / "out" / "report.html", formats=(), loaded=loaded)


def test_rp08_without_a_run_there_is_no_report(tmp_path: Path) -> None:
    """A folder without a run is an error of one sentence, and leaves no file."""
    with pytest.raises(RunError, match="no run"):
        write_report(tmp_path, tmp_path / "report.html")
    assert not list(tmp_path.iterdir())


def test_texts_between_elements_stay_in_order() -> None:
    """Text before and after a child stands where it was put."""
    made = element("p", "a<b", element("b", "c"), "d", None, "e", class_="x", aria_label="l")
    assert (made.text, made[0].tail, made.attrib) == ("a<b", "de", {"class": "x", "aria-label": "l"})


def test_arms_of_one_life_show_it_once(tmp_path: Path) -> None:
    """Where arms differ in the interviews alone, the one life of a seed is drawn and paid for once."""
    folders, loaded = tiny_study(tmp_path, ["full", "mute"], 1, PEOPLE)
    path = loaded.measured[0].facts.path
    shared = [replace(one, facts=replace(one.facts, path=path)) for one in loaded.measured]
    found = gather(folders, None, replace(loaded, measured=tuple(shared)), None)
    assert [run.arm for run in found.lives] == [run.arm for run in found.shown()] == ["full"]
    assert not found.divergences


def test_shown_runs_share_a_seed_where_they_can(tmp_path: Path) -> None:
    """Side by side stand runs of the seed that most arms have."""
    folders, loaded = tiny_study(tmp_path, ["full", "mute"], 2, PEOPLE)
    kept = [i for i, cell in enumerate(loaded.cells) if (cell.arm, cell.seed) != ("mute", 1)]
    fewer = replace(
        loaded, cells=tuple(loaded.cells[i] for i in kept), measured=tuple(loaded.measured[i] for i in kept)
    )
    assert [(run.arm, run.seed) for run in gather(folders, None, fewer, None).shown()] == [("full", 2), ("mute", 2)]


def test_a_study_that_broke_says_so_and_counts_its_interviews(tmp_path: Path) -> None:
    """The head names the cells that came to no end; calls are those of all cells, interviews included."""
    folders, loaded = tiny_study(tmp_path, ["full"], 1, PEOPLE[:2])
    used = {"calls": 70, "tokens_in": 5, "tokens_out": 1, "dollars": 0.125}
    cells = [{"arm": "full", "seed": 1, "state": "done", **used}, {"arm": "mute", "seed": 1, "state": "failed", **used}]
    found = replace(gather(folders, None, loaded, None), study={"cells": cells})
    said = "".join(facts_list(found).itertext())
    assert "Cells1 of 2; broken: mute, seed 1 (failed)" in said
    assert "Calls140Tokens12Dollars$0.25" in said


def test_what_only_some_arms_have_is_not_the_same_in_every_run() -> None:
    """As in the paper's design, where the arms are asked differently and live once."""
    full = Row("feuds", "full", ((1, 2.0), (2, 2.0)), 2, 2.0, 0.0, None)
    mute, half = (replace(full, arm="mute", values=full.values[:n]) for n in (0, 1))
    said = ["".join(part.itertext()) for part in _still([[full], [full, mute], [full, half]])]
    assert said == [
        "The same in every run: Feuds 2.",
        "Of full alone: Feuds 2.",
        "The same wherever there is a value: Feuds 2.",
    ]


def test_the_interval_of_a_share_ends_at_all_of_them() -> None:
    """Nobody reads of 108 % or of -3 hours; of what may be below 0 nothing is cut off."""
    wide = Interval(-0.5, 1.08)
    assert possible(wide, describe("plan adherence")) == (0, 1)
    assert possible(wide, describe("talks")) == (0, 1.08)
    assert possible(wide, describe("affinity")) == possible(wide, describe("my own")) == wide


def test_no_difference_has_no_sign() -> None:
    """What rounds to 0 is neither more nor less."""
    share = describe("plan adherence")
    assert (share.format(-0.0001), signed(share, -0.0001)) == ("0.0 %", "±0.0 points")
    assert signed(share, -0.02) == "−2.0 points"


@pytest.mark.parametrize("low", [0.9852, 98.52])
def test_a_narrow_axis_is_widened(low: float) -> None:
    """A thousandth of difference does not fill the figure."""
    begins, ends = _limits([ArmDots("x", (low, low * 1.0002), low, None, 0)])
    assert 0.05 < (ends - begins) / low < 0.06
    assert begins < low < low * 1.0002 < ends
