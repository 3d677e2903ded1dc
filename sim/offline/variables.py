"""What the variables of the town's prompts say: who somebody is, what the town has, what is remembered."""

import re
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple

from memory.language.moments import find_moment
from sim.times import DAY, DAYS, HOUR, MINUTE, MONTHS, parse_clock

_ITEM = re.compile(r"- (\d{2}:\d{2})-(\d{2}:\d{2}) at (.+?): (.+?)(?: \(([A-Z][a-z]{2}(?:, [A-Z][a-z]{2})*)\))?")
_PLACE = re.compile(r"- (.+?)(?: \(open (\d{2}:\d{2})-(\d{2}:\d{2})\))?(?: \((?!open)([^()]*)\))?(?:: (.*))?")
_UNFIT = re.compile(
    r"\b(?:closed|shut|flood\w*|burn\w*|on fire|collaps\w*|destroyed|locked|evacuated|sealed|under water|unsafe)\b",
    re.IGNORECASE,
)
_HOUSE = re.compile(
    r"\b(?:house|flat|cottage|home|dorm\w*|apartment|rooms?|hut|cell|cabin|farm|bunks?|berths?)\b", re.IGNORECASE
)


class UsualItem(NamedTuple):
    """One line of somebody's usual day."""

    begin: int
    """Second of the day."""
    until: int
    """Above *begin*: past midnight it exceeds 86400."""
    place: str
    do: str
    days: tuple[str, ...]
    """Short names of the weekdays; empty for all."""

    def on(self, day: date) -> bool:
        """Return whether this belongs to *day*."""
        return not self.days or DAYS[day.weekday()][:3] in self.days


class Summary(NamedTuple):
    """Who somebody is, as the prompts' `agent_summary` says it."""

    home: str | None
    work: str | None
    about: str
    """The first paragraph: traits and summary."""
    usual: tuple[UsualItem, ...]
    knows: dict[str, str]
    bed: int | None = None
    """Second of the day of going to bed; below noon it is the next day's."""
    wants: tuple[str, ...] = ()
    """What one wishes for, where it is said."""
    against: tuple[str, ...] = ()

    @property
    def places(self) -> list[str]:
        """The places that belong to this life."""
        own = [self.home, self.work, *(item.place for item in self.usual)]
        return list(dict.fromkeys(place for place in own if place))

    def usual_at(self, moment: datetime) -> UsualItem | None:
        """Return what is usual at *moment*."""
        second = moment.hour * HOUR + moment.minute * MINUTE
        for item in self.usual:
            today = item.on(moment.date()) and item.begin <= second < item.until
            if today or (item.on(moment.date() - timedelta(days=1)) and second + DAY < item.until):
                return item
        return None

    def works_at(self, moment: datetime) -> bool:
        """Return whether *moment* falls into the usual hours at work, the last half hour left out."""
        now, later = self.usual_at(moment), self.usual_at(moment + timedelta(minutes=30))
        return self.work is not None and all(
            item is not None and (item.place == self.work or item.place.startswith(f"{self.work}, "))
            for item in (now, later)
        )

    def asleep_at(self, moment: datetime) -> bool:
        """Return whether *moment* is past bedtime; who goes to bed after midnight is up all evening."""
        second = moment.hour * HOUR + moment.minute * MINUTE
        if self.bed is None:
            return False
        if self.bed < DAY // 2:
            return self.bed <= second < 5 * HOUR
        return second >= self.bed or second < 5 * HOUR


class TownPlace(NamedTuple):
    """A place, as the prompts' town map says it."""

    name: str
    opens: int
    closes: int
    """0 and 86400 where it never closes; past midnight it exceeds 86400."""
    state: str = ""

    @property
    def is_unfit(self) -> bool:
        """Whether nobody can be there as it is: flooded, closed."""
        return is_unfit(self.state)

    @property
    def is_house(self) -> bool:
        """Whether somebody lives there, by its name."""
        return bool(_HOUSE.search(self.name))

    def is_open(self, begin: int, until: int) -> bool:
        """Return whether it is open from *begin* to *until* (seconds of the day)."""
        today = self.opens <= begin and until <= self.closes
        return today or (self.opens <= begin + DAY and until + DAY <= self.closes)


def is_unfit(text: str) -> bool:
    """Return whether *text* says that nobody can be somewhere."""
    return bool(_UNFIT.search(text))


def parse_time(text: str) -> datetime | None:
    """Return the moment that the prompts' `time` names, None for another form."""
    said = find_moment(text, datetime(2000, 1, 1))
    if said is None or said.start is None:
        return None
    return datetime.combine(said.date, time()) + timedelta(seconds=said.start)


