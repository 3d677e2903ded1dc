"""The form by which people rank answers: one HTML file, blind, that needs no server and sends nothing anywhere."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from sim.analysis.compare.answers import Contest
from sim.analysis.compare.ratings_file import FORMAT
from sim.analysis.printable import without_controls
from sim.errors import RunError
from sim.views.markup import Element, document, element

SHOWN_MEMORIES = 12  # of those that matter for a question; a form is read by people

_TITLE = "Which answer is the most believable?"
_TASK = (
    "that were put to residents of a small town. To each there are several answers, given in the role of the same "
    "person. Please give every answer its place: 1 for the most believable, and so on. Answers that you find equally "
    "believable may share a place. Questions that you leave out do not count."
)
_SAVING = "Nothing is sent anywhere. At the end, save your ratings as a file and pass that on."
_NO_SCRIPT = "Saving needs JavaScript, which is switched off in this browser."


def write_form(asked: Sequence[Contest], path: Path) -> int:
    """Write the form with those of *asked* whose answers are not all the same; return how many they are.

    Raises:
        RunError: If there is none, or the file cannot be written.
    """
    shown = [contest for contest in asked if len(contest.texts) > 1]
    if not shown:
        raise RunError("--form: all arms gave the same answers, so there is nothing to rank")
    try:
        path.write_text(form_page(shown), encoding="utf-8", newline="\n")
    except OSError as error:
        raise RunError(f"cannot write {str(path)!r}: {error.strerror}") from error
    return len(shown)


def form_page(asked: Sequence[Contest]) -> str:
    """Return the form as HTML; it names no arm."""
    count = len(asked)
    form = element(
        "form",
        element("p", element("label", "Your name or a pseudonym", for_="rater"), " ",
                element("input", id="rater", name="rater", autocomplete="off")),
        *(_question(contest, number, count) for number, contest in enumerate(asked, 1)),
        element("p", element("button", "Save my ratings", type="submit")),
        element("p", id="said", role="status", aria_live="polite"),
        id="form",
    )  # fmt: skip
    main = element(
        "main",
        element("h1", _TITLE),
        element("p", f"Below {'is 1 question' if count == 1 else f'are {count} questions'} {_TASK}"),
        element("p", _SAVING),
        element("noscript", element("p", element("strong", _NO_SCRIPT))),
        form,
    )
    style, script = (files(__package__).joinpath(f"rating_form.{kind}").read_text("utf-8") for kind in ("css", "js"))
    return document(_TITLE, style, element("body", main, data_format=FORMAT), scripts=[script])


def _question(contest: Contest, number: int, count: int) -> Element:
    answers = [
        _answer(f"q{number}{letter}", letter, text, len(contest.texts))
        for letter, text in zip(contest.letters, contest.texts, strict=True)
    ]
    return element(
        "fieldset",
        element("legend", f"Question {number} of {count}, to {without_controls(contest.who)}"),
        element("p", without_controls(contest.about)),
        _memories(contest.memories),
        element("p", without_controls(contest.question), class_="question"),
        element("ol", *answers, type="A"),
        data_question=contest.id,
    )


def _memories(memories: Sequence[str]) -> Element | None:
    if not memories:
        return None
    items = (element("li", without_controls(text)) for text in memories[:SHOWN_MEMORIES])
    return element("details", element("summary", "What this person remembers of it"), element("ul", *items))


def _answer(name: str, letter: str, text: str, places: int) -> Element:
    options = (element("option", str(place), value=str(place)) for place in range(1, places + 1))
    return element(
        "li",
        element("p", without_controls(text), id=f"{name}-text"),
        element("label", f"Place of answer {letter}", for_=name),
        " ",
        element("select", element("option", "no place yet", value=""), *options, id=name, data_letter=letter,
                aria_describedby=f"{name}-text"),
    )  # fmt: skip
