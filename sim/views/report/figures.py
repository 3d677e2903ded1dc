"""The report's figures: each is drawn into the page, panel by panel, and into files, all panels on one sheet."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element

import matplotlib

from sim.views.markup import element
from sim.views.plots.chart_page import Page, Panel, height_of_panels, new_figure, svg_of
from sim.views.plots.text import Typesetter
from sim.views.report.inline_svg import Inliner

_COLUMNS = 3  # on a sheet
_PANEL = 3.7  # inches: as wide as a phone shows letters of 8 points well
_LETTERS = 28  # of an arm's name


class Figures:
    """Draws panels into the page, and keeps what is to become files."""

    def __init__(self, people: Iterable[str], arms: Sequence[str], subtitle: str, *, as_files: bool = True) -> None:
        typesetter = Typesetter()
        names = list(dict.fromkeys(people))
        self.people: Mapping[str, str] = dict(zip(names, typesetter.names(names, "Resident"), strict=True))
        self.substitutes = {self.people[name]: name for name in names if _is_substitute(self.people[name], name)}
        """What stands in the figures for a name that no font can draw, and the name."""
        self.arms: Mapping[str, str] = dict(zip(arms, typesetter.names(arms, "Arm", _LETTERS), strict=True))
        self._key = tuple(typesetter.key)
        self._subtitle = typesetter.text(subtitle)
        self._typesetter, self._inliner = typesetter, Inliner()
        self._as_files = as_files
        self._sheets: dict[str, tuple[str, Page]] = {}

    @property
    def style(self) -> str:
        """The rules that the figures need."""
        return self._inliner.style

    def plain(self, text: str) -> str:
        """Return a title as the figures' letters can show it."""
        return self._typesetter.text(text)

    def show(self, stem: str, title: str, panels: Sequence[Panel], key: str = "") -> Element:
        """Return the panels side by side as far as the window goes; *stem* names the files that will show them all."""
        matplotlib.rcParams["font.family"] = self._typesetter.families
        if panels and self._as_files:
            page = Page(height_of_panels(panels, _COLUMNS), title, self._subtitle, self.plain(key), self._key)
            page.draw_panels(panels, _COLUMNS)
            self._sheets[stem] = (title, page)
        grid = element("div", *(self._figure(panel, title) for panel in panels), class_="grid")
        said = element("p", key, class_="key") if key else None
        return element("div", said, grid)

    def save(self, out: Path, formats: Sequence[str]) -> list[Path]:
        """Write the sheets into the folder *out*.

        Raises:
            OSError: If a file cannot be written.
        """
        return [path for stem, (title, page) in self._sheets.items() for path in page.save(out / stem, title, formats)]

    def _figure(self, panel: Panel, title: str) -> Element:
        figure = new_figure(_PANEL, panel.height + 0.1)
        figure.set_facecolor("none")
        axes = figure.subplots()
        axes.set_facecolor("none")
        panel.draw(axes)
        with matplotlib.rc_context({"svg.fonttype": "none"}):  # letters stay letters: searched, copied, read aloud
            svg = svg_of(figure, title)
        drawn = self._inliner.take(svg, f"{title}: {panel.title}", panel.description)
        caption = element("figcaption", element("span", panel.title, class_="t"), panel.description)
        return element("figure", caption, drawn)


def _is_substitute(shown: str, name: str) -> bool:
    return shown.rstrip("…") not in " ".join(name.split())
