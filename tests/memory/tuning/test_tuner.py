"""Labelled questions and what is learned from them."""

import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memory import FileError, InputError, MemoryConfig, MemoryStream
from memory.tuning.labelled import Labelled, fill, read_labelled
from memory.tuning.rates import rates, stream_of
from memory.tuning.tuner import Weighing, as_settings, objective, tune

LOCOMO = {
    "sample_id": "talk-1",
    "conversation": {
        "speaker_a": "Ann",
        "speaker_b": "Bob",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ann", "dia_id": "D1:1", "text": "I bought a boat!", "blip_caption": "a red boat"},
            {"speaker": "Bob", "dia_id": "D1:2", "text": "What is it called?"},
        ],
        "session_2_date_time": "9:00 am on 1 June, 2023",
        "session_2": [{"speaker": "Ann", "dia_id": "D2:1", "text": "My boat sank."}],
    },
    "qa": [
        {"question": "What did Ann buy?", "answer": "a boat", "evidence": ["D1:1", "D9:9"], "category": 4},
        {"question": "Who sang?", "answer": "nobody", "evidence": ["D1:2"], "category": 5},
        {"question": "What sank?", "answer": "her boat", "evidence": ["D7:7"], "category": 1},
    ],
}  # fmt: skip
OWN = {
    "memories": [
        {"id": "a", "text": "The port is 8080", "time": "2023-05-01T09:00", "speaker": "Ann", "episode": "e"},
        {"text": "The sky is blue", "time": "2023-05-02T09:00"},
        {"text": "Lunch was late", "time": "2023-05-03T09:00"},
    ],
    "questions": [
        {"question": "Which port?", "evidence": ["a"]},
        {"question": "What colour is the sky?", "evidence": ["1"]},
        {"question": "When was lunch?", "evidence": [2]},
    ],
}


def file_of(folder: Path, content: object) -> Path:
    """Return a file in *folder* that holds *content*."""
    path = folder / "labelled.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_locomo_files_are_read(tmp_path: Path) -> None:
    """Sessions are episodes, captions belong to the text, and only what has evidence is asked."""
    [read] = read_labelled(file_of(tmp_path, [LOCOMO]))
    first, _, last = read.memories
    assert (first.text, first.speaker, first.episode) == ("I bought a boat! [shares a red boat]", "Ann", "session 1")
    assert (first.created, last.created) == (datetime(2023, 5, 8, 13, 56), read.end)
    assert [(asked.text, asked.evidence, asked.category) for asked in read.questions] == [
        ("What did Ann buy?", (0,), "4")
    ]


def test_our_own_files_are_read(tmp_path: Path) -> None:
    """A memory without id goes by its place."""
    [read] = read_labelled(file_of(tmp_path, OWN))
    assert [asked.evidence for asked in read.questions] == [(0,), (1,), (2,)]


LONG = {
    "question_id": "q1", "question_type": "temporal-reasoning", "question": "What did I buy 3 days ago?",
    "question_date": "2023/05/30 (Tue) 23:40", "haystack_session_ids": ["s2", "s1"], "answer_session_ids": ["s2"],
    "haystack_dates": ["2023/05/27 (Sat) 02:21", "2023/05/20 (Sat) 02:21"],
    "haystack_sessions": [
        [
            {"role": "user", "content": "I bought a lamp.", "has_answer": True},
            {"role": "assistant", "content": "Nice."},
        ],
        [{"role": "user", "content": "I bought a rug."}],
    ],
}  # fmt: skip


def test_longmemeval_is_read(tmp_path: Path) -> None:
    """A question with its date and sessions in order of time; who speaks is the role, marked turns are the evidence."""
    unmarked = {**LONG, "haystack_sessions": [[{"role": "user", "content": "I bought a lamp."}] * 2, []]}
    first, second, third = read_labelled(file_of(tmp_path, [LONG, unmarked, {**LONG, "question_id": "q1_abs"}]))
    assert [(one.text, one.speaker, one.episode) for one in first.memories] == [
        ("I bought a rug.", "user", "s1"), ("I bought a lamp.", "user", "s2"), ("Nice.", "assistant", "s2")
    ]  # fmt: skip
    [asked] = first.questions
    assert (asked.evidence, asked.asked) == ((1,), datetime(2023, 5, 30, 23, 40))
    assert [one.evidence for one in second.questions] == [(0, 1)]
    assert third.questions == ()
    assert rates([(stream_of(first, MemoryConfig.preset("hybrid"), None), first)]).reciprocal_rank == 1


