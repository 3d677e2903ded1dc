"""Strict YAML: text stays as written, mistakes are one line with a place and a remedy."""

from collections.abc import Callable

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.errors import ScenarioError
from sim.scenario import strict_yaml
from sim.scenario.strict_yaml import Node, decode, parse_yaml


def complaint(text: str) -> str:
    """Return what the reader says of a text that it must refuse."""
    with pytest.raises(ScenarioError) as caught:
        parse_yaml(text, "town.yaml")
    return str(caught.value)


def outcome(act: Callable[[], object]) -> object:
    """Return what comes of an act, or the problems that it raises."""
    try:
        return act()
    except ScenarioError as error:
        return error.problems


@pytest.mark.parametrize(
    "written",
    ["07:30", "9:00", "12:30", "17:00", "17:00:00", "24:00", "no", "on", "0x1F", "1_000", "2024-06-01"],
)
def test_scalars_stay_as_written(written: str) -> None:
    """SY-01: 17:00 is never 1020, 24:00 never 1440, no never False."""
    assert parse_yaml(f"a: {written}", "town.yaml").plain() == {"a": written}


@pytest.mark.parametrize("written", ["", "~", "null"])
def test_only_the_three_forms_of_nothing_are_none(written: str) -> None:
    """An empty value is None, but quoted it is text."""
    assert parse_yaml(f"a: {written}\nb: '{written}'", "town.yaml").plain() == {"a": None, "b": written}


def test_repeated_keys_are_named_with_both_lines() -> None:
    """SY-04: two equal keys are a mistake that names both lines, at every level and all at once."""
    said = complaint("people: []\ntown: {a: 1}\npeople: []\nmind:\n  k: 1\n  k: 2\n")
    assert 'town.yaml:3: the key "people" stands twice, in lines 1 and 3' in said
    assert 'town.yaml:6: the key "k" stands twice, in lines 5 and 6' in said


@pytest.mark.parametrize(
    ("text", "line", "remedy"),
    [
        ("a:\n\tb: 1", 2, "column 1: a tab; indent with spaces"),
        ("goal: plan: party", 1, "put such a text in quotes"),
        ("handle: @lee", 1, "column 9: a text cannot begin with @"),
        (
            "note: *soon",
            1,
            'column 7: nothing is named &soon (put a text that begins with * in quotes: "*soon")',
        ),
        ("x: %a", 1, "column 4: a text cannot begin with %"),
        ('x: "A\\q"', 1, "write \\\\, or use single quotes"),
        ("---\na: 1\n---\nb: 2", 3, "a second document begins here"),
        ("a: [1, 2", 1, "closing bracket is missing"),
        ("a: 'b", 1, "opened and never closed"),
        ("? [a]\n: b", 1, "a key must be plain text"),
        ("<<: {a: 1}", 1, "merge keys (<<) are not read"),
        ("a: \x07", 1, "column 4: a character that cannot be shown, U+0007"),
    ],
    ids=lambda value: None,
)
def test_a_slip_is_one_line_with_its_remedy(text: str, line: int, remedy: str) -> None:
    """SY-09: each slip gives file, line, column and what to do."""
    said = complaint(text)
    assert said.startswith(f"town.yaml:{line}: ")
    assert remedy in said
    assert "\n" not in said


@pytest.mark.parametrize(
    "encoded", ["name: Zoë".encode("utf-8-sig"), "name: Zoë".encode("utf-16"), "name: Zoë".encode()]
)
def test_byte_order_marks_are_read(encoded: bytes) -> None:
    """SY-10: UTF-8 with and without a mark and UTF-16 with one give the same name."""
    assert parse_yaml(decode(encoded, "town.yaml"), "town.yaml").plain() == {"name": "Zoë"}


def test_windows_encoding_is_refused_with_its_line() -> None:
    """SY-10: bytes of cp1252 are never read as mojibake."""
    with pytest.raises(ScenarioError, match=r"town\.yaml:2: the file is not UTF-8 \(byte 0xeb"):
        decode("a: 1\nname: Zoë\n".encode("cp1252"), "town.yaml")


def test_surrogate_escapes_are_joined() -> None:
    """SY-11: the two halves of an emoji become one character."""
    assert parse_yaml(r'name: "Mia \ud83d\ude00"', "town.yaml").plain() == {"name": "Mia 😀"}


def test_half_a_character_is_refused() -> None:
    """SY-11: one half alone would crash the log later."""
    assert "half a character" in complaint(r'name: "Mia \ud83d"')


@pytest.mark.parametrize("text", ["people: &x [*x]", "a: &x {b: *x}", "a: &x [[*x]]"])
def test_an_alias_of_itself_is_refused(text: str) -> None:
    """SY-19: a cycle is an error, not a recursion to the limit."""
    assert "without end" in complaint(text)


def test_aliases_are_counted_in_full() -> None:
    """A few lines that stand for millions of values are refused before they are built."""
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    assert "aliases counted in full" in complaint("\n".join(lines))


def test_deep_nesting_is_refused() -> None:
    """Thousands of brackets are a mistake, not a stack overflow."""
    assert "nested more than 40 levels" in complaint("[" * 20_000)


def test_object_tags_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """SE-05: a tag that would run code is a friendly error, and nothing is run."""
    monkeypatch.setattr("os.system", lambda command: pytest.fail("a command was run"))
    said = complaint('x: !!python/object/apply:os.system ["touch owned"]')
    assert "the tag !!python/object/apply:os.system is not read" in said


def test_large_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file beyond the bound is refused before it is parsed."""
    monkeypatch.setattr(strict_yaml, "MAX_BYTES", 10)
    with pytest.raises(ScenarioError, match="at most 10 are read"):
        decode(b"x" * 11, "town.yaml")


def test_every_value_knows_its_line() -> None:
    """Keys and values know where they stand."""
    root = parse_yaml("a: 1\nb:\n  - c: 2\n", "town.yaml")
    item = root.fields["b"].items[0]
    assert (root.key_mark("b").line, item.mark.line, item.fields["c"].mark.column) == (2, 3, 8)


def test_an_alias_repeats_its_value() -> None:
    """A plain alias is read as what it names."""
    assert parse_yaml("a: &x [1, 2]\nb: *x", "town.yaml").plain() == {"a": ["1", "2"], "b": ["1", "2"]}


@settings(max_examples=150)
@given(st.text() | st.text(alphabet="ab:-[]{}\"'#&*!|>%@`,?\n \t\\~<", max_size=60))
def test_no_text_is_a_traceback(text: str) -> None:
    """Whatever the text, reading gives a tree or a ScenarioError."""
    assert isinstance(outcome(lambda: parse_yaml(text, "town.yaml")), Node | tuple)


@settings(max_examples=50)
@given(st.binary())
def test_no_bytes_are_a_traceback(raw: bytes) -> None:
    """Whatever the bytes, decoding gives text or a ScenarioError."""
    assert isinstance(outcome(lambda: decode(raw, "town.yaml")), str | tuple)


TREES = st.recursive(
    st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


@settings(max_examples=60)
@given(TREES.filter(lambda tree: not isinstance(tree, str)))
def test_what_yaml_wrote_is_read_back(tree: object) -> None:
    """Quoted texts come back as they were, by either of PyYAML's readers."""
    written = yaml.safe_dump(tree, default_style='"', allow_unicode=True)
    assert strict_yaml._parse(written, "town.yaml", yaml.SafeLoader).plain() == tree
    assert parse_yaml(written, "town.yaml").plain() == tree