def parse_summary(text: str) -> Summary:
    """Return what *text* says; what is not in the usual form counts as being about the person."""
    about: list[str] = []
    usual: list[UsualItem] = []
    knows: dict[str, str] = {}
    home = work = bed = None
    sides: dict[str, tuple[str, ...]] = {}
    part = "about"
    for line in text.splitlines():
        line = line.strip()
        if line in ("Usual day:", "Knows:"):
            part = line
        elif line.startswith("Home: ") and ". Up at " in line:
            home, work = _home_and_work(line)
            bed = _bedtime(line)
        elif side := re.fullmatch(r"(Wants|Against|Is against): (.+)", line):
            sides[side[1]] = tuple(one.strip() for one in re.split(r"[;.]", side[2]) if one.strip())
        elif part == "Usual day:" and (match := _ITEM.fullmatch(line)):
            usual.append(_item(match))
        elif part == "Knows:" and line.startswith("- "):
            name, _, how = line[2:].partition(": ")
            knows[name] = how
        elif part == "about" or line.startswith("Lately: "):
            about.append(line.removeprefix("Lately: "))
    against = sides.get("Against", ()) + sides.get("Is against", ())
    return Summary(home, work, " ".join(about), tuple(usual), knows, bed, sides.get("Wants", ()), against)


def _home_and_work(line: str) -> tuple[str, str | None]:
    places = line[len("Home: ") : line.rindex(". Up at ")]
    home, _, work = places.partition(". Work: ")
    return home, work or None


def _bedtime(line: str) -> int | None:
    match = re.search(r"to bed at (\d\d:\d\d)\.$", line)
    return _clock(match[1]) if match else None


def _clock(text: str) -> int:
    """Return the second of the day of ``08:15``, 0 for what no clock shows."""
    try:
        return parse_clock(text)
    except ValueError:
        return 0


def _item(match: re.Match[str]) -> UsualItem:
    begin, until = _clock(match[1]), _clock(match[2])
    days = tuple(match[5].split(", ")) if match[5] else ()
    return UsualItem(begin, until if until > begin else until + DAY, match[3], match[4], days)


@lru_cache(maxsize=8)  # every prompt of a town holds the same map, and of a town of hundreds it is long
def parse_map(text: str) -> tuple[TownPlace, ...]:
    """Return the places of a town map, one a line."""
    places = []
    for line in text.splitlines():
        match = _PLACE.fullmatch(line.strip())
        if match:
            opens, closes = (_clock(match[2]), _clock(match[3])) if match[2] else (0, DAY)
            closes += 0 if closes > opens else DAY
            places.append(TownPlace(match[1], opens, closes, match[4] or ""))
    return tuple(places)


def clock_words(second: int) -> str:
    """Return a second of the day as ``08:15``, also past midnight."""
    return f"{second % DAY // 3600:02}:{second % 3600 // MINUTE:02}"


_LABEL = (
    rf"(?P<weekday>{'|'.join(day[:3] for day in DAYS)}) (?P<day>\d{{1,2}}) "
    rf"(?P<month>{'|'.join(month[:3] for month in MONTHS)}) (?P<hour>\d{{2}}):(?P<minute>\d{{2}})"
)
_MEMORY = re.compile(rf"\s*(?:-\s+(?:{_LABEL}:\s*)?|(?P<number>\d+)\.\s+)?(?P<text>.*\S)\s*")


class MemoryLine(NamedTuple):
    """One memory as it stands in a prompt."""

    when: datetime | None
    """None where the line has no label, or nothing tells the year."""
    text: str
    number: int | None = None
    """The statement's number in a numbered block."""


def parse_memories(block: str, now: datetime | None = None) -> list[MemoryLine]:
    """Return the memories of a prompt's block, one a line: ``- Mon 13 Feb 08:00: text`` or ``1. text``.

    Args:
        now: The present, which settles the year, which labels leave out: the closest with that weekday.
    """
    memories = []
    for line in block.splitlines():
        match = _MEMORY.fullmatch(line)
        if match:
            number = match["number"]
            # int() would refuse absurdly long digits; such a line is no numbered statement.
            short = int(number) if number and len(number) < 9 else None
            memories.append(MemoryLine(_labelled(match, now), match["text"], short))
    return memories


def _labelled(match: re.Match[str], now: datetime | None) -> datetime | None:
    """Return the moment of a label such as ``Mon 13 Feb 08:00``, in the year closest to *now*."""
    if now is None or not match["weekday"]:
        return None
    month = [name[:3] for name in MONTHS].index(match["month"]) + 1
    found = []
    for year in range(max(now.year - 6, 1), min(now.year + 7, 9999)):  # a weekday returns within six years
        try:
            moment = datetime(year, month, int(match["day"]), int(match["hour"]), int(match["minute"]))
        except ValueError:
            continue
        found.append((DAYS[moment.weekday()][:3] != match["weekday"], abs(moment - now), moment))
    return min(found)[2] if found else None
