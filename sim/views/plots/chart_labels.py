"""The labels that a run's charts share: names of residents and places, title lines and the key."""

from collections.abc import Sequence

from sim.analysis.measures.timeline import RunSeries
from sim.times import label
from sim.views.plots.chart_page import Page
from sim.views.plots.text import Typesetter

_PLACE = 45  # characters of a place's name: the legend has room


class RunLabels:
    """A drawable text for everything that a run's charts name."""

    def __init__(self, series: RunSeries, news: Sequence[str], typesetter: Typesetter) -> None:
        visited = {stay.place: None for resident in series.residents for stay in resident.stays if stay.place}
        ids = list(dict.fromkeys([*series.places, *visited]))
        names = [series.places.get(place, place) for place in ids]
        self.residents = typesetter.names([resident.name for resident in series.residents], "Resident")
        """In the run's order."""
        self.named = {one.name: text for one, text in zip(series.residents, self.residents, strict=True)}
        """The same by name."""
        self.resident_key: Sequence[str] = tuple(typesetter.key)
        self.places = dict(zip(ids, typesetter.names(names, "Place", _PLACE), strict=True))
        """By id, visited or not."""
        self.news = {name: typesetter.text(name) for name in news}
        """What can be known, by its name in the scenario."""
        self._key, self._subtitle = typesetter.key, typesetter.text(_subtitle_of(series))

    def page(self, height: float, title: str, note: str = "", *, with_places: bool = False) -> Page:
        """Return an empty page for a chart, with its title, what was run, and the key of replaced names."""
        return Page(height, title, self._subtitle, note, self._key if with_places else self.resident_key)


def _subtitle_of(series: RunSeries) -> str:
    residents = f"{len(series.residents)} resident{'' if len(series.residents) == 1 else 's'}"
    span = f"{label(series.start, 0)} to {label(series.start, series.ends)}"
    return f"{series.scenario} · {residents} · reflection threshold {series.threshold:g} · {span}"
