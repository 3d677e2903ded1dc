"""Who a resident is, as every prompt tells it: what the scenario says, and what the stream has shown since."""

from collections.abc import Mapping

from sim.mind.observation import summary_of
from sim.mind.reply_schemas import SelfSummary
from sim.scenario import Person

RENEWAL = "renew_summary"  # the prompt
LATELY = "Lately: "
QUERIES: Mapping[str, str] = {
    "characteristics": "{name}'s core characteristics",
    "occupation": "{name}'s current daily occupation",
    "feeling": "{name}'s feeling about recent progress in life",
}
"""What the stream is asked for each part of a summary (Park et al. 2023, appendix A), by the prompt's variable."""


class Identity:
    """Who *person* is as things stand."""

    def __init__(self, person: Person, place_names: Mapping[str, str]) -> None:
        self._planned = summary_of(person, place_names)
        self._unplanned = summary_of(person, place_names, has_routine=False)
        self.lately = ""
        """What was last said of the person in the light of their memories; "" where nothing was."""

    def words(self, *, planning: bool = True) -> str:
        """Return the summary; who makes no plans has no usual day in it either."""
        fixed = self._planned if planning else self._unplanned
        return f"{fixed}\n{LATELY}{self.lately}" if self.lately else fixed

    def renew(self, said: SelfSummary) -> None:
        """Take *said* for what is so lately."""
        self.lately = lately_words(said)


def lately_words(said: SelfSummary) -> str:
    """Return the parts of a renewed summary as one line of sentences."""
    parts = (" ".join(part.split()) for part in said.texts)
    return " ".join(part if part.endswith((".", "!", "?")) else f"{part}." for part in parts if part)
