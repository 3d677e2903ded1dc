"""Whatever is passed in the wrong type or range is refused in one sentence, as a ValueError, and nothing is stored."""

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from memory import InputError, Memory, MemoryConfig, MemoryStream, SettingError

START = datetime(2023, 2, 13, 8, 0)
HUGE = 10**5000  # more digits than Python is willing to print


def plain(name: Any = "Nadia", **settings: Any) -> MemoryStream:
    """Return a stream that goes by keywords."""
    return MemoryStream(name, embedder=settings.pop("embedder", None), **settings)


WRONG_CALLS: dict[str, tuple[Callable[[MemoryStream], object], str]] = {
    "query None": (lambda s: s.retrieve(None, now=START), "query is None"),  # type: ignore[arg-type]
    "query 5": (lambda s: s.retrieve(5, now=START), "query is 5"),  # type: ignore[arg-type]
    "query bytes": (lambda s: s.retrieve(b"x", now=START), "query is b'x'"),  # type: ignore[arg-type]
    "kinds 5": (lambda s: s.retrieve("x", now=START, kinds=5), "kinds is 5"),  # type: ignore[arg-type]
    "kinds of 5": (lambda s: s.retrieve("x", now=START, kinds=[5]), "kinds"),  # type: ignore[list-item]
    "min_relevance x": (lambda s: s.retrieve("x", now=START, min_relevance="x"), "min_relevance"),  # type: ignore[arg-type]
    "min_relevance nan": (lambda s: s.retrieve("x", now=START, min_relevance=float("nan")), "min_relevance is nan"),
    "min_relevance huge": (lambda s: s.retrieve("x", now=START, min_relevance=HUGE), "min_relevance"),
    "evidence 5": (lambda s: s.observe("x", now=START, evidence=5), "evidence is 5"),  # type: ignore[arg-type]
    "kind surrogate": (lambda s: s.observe("x", now=START, kind="\ud800"), "kind"),
    "subject surrogate": (lambda s: s.observe("x", now=START, subject="\ud800"), "subject"),
    "predicate 5": (lambda s: s.observe("x", now=START, predicate=5), "predicate is 5"),  # type: ignore[arg-type]
    "object list": (lambda s: s.observe("x", now=START, object=[1]), "object"),  # type: ignore[arg-type]
    "text None": (lambda s: s.observe(None, now=START), "text of a memory is None"),  # type: ignore[arg-type]
    "importance huge": (lambda s: s.observe("x", now=START, importance=HUGE), "importance"),
    "texts None": (lambda s: s.observe_many(None, now=START), "texts is None"),  # type: ignore[arg-type]
    "texts 5": (lambda s: s.observe_many(5, now=START), "texts is 5"),  # type: ignore[arg-type]
    "texts bare": (lambda s: s.observe_many("abc", now=START), "texts is 'abc'"),
    "times 5": (lambda s: s.observe_many(["a"], times=5), "times is 5"),  # type: ignore[arg-type]
    "importances 5": (lambda s: s.observe_many(["a"], now=START, importances=5), "importances"),  # type: ignore[arg-type]
    "sources 5": (lambda s: s.observe_many(["a"], now=START, sources=5), "sources is 5"),  # type: ignore[arg-type]
    "before year 1": (
        lambda s: s.observe("x", now=datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5)))),
        "0001-01-01",
    ),
    "memories 5": (lambda s: s.restore(5), "memories is 5"),  # type: ignore[arg-type]
    "memories of text": (lambda s: s.restore(["a"]), "memories"),  # type: ignore[list-item]
    "later evidence": (lambda s: s.restore([Memory(1, "plan", "x", START, START, 5, evidence=(1,))]), "evidence"),
    "restored importance": (lambda s: s.restore([Memory(1, "plan", "x", START, START, 50)]), "importance"),
    "restored total": (lambda s: s.restore([], total=float("nan")), "total is nan"),
    "config": (lambda s: s.reconfigure({"k": 3}), "config is {'k': 3}"),  # type: ignore[arg-type]
    "embedder": (lambda s: s.reindex(5), "embedder is 5"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize(("call", "words"), WRONG_CALLS.values(), ids=WRONG_CALLS)
def test_a_wrong_argument_is_refused_and_nothing_is_stored(call: Callable[[MemoryStream], object], words: str) -> None:
    """One sentence that names the argument and its value; the stream stays empty."""
    stream = plain()
    with pytest.raises(ValueError, match=words) as refused:
        call(stream)
    assert isinstance(refused.value, InputError | SettingError)
    assert "\n" not in str(refused.value)
    assert len(stream) == 0


@pytest.mark.parametrize("name", [5, None, "", "  ", "\ud800", [1]])
def test_names_are_words(tmp_path: Path, name: Any) -> None:
    """A number, a blank and half a character are no names, in memory or in a file, and no file is made."""
    with pytest.raises(InputError, match="name"):
        plain(name)
    if name is not None:  # a file may know its own name
        with pytest.raises(InputError, match="name"):
            MemoryStream.open(tmp_path / "s.db", name, embedder=None)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "setting",
    [{"config": {"k": 3}}, {"clock": 5}, {"journal": 5}, {"rater": 5}, {"reflector": "x"}, {"embedder": "x"}],
    ids=str,
)
def test_what_a_stream_is_made_of_is_checked_at_once(setting: dict[str, Any]) -> None:
    """A config that is a mapping, a clock that cannot be called, a rater that cannot answer."""
    with pytest.raises(ValueError, match=f"{next(iter(setting))} is ") as refused:
        plain(**setting)
    assert isinstance(refused.value, InputError | SettingError)


