"""The labels that a run's charts share: names of residents and places, title lines and the key."""

from collections.abc import Sequence

from sim.analysis.measures.timeline import RunSeries
from sim.times import label
from sim.views.plots.chart_page import Page
from sim.views.plots.text import Label, Typesetter

_PLACE = 45  # characters of a place's name: the legend has room


class RunLabels:
    """A drawable label for everything that a run's charts name."""

    def __init__(self, series: RunSeries, typesetter: Typesetter) -> None:
        self._series, self._typesetter = series, typesetter
        visited = {stay.place: None for resident in series.residents for stay in resident.stays if stay.place}
        ids = list(dict.fromkeys([*series.places, *visited]))
        names = [series.places.get(place, place) for place in ids]
        self.residents: list[Label] = typesetter.names([resident.name for resident in series.residents], "Resident")
        """In the run's order."""
        self.resident_key: Sequence[Label] = tuple(typesetter.key)
        self.places: dict[str, Label] = dict(zip(ids, typesetter.names(names, "Place", _PLACE), strict=True))
        """By id, visited or not."""

    def named(self) -> dict[str, Label]:
        """Return each resident's label by name."""
        return {one.name: label for one, label in zip(self._series.residents, self.residents, strict=True)}

    def plain(self, text: str) -> Label:
        """Return a label for our own words."""
        return self._typesetter.text(text)

    def page(self, height: float, title: str, *, with_places: bool = False) -> Page:
        """Return an empty page for a chart, with its title, what was run, and the key of replaced names."""
        key = self._typesetter.key if with_places else self.resident_key
        return Page(height, title, self._subtitle(), key)

    def _subtitle(self) -> Label:
        series = self._series
        residents = f"{len(series.residents)} resident{'' if len(series.residents) == 1 else 's'}"
        span = f"{label(series.start, 0)} to {label(series.start, series.ends)}"
        return self._typesetter.text(
            f"{series.scenario} · {residents} · reflection threshold {series.threshold:g} · {span}"
        )
