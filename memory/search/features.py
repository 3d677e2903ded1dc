"""What a search knows of each memory before anything is asked: its episode, who speaks in it, what it has to tell."""

import re
from array import array
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from memory.language.dates import tells_time
from memory.language.words import Reader, stem, words
from memory.storage.columns import Columns
from memory.times import DAY, EARLIEST, LATEST

Floats = NDArray[np.float32]

# What a memory lends to those around it, as shares of its own match: to the one after it, before it, and two away.
# An answer is told right after its question, so a question lends more.  Tuned with the terms' weights.
_TO_NEXT, _TO_LAST, _TO_SECOND_NEXT, _TO_SECOND_LAST = 0.8, 0.15, 0.5, 0.3
_QUESTION_LENDS = 1.4
_LONGEST = 2_000  # characters that are compared word by word

LOANS = (1, -1, 2, -2)
"""How far away those are that a memory lends to, in the order of `Features.loans`."""

# What says that something is no longer as it was said to be.
_UPDATES = re.compile(
    r"\b(?:no longer|not any ?more|used to (?!it\b|the\b)|these days|from now on|correction:|update:|is now|are now|"
    r"now (?:is|lives|works|prefers|likes)|(?:works?|lives?|is|am|are|drives?|uses?|plays?) [\w ]{1,40} now|"
    r"moved (?:to|into|out)|(?:was|were|been|got|we|I) (?:\w+ )?moved (?:the|our|it|to|from)|switched (?:to|from|over)|"
    r"(?:been|was|were|have|has|I|we|got) changed|changed (?:to|from|my|our|the \w+ to)|replaced (?:by|with)|"
    r"(?:postponed|rescheduled|put off|brought forward|renamed) (?:to|until|till|from)|cancell?ed|"
    r"got (?:engaged|married|divorced)|"
    r"(?:quit|sold|left) (?:my|his|her|their|our|the)|broke up|gave up|stopped \w+ing|"
    r"my new (?:job|flat|house|home|address|number|phone|car|boss|password|email|favou?rite))\b",
    re.IGNORECASE,
)
_FILLERS = frozenset(
    {"a", "an", "the", "is", "are", "was", "were", "am", "be", "been", "now", "still", "just", "again"}
)
_FILLERS |= {"also", "too", "really", "very", "so", "well", "oh", "ah", "yes", "please", "today"}


def gist(text: str) -> tuple[str, ...]:
    """Return what is compared of two texts that may say the same: stems in order, without words of degree."""
    said = tuple(stem(word) for word in words(text[:_LONGEST]) if word not in _FILLERS)
    return (*said, text[_LONGEST:]) if said else (text,)


