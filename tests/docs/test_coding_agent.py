"""The coding agent of the examples: tool outputs become sentences, and insights outlive the invocation."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "coding_agent.py"
NAMES = runpy.run_path(str(EXAMPLE))
findings, open_notes, work = NAMES["findings"], NAMES["open_notes"], NAMES["work"]
PYTEST = """\
FAILED tests/test_config.py::test_load - KeyError: 'name'
FAILED tests/test_config.py::test_save[x-1] - KeyError: 'name'
2 failed, 31 passed in 0.52s
"""
LINTER = """\
src/config.py:12:5: F841 Local variable `name` is assigned to but never used
Found 1 error.
"""
DIFF = """\
diff --git a/src/config.py b/src/config.py
index 83db48f..bf269f4 100644
--- a/src/config.py
+++ b/src/config.py
@@ -10,3 +10,3 @@ def load(path):
     data = read(path)
-    name = data["name"]
+    name = data.get("name", "")
diff --git a/README.md b/README.md
--- a/README.md
+++ b/README.md
@@ -0,0 +1 @@
+How to load
"""
RETRY = "FAILED tests/test_api.py::test_get - ConnectionError: refused\nFAILED tests/test_api.py::test_put"


def test_the_example_fits_on_a_page() -> None:
    """What is to be read in one go has fewer than 60 lines."""
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) < 60


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (PYTEST, ["test_load fails in tests/test_config.py with KeyError: 'name'.",
                  "test_save[x-1] fails in tests/test_config.py with KeyError: 'name'."]),
        (LINTER, ["The linter complains about src/config.py, line 12: "
                  "F841 Local variable `name` is assigned to but never used."]),
        (DIFF, ['I changed src/config.py: name = data["name"] became name = data.get("name", "").',
                "I changed README.md: nothing became How to load."]),
        ("all is well\n", []),
        ("", []),
    ],
    ids=["pytest", "linter", "diff", "other", "empty"],
)  # fmt: skip
def test_tool_output_becomes_sentences(output: str, expected: list[str]) -> None:
    """Each finding is one sentence that names its file; what is no finding is left out."""
    assert [found.text for found in findings(output)] == expected


@pytest.mark.slow
def test_findings_come_back_in_a_later_invocation(tmp_path: Path) -> None:
    """What one invocation observed is retrieved by a later one, with the task in which it was seen."""
    notes = tmp_path / "notes.sqlite"
    work(notes, "load the configuration", PYTEST)
    work(notes, "tidy up", LINTER)
    found = work(notes, "why does test_load of the configuration fail?", "")
    assert {one.memory.text.split()[0] for one in found[:2]} == {"test_load", "test_save[x-1]"}
    assert found[0].memory.episode == "load the configuration"


def test_insights_come_back_across_invocations_with_their_evidence(tmp_path: Path) -> None:
    """Once enough went wrong insights are drawn, kept in the file, found later, and traced to the tools' findings."""
    notes = tmp_path / "notes.sqlite"
    for task, output in (("load", PYTEST), ("tidy", LINTER), ("mend", DIFF), ("call", RETRY)):
        work(notes, task, output)
    found = work(notes, "what keeps failing in tests/test_config.py?", "")
    insights = [one.memory for one in found if one.memory.kind == "reflection"]
    assert insights
    with open_notes(notes) as stream:
        evidence = [tree.memory for tree in stream.trace(insights[0].id).because]
    assert evidence
    assert all(memory.kind == "observation" and memory.id < insights[0].id for memory in evidence)


@pytest.mark.slow
def test_the_example_runs_as_it_says(tmp_path: Path) -> None:
    """Piped through the command, a tool's output is remembered and told."""
    command = [sys.executable, str(EXAMPLE), str(tmp_path / "notes.sqlite"), "mend the tests"]
    done = subprocess.run(command, input=PYTEST, capture_output=True, text=True, cwd=ROOT, check=True)
    assert "observation  test_load fails in tests/test_config.py" in done.stdout