def test_a_question_tells_when_it_is_asked(tmp_path: Path) -> None:
    """It then knows of nothing later."""
    content = {
        "memories": [
            {"text": "The bridge is open.", "time": "2023-01-01"},
            {"text": "The bridge is shut.", "time": "2023-03-01"},
        ],
        "questions": [{"question": "Is the bridge open?", "evidence": [1], "time": "2023-02-01"}],
    }  # fmt: skip
    [labelled] = read_labelled(file_of(tmp_path, content))
    assert labelled.questions[0].asked == datetime(2023, 2, 1)
    assert rates([(stream_of(labelled, MemoryConfig.preset("hybrid"), None), labelled)]).recall == (0, 0, 0)


@pytest.mark.parametrize(
    "content",
    ["{", [], "[1]", {"memories": []}, {"memories": [{"text": 1, "time": "2023-01-01"}], "questions": []},
     {"memories": [], "questions": []}, [{**LOCOMO, "qa": None}]],
    ids=str,
)  # fmt: skip
def test_what_is_no_labelled_file_is_refused(tmp_path: Path, content: Any) -> None:
    """One sentence, with the file's name."""
    with pytest.raises(FileError, match="labelled"):
        read_labelled(file_of(tmp_path, content))


def read(tmp_path: Path) -> list[Labelled]:
    return read_labelled(file_of(tmp_path, OWN))


def test_rates_of_what_is_found_at_once_are_1(tmp_path: Path) -> None:
    """Three memories: all are among the best five, each first for its question."""
    [labelled] = read(tmp_path)
    found = rates([(stream_of(labelled, MemoryConfig.preset("hybrid"), None), labelled)])
    assert found.line() == "R@5 1.000 R@10 1.000 R@50 1.000 MRR 1.000"
    assert (found.read, found.questions, found.objective) == (1, 3, 1)


def test_tuning_tells_what_to_expect_of_other_questions(tmp_path: Path) -> None:
    """A weight that is of no use is given up only where that helps; the settings are those of a preset."""
    tuned = tune(read(tmp_path), None)
    assert tuned.before.questions == tuned.held_out.questions == 3
    settings = dict(as_settings(tuned.weighing))
    assert MemoryConfig.preset(settings.pop("preset"), **settings).terms == tuned.weighing.terms


def test_the_aim_of_nothing_is_0() -> None:
    """Without questions, or without weights, there is nothing to reach."""
    assert objective([], Weighing()) == 0


def test_labelled_memories_go_into_an_empty_stream_only(tmp_path: Path) -> None:
    """Else the evidence would point elsewhere."""
    stream = MemoryStream("Nadia", embedder=None)
    stream.observe("x", now=datetime(2023, 1, 1), importance=1)
    with pytest.raises(InputError, match="empty"):
        fill(stream, read(tmp_path)[0].memories)


@pytest.mark.slow
def test_the_command_says_what_is_wrong_and_what_it_found(tmp_path: Path) -> None:
    """``memory tune``: figures and settings on the screen, exit 2 with one sentence for a file that is none."""
    command = [sys.executable, "-m", "memory.cli", "tune"]
    done = subprocess.run([*command, str(file_of(tmp_path, OWN))], capture_output=True, text=True, check=True)
    assert "learned, held out" in done.stdout
    assert json.loads(done.stdout.splitlines()[-1])["preset"] == "hybrid"
    failed = subprocess.run([*command, str(tmp_path / "none.json")], capture_output=True, text=True, check=False)
    assert failed.returncode == 2
    assert failed.stderr.count("\n") == 1
    assert "cannot be read" in failed.stderr


@pytest.mark.slow
def test_reindex_makes_vectors_anew(tmp_path: Path) -> None:
    """``memory reindex``: a file of keywords has vectors afterwards."""
    path = tmp_path / "nadia.sqlite"
    with MemoryStream.open(path, "Nadia", embedder=None) as stream:
        stream.observe("a boat", now=datetime(2023, 1, 1), importance=1)
    command = [sys.executable, "-m", "memory.cli", "reindex", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "1 of 1 memories have a vector now\n"
