"""The report's figures: each is drawn into the page, panel by panel, and into files, all panels on one sheet."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element

import matplotlib

from sim.views.plots.canvas import Box, Panel, Sheet
from sim.views.plots.chart_page import EDGE, WIDTH, Page, draw_panels, rows_of
from sim.views.plots.style import FAINT
from sim.views.plots.text import Label, Typesetter
from sim.views.report.inline_svg import Inliner
from sim.views.report.markup import element

_COLUMNS = 3  # on a sheet
_PANEL = 3.7  # inches: as wide as a phone shows letters of 8 points well
_MARGIN = 0.06
_LETTERS = 28  # of an arm's name


class Figures:
    """Draws panels into the page, and keeps what is to become files."""

    def __init__(self, people: Iterable[str], arms: Sequence[str], subtitle: str, *, as_files: bool = True) -> None:
        typesetter = Typesetter()
        names = list(dict.fromkeys(people))
        self.people: Mapping[str, Label] = dict(zip(names, typesetter.names(names, "Resident"), strict=True))
        self.substitutes = {self.people[name].text: name for name in names if _is_substitute(self.people[name], name)}
        """What stands in the figures for a name that no font can draw, and the name."""
        self.arms: Mapping[str, Label] = dict(zip(arms, typesetter.names(arms, "Arm", _LETTERS), strict=True))
        self._key = tuple(typesetter.key)
        self._subtitle = typesetter.text(subtitle)
        self._typesetter, self._inliner = typesetter, Inliner()
        self._as_files = as_files
        self._sheets: dict[str, tuple[str, Page]] = {}

    @property
    def style(self) -> str:
        """The rules that the figures need."""
        return self._inliner.style

    def plain(self, text: str) -> Label:
        """Return a label for a title."""
        return self._typesetter.text(text)

    def show(self, stem: str, title: str, panels: Sequence[Panel], key: str = "") -> Element:
        """Return the panels side by side as far as the window goes; *stem* names the files that will show them all."""
        if panels and self._as_files:
            self._sheets[stem] = (title, self._sheet(title, panels, key))
        grid = element("div", *(self._figure(panel, title) for panel in panels), class_="grid")
        said = element("p", key, class_="key") if key else None
        return element("div", said, grid)

    def save(self, out: Path, formats: Sequence[str]) -> list[Path]:
        """Write the sheets into the folder *out*.

        Raises:
            OSError: If a file cannot be written.
        """
        return [path for stem, (title, page) in self._sheets.items() for path in page.save(out / stem, title, formats)]

    def _sheet(self, title: str, panels: Sequence[Panel], key: str) -> Page:
        page = Page(rows_of(panels, _COLUMNS), title, self._subtitle, self._key)
        if key:
            page.write(WIDTH - EDGE, 0.32, self.plain(key), size=8.5, color=FAINT, ha="right")
        draw_panels(page, panels, _COLUMNS)
        return page

    def _figure(self, panel: Panel, title: str) -> Element:
        sheet = Sheet(panel.height + 2 * _MARGIN, _PANEL + 2 * _MARGIN)
        sheet.figure.set_facecolor("none")
        panel.draw(sheet, Box(_MARGIN, _MARGIN, _PANEL, panel.height))
        for axes in sheet.figure.axes:
            axes.set_facecolor("none")
        with matplotlib.rc_context({"svg.fonttype": "none"}):  # letters stay letters: searched, copied, read aloud
            svg = sheet.svg(title)
        drawn = self._inliner.take(svg, f"{title}: {panel.title.text}", panel.description)
        caption = element("figcaption", element("span", panel.title.text, class_="t"), panel.description)
        return element("figure", caption, drawn)


def _is_substitute(label: Label, name: str) -> bool:
    return label.text.rstrip("…") not in " ".join(name.split())
