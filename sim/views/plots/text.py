"""Names as texts of a chart: in any script, one line each, told apart, in fonts that can draw them."""

import logging
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from matplotlib.font_manager import FontEntry, FontProperties, fontManager
from matplotlib.ft2font import FT2Font
from matplotlib.textpath import TextToPath

from sim.analysis.printable import without_controls

LONGEST = 28  # characters of a name: about two inches of a chart
_FIRST = "DejaVu Sans"  # comes with matplotlib
_POINTS = 72  # to an inch
# Families that are no use for names: boxes for every character, formulas, coloured pictures.
_NOT_FOR_NAMES = ("last resort", "stix", "cmb10", "cmex10", "cmmi10", "cmr10", "cmss10", "cmsy10", "cmtt10")
_NOT_FOR_NAMES_WORDS = ("display", "color", "math")
_log = logging.getLogger("townsfolk.plots")


class Font(NamedTuple):
    """A font family and the code points that it can draw."""

    family: str
    characters: Collection[int]


def installed_fonts() -> Iterator[Font]:
    """Yield matplotlib's own sans-serif font, then the installed ones, those made for many scripts first."""
    upright = {entry.name: entry.fname for entry in fontManager.ttflist if _is_for_names(entry)}
    for family in sorted(upright, key=_preference):
        yield Font(family, frozenset(FT2Font(upright[family]).get_charmap()))


def _is_for_names(entry: FontEntry) -> bool:
    """Return whether it has letters, upright ones of normal weight (others would be looked up in vain)."""
    family = entry.name.lower()
    is_upright = entry.style == "normal" and entry.weight in (400, "normal", "regular", "book")
    is_special = family.startswith(_NOT_FOR_NAMES) or any(word in family for word in _NOT_FOR_NAMES_WORDS)
    return is_upright and not is_special


def _preference(family: str) -> tuple[bool, bool, bool, str]:
    lower = family.lower()
    return family != _FIRST, "noto" not in lower, "sans" not in lower, family


class Typesetter:
    """Finds a drawable text for each name, and keeps a key of those that had to be replaced."""

    def __init__(self, fonts: Iterator[Font] | None = None) -> None:
        """Make one for a run's charts.

        Args:
            fonts: What can be used, best first; read only as far as needed.  None: what is installed.
        """
        self._more = fonts if fonts is not None else installed_fonts()
        self._fonts: list[Font] = []
        self._used: set[str] = set()
        self.key: list[str] = []
        """``Resident 3 = \\u6797\\u7f8e``, one for each name that is not shown as it is written."""

    @property
    def families(self) -> list[str]:
        """The fonts that hold what was asked for so far, the best first: matplotlib takes a letter from the first."""
        return [font.family for i, font in enumerate(self._fonts) if i == 0 or font.family in self._used]

    def text(self, text: str) -> str:
        """Return a line of free text; characters that no font holds are written as escapes."""
        missing = self._missing(text)
        return "".join(_escape(c) if c in missing else c for c in _cleaned(text))

    def names(self, names: Sequence[str], noun: str, at_most: int = LONGEST) -> list[str]:
        """Return a text for each name, all different; what no font can draw becomes ``<noun> <number>``."""
        texts: list[str] = []
        used: set[str] = set()
        for number, name in enumerate(names, 1):
            shown = self._shown(name, f"{noun} {number}")
            distinct = _distinct(_elided(shown, at_most), used)
            used.add(distinct)
            texts.append(distinct)
            if self._missing(name):
                self.key.append(f"{distinct} = {_elided(self.text(name), 60)}")
        return texts

    def warn(self) -> None:
        """Log, once for all charts, which names could not be drawn."""
        if self.key:
            _log.warning(
                "no installed font can draw some names, so the charts show substitutes: %s "
                "(install a font such as Noto Sans for that script)",
                "; ".join(self.key[:10]),
            )

    def _shown(self, name: str, substitute: str) -> str:
        missing = self._missing(name)
        kept = "".join(c for c in _cleaned(name) if c not in missing).strip()
        spoilt = any(unicodedata.category(c)[0] in "LMN" for c in missing)
        return substitute if spoilt or not kept else kept

    def _missing(self, text: str) -> set[str]:
        """Return the characters that no font can draw, and take note of the fonts that draw the others."""
        left = set(_cleaned(text))
        for font in self._all():
            held = {c for c in left if ord(c) in font.characters}
            self._used |= {font.family} if held else set()
            left -= held
            if not left:
                break
        return left

    def _all(self) -> Iterator[Font]:
        """Yield the fonts, reading further ones only when the earlier do not suffice."""
        yield from self._fonts
        for font in self._more:
            self._fonts.append(font)
            yield font


def width_of(text: str, size: float, weight: str = "normal") -> float:
    """Return how many inches *text* is wide in the present fonts."""
    font = FontProperties(size=size, weight=weight)
    return float(TextToPath().get_text_width_height_descent(text, font, False)[0]) / _POINTS


def fit_text(text: str, inches: float, size: float, weight: str = "normal") -> str:
    """Return *text*, cut until it is no wider than *inches*."""
    width = width_of(text, size, weight)
    cut = text
    if width > inches:
        cut = f"{text[: int(len(text) * inches / width) + 2].rstrip()}…"  # near enough to need few steps from there
    while len(cut) > 2 and width_of(cut, size, weight) > inches:
        cut = f"{cut[:-2].rstrip()}…"
    return cut


def _cleaned(text: str) -> str:
    """Return the text on one line, without the marks that only choose a letter's coloured form."""
    return without_controls(text).replace("\ufe0e", "").replace("\ufe0f", "")


def _elided(text: str, at_most: int) -> str:
    if len(text) <= at_most:
        return text
    end = at_most - 1
    while end > 1 and unicodedata.combining(text[end]):
        end -= 1  # an accent stays with its letter
    return text[:end].rstrip() + "…"


def _distinct(text: str, used: Collection[str]) -> str:
    candidates = (text if n == 1 else f"{text} ({n})" for n in range(1, len(used) + 2))
    return next(candidate for candidate in candidates if candidate not in used)


def _escape(character: str) -> str:
    return character.encode("ascii", "backslashreplace").decode("ascii")