class Features:
    """Grows with a stream's columns."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._asks, self._tells, self._updates = array("b"), array("b"), array("b")
        self._group = array("i")
        self._first_of: dict[int, int] = {}
        self._copies: dict[int, list[int]] = {}
        self._episode = array("i")
        self._spoken: list[array[int]] = []
        """By code of a subject, the memories that it speaks in, ascending."""
        self._unspoken = array("i")
        self._subject = array("i")
        self._episode_codes: dict[str, int] = {}
        self._episodes = 0
        self._subject_codes: dict[str, int] = {}
        self._names: dict[str, list[int]] = {}
        self.has_episodes = False
        self._made = 0

    def __len__(self) -> int:
        return len(self._asks)

    def extend(self, columns: Columns) -> None:
        """Learn of the memories that were added to *columns*."""
        for place in range(len(self), len(columns)):
            text = columns.texts[place]
            self._asks.append(text.rstrip().endswith(("?", "\uff1f", "\u061f")))  # also full-width, and Arabic
            self._tells.append(tells_time(text))
            self._updates.append(_UPDATES.search(text) is not None)
            self._episode.append(self._episode_code(columns.episodes.get(place + 1)))
            code = self._subject_code(columns.subject(place + 1))
            self._subject.append(code)
            (self._unspoken if code < 0 else self._spoken[code]).append(place)
            first = self._first_of.setdefault(hash((gist(text), code, columns.outcomes.get(place + 1))), place)
            self._group.append(first)
            if first != place:
                self._copies.setdefault(first, [first]).append(place)
        if self._made != len(self):
            self._make(columns)

    def remove(self, gone: Sequence[int]) -> None:
        """Forget what was learnt of memories; names that nobody else has go too."""
        away = set(gone)
        for place in away:
            self._asks[place] = self._tells[place] = 0
            self._episode[place] = self._subject[place] = -1
        self._spoken = [array("i", (place for place in own if place not in away)) for own in self._spoken]
        self._unspoken = array("i", sorted({*self._unspoken, *away}))
        left = {code for code, own in enumerate(self._spoken) if own}
        self._subject_codes = {name: code for name, code in self._subject_codes.items() if code in left}
        named = ((form, [code for code in codes if code in left]) for form, codes in self._names.items())
        self._names = {form: codes for form, codes in named if codes}
        there = set(self._episode)
        self._episode_codes = {name: code for name, code in self._episode_codes.items() if code in there}
        self._made = -1

    def measures(self, values: Floats) -> tuple[Floats, Floats]:
        """Return for each memory the mean of *values* over those of its speaker (nobody is one), and their spread.

        The spread is the standard deviation over the mean.
        """
        code = np.array(self._subject, dtype=np.int32) + 1
        count = np.maximum(np.bincount(code, weights=values > 0), 1)  # what holds no word is no measure
        mean = np.maximum(np.bincount(code, weights=values) / count, 1e-9)
        square = np.bincount(code, weights=values * values) / count
        spread = np.sqrt(np.maximum(square - mean * mean, 0)) / mean
        return mean[code].astype(np.float32), spread[code].astype(np.float32)

    def speakers(self, form: str) -> Sequence[int]:
        """Return the codes of the subjects that have a word as (part of) their name."""
        return self._names.get(form, ())

    def spoken_by(self, codes: Sequence[int]) -> Floats:
        """Return 1 for each memory whose subject is one of *codes*, 0 for the others."""
        spoken = np.zeros(len(self), dtype=np.float32)
        for code in codes:
            spoken[np.array(self._spoken[code], dtype=np.int32)] = 1
        return spoken

    def preferred(self, worth: Mapping[str, float]) -> Floats:
        """Return for each memory what it is worth that its subject speaks, in 0..1 of the most; case is no matter."""
        folded = {name.casefold(): value / max(worth.values()) for name, value in worth.items()}
        by_code = [0.0] * (len(self._spoken) + 1)
        for subject, code in self._subject_codes.items():
            by_code[code + 1] = folded.get(subject.casefold(), 0.0)
        return np.array(by_code, dtype=np.float32)[np.array(self._subject, dtype=np.int32) + 1]

    def best_of_episode(self, values: Floats) -> Floats:
        """Return for each memory the greatest of *values* within its episode; its own where it has none."""
        best = np.maximum.reduceat(values, self.starts)
        if self._is_torn:  # an episode that others interrupt has several runs
            whole = np.full(self._run_codes.max() + 1, -np.inf, dtype=np.float32)
            inside = self._run_codes >= 0
            np.maximum.at(whole, self._run_codes[inside], best[inside])
            best = np.where(inside, whole[self._run_codes], best)
        return best.repeat(self._run_lengths)

    @property
    def has_copies(self) -> bool:
        """Whether any two memories say the same."""
        return bool(self._copies)

    def copies(self, place: int) -> Sequence[int]:
        """Return the places of the memories that say the same as the one at *place*, ascending; empty: it is alone."""
        return self._copies.get(self._group[place], ())

    def group(self, place: int) -> int:
        """Return the place of the first memory that says the same as the one at *place*."""
        return self._group[place]

    def is_update(self, place: int) -> bool:
        """Tell whether a memory says that something is no longer as it was."""
        return bool(self._updates[place])

    def _make(self, columns: Columns) -> None:
        """Lay out as arrays what was learnt; O(n), and only after something was added."""
        self._made = count = len(self)
        asks = np.array(self._asks, dtype=np.bool_)
        created = columns.created
        self.first_day, self.last_day = int(created.min(initial=LATEST)), int(created.max(initial=EARLIEST))
        self.days = ((created - self.first_day) / DAY).astype(np.float32)
        """Days since the earliest memory."""
        self.in_order = bool((self.days[1:] >= self.days[:-1]).all())
        """Whether they ascend."""
        self.telling = (~asks).astype(np.float32)
        self.tells_time = np.array(self._tells, dtype=np.float32)
        self.nobody: NDArray[np.bool_] | None = None
        """Which memories have no subject; None: each has one."""
        if self._unspoken:
            self.nobody = np.zeros(count, dtype=np.bool_)
            self.nobody[np.array(self._unspoken, dtype=np.int32)] = True
        episode = np.array(self._episode, dtype=np.int32)
        self._make_runs(episode)
        lends = np.where(asks, np.float32(_QUESTION_LENDS), np.float32(1))
        self.loans: list[Floats] = []
        """For each of `LOANS`, what share of its match a memory lends that far away; 0 beyond its episode."""
        for offset, share in zip(LOANS, (_TO_NEXT, _TO_LAST, _TO_SECOND_NEXT, _TO_SECOND_LAST), strict=True):
            loan = np.zeros(count, dtype=np.float32)
            if abs(offset) < count:
                ahead, behind = slice(abs(offset), None), slice(None, -abs(offset))
                giver, taker = (behind, ahead) if offset > 0 else (ahead, behind)
                near = (episode[giver] == episode[taker]) & (episode[giver] >= 0)
                loan[giver] = near * np.float32(share)
            self.loans.append(loan * lends if offset == 1 else loan)

    def _make_runs(self, episode: NDArray[np.int32]) -> None:
        begins = np.ones(len(episode), dtype=np.bool_)
        begins[1:] = (episode[1:] != episode[:-1]) | (episode[1:] < 0)
        self.starts = np.flatnonzero(begins)
        self._run_codes = episode[self.starts]
        self._run_lengths = np.diff(self.starts, append=len(episode))
        self._is_torn = int((self._run_codes >= 0).sum()) > len(self._episode_codes)
        self.has_episodes = bool(self._episode_codes)

    def _episode_code(self, episode: str | None) -> int:
        if episode is not None and episode not in self._episode_codes:
            self._episode_codes[episode] = self._episodes
            self._episodes += 1
        return -1 if episode is None else self._episode_codes[episode]

    def _subject_code(self, subject: str | None) -> int:
        if subject is None:
            return -1
        if subject not in self._subject_codes:
            code = self._subject_codes[subject] = len(self._spoken)
            self._spoken.append(array("i"))
            if all(part[:1].isupper() for part in subject.split()):  # a person, not a coffee machine
                for word in self._reader.read(subject, learn=False):
                    self._names.setdefault(word.form, []).append(code)
        return self._subject_codes[subject]
