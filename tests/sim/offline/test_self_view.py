"""The offline mind renews who one is from what one remembers, by name and without secrets."""

import json

from sim.offline.choice import Dice
from sim.offline.self_view import renew
from sim.offline.variables import parse_summary

BASE = {
    "agent_name": "Ann Lee", "agent_summary": "Ann Lee, 30.", "time": "Tuesday 14 February 2023, 07:00",
    "characteristics": "", "occupation": "", "feeling": "",
}  # fmt: skip


def said(**blocks: str) -> dict[str, str]:
    """Return the renewed summary of who remembers *blocks*."""
    found: dict[str, str] = json.loads(renew({**BASE, **blocks}, len, Dice(1)))
    return found


def test_what_weighs_most_is_told_by_name() -> None:
    """One's own conclusion, in the third person; what others do is no trait of one's own."""
    lines = (
        "- Mon 13 Feb 10:00: Cy Roe is mending a net at the pier.\n- Mon 13 Feb 11:00: I look forward to my recital."
    )
    assert (
        said(feeling=lines)["feeling"] == "Ann Lee looks forward to her recital."
        or "Ann Lee looks forward to" in (said(feeling=lines)["feeling"])
    )


def test_a_secret_is_no_part_of_it() -> None:
    """What nobody may know stays out of what every prompt tells."""
    found = said(feeling="- Mon 13 Feb 10:00: I am secretly in love with Cy Roe.")
    assert "love" not in " ".join(found.values())


def test_what_is_so_lately_is_read_as_being_about_the_person() -> None:
    """It stands last in the summary, behind the usual day."""
    text = (
        "Ann Lee, 30. Friendly.\nHome: Loft. Up at 07:00, to bed at 22:00.\nUsual day:\n- 09:00-10:00 at Loft: knitting"
    )
    assert "Ann Lee looks forward to spring" in parse_summary(f"{text}\nLately: Ann Lee looks forward to spring.").about