@pytest.mark.parametrize("path", [None, 5, b"x", "q\0x", "\ud800", [1]], ids=repr)
def test_a_path_that_is_none_is_refused(path: Any) -> None:
    """Bytes, a zero byte and half a character name no stream file."""
    with pytest.raises(InputError, match="path of a stream file is"):
        MemoryStream.open(path, "Nadia", embedder=None)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"reflect_skips": None}, "reflect_skips is None"),
        ({"reflect_skips": 5}, "reflect_skips is 5"),
        ({"reflect_skips": [5]}, "reflect_skips"),
        ({"weights": {"recency": 10**400}}, "weights.recency"),
        ({"reflect_above": 10**400}, "reflect_above"),
        ({"reflect_above": HUGE}, "reflect_above"),
        ({"recall_cap": 10**400}, "recall_cap"),
        ({"recall_cap_hours": 1e300}, "recall_cap_hours"),
        ({"reflect_abov": 5}, "'reflect_abov'.*did you mean 'reflect_above'"),
        ({"zzz": 5}, "'zzz'.*reflect_skips"),
    ],
    ids=lambda given: next(iter(given)) if isinstance(given, dict) else "",
)
def test_settings_of_the_wrong_kind_are_refused(settings: dict[str, Any], words: str) -> None:
    """Also those that Python itself would trip over, and unknown ones with the nearest known."""
    with pytest.raises(SettingError, match=words):
        MemoryConfig(**settings)
    with pytest.raises(SettingError, match=words):
        MemoryConfig.preset("reference", **settings)


def test_a_preset_that_is_no_name_is_refused() -> None:
    """A list cannot be looked up."""
    with pytest.raises(SettingError, match=r"preset is \[\]"):
        MemoryConfig.preset([])  # type: ignore[arg-type]


class Awaited:
    """A model as an async program would write it."""

    async def complete(self, prompt_name: str, /, **variables: str) -> str:
        return "7"


@pytest.mark.parametrize("role", ["rater", "reflector", "consolidator"])
def test_an_async_model_is_refused(role: str) -> None:
    """A stream does not await: it says so when it is made, in place of rating everything 5."""
    with pytest.raises(InputError, match=rf"complete of {role} is async.*AsyncMemoryStream"):
        MemoryStream("Nadia", embedder=None, **{role: Awaited()})  # type: ignore[arg-type]


def test_a_model_that_answers_with_a_coroutine_is_refused() -> None:
    """Also where only its answer shows that it would have to be awaited; nothing is stored."""

    class Hidden:
        def complete(self, prompt_name: str, /, **variables: str) -> object:
            return Awaited().complete(prompt_name)

    stream = MemoryStream("Nadia", embedder=None, rater=Hidden())  # type: ignore[arg-type]
    with pytest.raises(InputError, match="is not awaited"):
        stream.observe("a", now=START)
    assert len(stream) == 0


@pytest.mark.parametrize("kind", ["deleted", "paragraph", "gist"])
def test_kinds_of_the_stream_itself_cannot_be_forged(kind: str) -> None:
    """Neither one by one nor many at once."""
    stream = plain()
    with pytest.raises(InputError, match="is reserved"):
        stream.observe("a", now=START, importance=5, kind=kind)
    with pytest.raises(InputError, match="is reserved"):
        stream.observe_many(["a"], now=START, importances=[5], kind=kind)
    assert len(stream) == 0
