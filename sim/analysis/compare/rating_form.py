"""The form by which people rank answers: one HTML file, blind, that needs no server and sends nothing anywhere."""

import base64
import hashlib
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from sim.analysis.compare.answers import Contest
from sim.analysis.compare.ratings_file import FORMAT
from sim.analysis.printable import without_controls
from sim.errors import RunError

SHOWN_MEMORIES = 12  # of those that matter for a question; a form is read by people

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body data-format="{format}">
<main>
<h1>{title}</h1>
<p>Below {are} that were put to residents of a small town. To each there are several answers, given in
the role of the same person. Please give every answer its place: 1 for the most believable, and so on. Answers that you
find equally believable may share a place. Questions that you leave out do not count.</p>
<p>Nothing is sent anywhere. At the end, save your ratings as a file and pass that on.</p>
<noscript><p><strong>Saving needs JavaScript, which is switched off in this browser.</strong></p></noscript>
<form id="form">
<p><label for="rater">Your name or a pseudonym</label> <input id="rater" name="rater" autocomplete="off"></p>
{questions}
<p><button type="submit">Save my ratings</button></p>
<p id="said" role="status" aria-live="polite"></p>
</form>
</main>
<script>{script}</script>
</body>
</html>
"""
_QUESTION = """<fieldset data-question="{id}">
<legend>Question {number} of {count}, to {who}</legend>
<p>{about}</p>
{memories}<p class="question">{question}</p>
<ol type="A">
{answers}
</ol>
</fieldset>"""
_ANSWER = """<li><p id="{name}-text">{text}</p>
<label for="{name}">Place of answer {letter}</label>
<select id="{name}" data-letter="{letter}" aria-describedby="{name}-text">
<option value="">no place yet</option>
{options}
</select></li>"""


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
    style, script = (files(__package__).joinpath(name).read_text(encoding="utf-8") for name in ("form.css", "form.js"))
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'; "
        "form-action 'none'"
    )
    count = len(asked)
    questions = "\n".join(_question(contest, number, count) for number, contest in enumerate(asked, 1))
    return _PAGE.format(
        policy=escape(policy), title="Which answer is the most believable?", style=style, script=script,
        format=escape(FORMAT), are="is 1 question" if count == 1 else f"are {count} questions", questions=questions,
    )  # fmt: skip


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _question(contest: Contest, number: int, count: int) -> str:
    answers = [
        _answer(f"q{number}{letter}", letter, text, len(contest.texts))
        for letter, text in zip(contest.letters, contest.texts, strict=True)
    ]
    return _QUESTION.format(
        id=contest.id, number=number, count=count, who=_text(contest.who), about=_text(contest.about),
        memories=_memories(contest.memories), question=_text(contest.question), answers="\n".join(answers),
    )  # fmt: skip


def _memories(memories: Sequence[str]) -> str:
    if not memories:
        return ""
    items = "".join(f"<li>{_text(text)}</li>" for text in memories[:SHOWN_MEMORIES])
    return f"<details><summary>What this person remembers of it</summary><ul>{items}</ul></details>\n"


def _answer(name: str, letter: str, text: str, places: int) -> str:
    options = "\n".join(f'<option value="{place}">{place}</option>' for place in range(1, places + 1))
    return _ANSWER.format(name=name, letter=letter, text=_text(text), options=options)


def _text(text: str) -> str:
    return escape(without_controls(text))
