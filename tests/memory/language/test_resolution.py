"""Tests of whom a short text means."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.resolution import plain_name, resolve_person, twin_key

NAMES = ["Bo Lindqvist", "Bo Lind", "Lily Arne", "Lily Berg", "Zoë Ek", "Dr. Ada Marsh", "Nora", "李明"]


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("Bo Lindqvist, because Bo Lind is asleep.", "Bo Lindqvist"),
        ('"Bo Lindqvist"', "Bo Lindqvist"),
        ("Bo Lindqvist (a friend)", "Bo Lindqvist"),
        ("Mr. Bo Lindqvist", "Bo Lindqvist"),
        ("Lindqvist", "Bo Lindqvist"),
        ("B. Lindqvist", "Bo Lindqvist"),
        ("Lindqvist, Bo", "Bo Lindqvist"),
        ("Bo\u00a0Lindqvist", "Bo Lindqvist"),
        ("Bo  Lindqvist", "Bo Lindqvist"),
        ("Bo\u200bLindqvist", "Bo Lindqvist"),
        ("**BO LINDQVIST**", "Bo Lindqvist"),
        ("Lily B.", "Lily Berg"),
        ("Nora, since Lily Berg is busy", "Nora"),
        ("not Nora but Ada", "Dr. Ada Marsh"),
        (unicodedata.normalize("NFD", "zoë ek"), "Zoë Ek"),
        ("Zoe", "Zoë Ek"),
        ("Dr. Marsh", "Dr. Ada Marsh"),
        ("李明吧", "李明"),
    ],
    ids=str,
)
def test_a_name_is_found_whatever_stands_around_it(text: str, who: str) -> None:
    """Case, spaces, quotes, titles, remarks and short forms do not hide whom a text means."""
    assert resolve_person(text, NAMES).person == who


@pytest.mark.parametrize(
    ("text", "people"), [("Lily", ("Lily Arne", "Lily Berg")), ("Nora and Lily Berg", ("Nora", "Lily Berg"))], ids=str
)
def test_a_name_that_several_bear_means_any_of_them(text: str, people: tuple[str, ...]) -> None:
    """Nobody is chosen where a text may mean more than one."""
    assert resolve_person(text, NAMES).people == people


@pytest.mark.parametrize("text", ["Lily Smith", "Anna Lindqvist", "Bo Lindqvistsson", "Nora's mother", "Hugo"])
def test_a_part_of_anothers_name_means_none_of_them(text: str) -> None:
    """Somebody else with the same first name or surname is not taken for the one who is known."""
    found = resolve_person(text, NAMES)
    assert not found.people
    assert not found.nobody


@pytest.mark.parametrize("text", ["", "null", "None.", "nobody", "No one, because it is late", "-", "nobody (Bo Lind)"])
def test_some_words_mean_nobody(text: str) -> None:
    """A model that wants to talk to nobody may say so in words."""
    assert resolve_person(text, NAMES).nobody


@given(st.text(max_size=20))
def test_normalising_a_name_twice_changes_nothing(text: str) -> None:
    """A name that has been normalised is its own normal form."""
    assert plain_name(plain_name(text)) == plain_name(text)


@given(st.sampled_from(NAMES), st.sampled_from(["NFC", "NFD"]), st.sampled_from(["\u00a0", "  ", "\u200b ", "\u2003"]))
def test_spelling_variants_of_a_name_share_its_key(name: str, form: str, space: str) -> None:
    """How accents are coded, case and kinds of spaces make no other person."""
    variant = unicodedata.normalize(form, name).upper().replace(" ", space)  # type: ignore[arg-type]
    assert twin_key(variant) == twin_key(name)
    assert resolve_person(variant, NAMES).person == name
