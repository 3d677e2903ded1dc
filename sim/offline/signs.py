"""The patterns by which the offline mind reads what a sentence is about, kept in a file of their own."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from sim.scenario.strict_yaml import parse_yaml


def read_lists(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the named lists of texts in one of this wing's files."""
    read = parse_yaml((files("sim.offline") / name).read_text(encoding="utf-8"), name)
    return {key: tuple(one.text or "" for one in listed.items) for key, listed in read.fields.items()}


_lists = cache(read_lists)


@cache
def sign(name: str) -> re.Pattern[str]:
    """Return the pattern of that name, case aside."""
    return re.compile("|".join(_lists("signs.yaml")[name]), re.IGNORECASE)
