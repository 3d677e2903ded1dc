"""A run as tables: CSV that no spreadsheet runs, Parquet with its types, and a page that explains both."""

import builtins
import csv
import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.analysis.compare import Cell
from sim.errors import RunError, TownError
from sim.log import events
from sim.log.events import KINDS, Event, Happened, Planned, Recalled, Unknown, to_line
from sim.log.run_folder import open_run
from sim.views.export import export_run, write_values
from sim.views.export.files import RISKY
from sim.views.export.tables import event_tables
from tests.lives import VILLAGE, live
from tests.small_logs import ADA, BO, begun, ended, folder_of, keeps, says


def exported(path: Path, *events: Event, **more: Any) -> Path:
    """Export a log with these events to CSV and return the folder of the tables."""
    run = folder_of(path, begun(), *events, ended())
    export_run(run, "csv", path / "out", **more)
    return path / "out"


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file by column."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_kind_has_a_table_with_its_meaning() -> None:
    """Each field of each kind stands in its table, or is a table of its own."""
    tables = event_tables()
    for kind, cls in KINDS.items():
        assert tables[kind].meaning
        for field in (f.name for f in fields(cls)):
            name = "for" if (kind, field) == ("recalled", "purpose") else field
            assert name in [column.name for column in tables[kind].columns] or f"{kind}_{field}" in tables
    started = {column.name: column for column in tables["run_started"].columns}
    assert started["until"].meaning == "Second at which the run is to end."
    assert (started["until"].kind, started["people"].kind) == ("integer", "json")


def test_meanings_need_no_source_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation that holds compiled modules only explains the columns as well."""
    whole = event_tables()
    monkeypatch.setattr(events, "__file__", "no/such/file.py")
    assert event_tables() == whole


def test_events_become_rows(tmp_path: Path) -> None:
    """Number, second and wall time, then the fields; a list is JSON, what is not there an empty cell."""
    out = exported(tmp_path, says(3600, ADA, BO, "Hello."), Happened(t=7200, text="Rain."))
    (spoke,) = rows(out / "spoke.csv")
    assert (spoke["n"], spoke["time"], spoke["to"]) == ("1", "2031-05-05T07:00:00", '["Bo Birch"]')
    assert rows(out / "happened.csv")[0]["place"] == ""
    assert not (out / "slept.csv").exists()


def test_lists_of_objects_become_tables(tmp_path: Path) -> None:
    """Blocks of plans and items of searches stand one a row; what does not fit a column is kept aside."""
    block = {"t": 5, "until": "late", "place": "inn", "do": "rest", "mood": "fine"}
    item = {"id": 2, "score": 1.5, "recency": 1, "importance": 0.25, "relevance": 0.25}
    out = exported(
        tmp_path,
        Planned(t=5, who=ADA, blocks=[block], reason=""),
        Recalled(t=6, who=ADA, query="rain?", purpose="acting", items=[item]),
    )
    (planned,), (found,) = rows(out / "planned_blocks.csv"), rows(out / "recalled_items.csv")
    assert (planned["n"], planned["position"], planned["t"], planned["until"]) == ("1", "1", "5", "")
    assert json.loads(planned["other"]) == {"until": "late", "mood": "fine"}
    assert (found["id"], found["score"], rows(out / "recalled.csv")[0]["for"]) == ("2", "1.5", "acting")


@pytest.mark.parametrize("text", ['=HYPERLINK("http://x","y")', "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1"])
def test_no_spreadsheet_runs_a_text(text: str, tmp_path: Path) -> None:
    """An apostrophe goes before what would be a formula, in names as well; numbers stay numbers (fault SE-12)."""
    out = exported(tmp_path, says(5, text, BO, text), keeps(6, BO, 1, text, 1))
    (spoke,), (memory,) = rows(out / "spoke.csv"), rows(out / "memories.csv")
    assert (spoke["who"], spoke["text"], memory["text"]) == (f"'{text}",) * 3


@pytest.mark.slow
@settings(max_examples=40)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_text_goes_there_and_back(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """New lines, quotes, commas and other scripts survive; only the apostrophe is to be taken off."""
    out = exported(tmp_path_factory.mktemp("run"), Happened(t=5, text=text))
    (row,) = rows(out / "happened.csv")
    assert row["text"].removeprefix("'" if text.startswith(RISKY) else "") == text


def test_unknown_kinds_are_kept(tmp_path: Path) -> None:
    """An event of a later version stands in a table of its own, whole; its kind names no file."""
    odd = {"t": 5, "kind": "../../evil", "text": "x"}
    out = exported(tmp_path, Unknown(t=5, raw=odd))
    assert json.loads(rows(out / "unknown.csv")[0]["event"])["text"] == "x"
    assert not (tmp_path.parent / "evil.csv").exists()


def test_memories_are_told_as_they_were_at_the_end(tmp_path: Path) -> None:
    """How often each was recalled, and when last."""
    item = {"id": 1, "score": 1, "recency": 1, "importance": 1, "relevance": 1}
    out = exported(
        tmp_path, keeps(60, BO, 1, "Rain.", 0), Recalled(t=3600, who=BO, query="q", purpose="acting", items=[item])
    )
    (memory,) = rows(out / "memories.csv")
    assert (memory["recalled"], memory["last_access"], memory["created"][-8:]) == (
        "1",
        "2031-05-05T07:00:00",
        "06:01:00",
    )


def test_calls_are_exported_without_their_texts(tmp_path: Path) -> None:
    """Only where they are asked for; without a record that is an error."""
    with pytest.raises(RunError, match=r"holds no calls\.jsonl"):
        exported(tmp_path, calls=True)
    request = {"who": ADA, "prompt": "act", "messages": [{"role": "user", "content": "SECRET"}]}
    call = {"key": "k", "model": "m", "request": request, "reply": "SECRET", "usage": {"tokens_in": 7}, "seconds": 1.5}
    (tmp_path / "calls.jsonl").write_text(json.dumps(call) + "\n", encoding="utf-8")
    out = exported(tmp_path, calls=True)
    (row,) = rows(out / "calls.csv")
    assert (row["who"], row["prompt"], row["tokens_in"], row["seconds"]) == (ADA, "act", "7", "1.5")
    assert "SECRET" not in "".join(path.read_text(encoding="utf-8") for path in out.iterdir())


def test_the_page_names_every_table_and_column(tmp_path: Path) -> None:
    """What was written is explained; what was not is not."""
    out = exported(tmp_path, says(5, ADA, BO, "Hi"))
    page = (out / "tables.md").read_text(encoding="utf-8")
    assert "spoke.csv" in {path.name for path in out.glob("*.csv")}
    for path in out.glob("*.csv"):
        assert f"## {path.name}" in page
        assert all(f"| `{name}` |" in page for name in path.read_text(encoding="utf-8").splitlines()[0].split(","))
    assert "slept" not in page


def test_an_older_export_leaves_no_stale_table(tmp_path: Path) -> None:
    """A table that has no rows any more is removed; files of others stay."""
    out = exported(tmp_path, says(5, ADA, BO, "Hi"))
    (out / "mine.csv").write_text("x")
    exported(tmp_path, Happened(t=5, text="Rain."))
    assert not (out / "spoke.csv").exists()
    assert (out / "mine.csv").exists()


def test_a_run_still_going_on_is_exported_so_far(tmp_path: Path) -> None:
    """A torn last line is passed over; a log without events is an error."""
    run = folder_of(tmp_path, begun())
    with (tmp_path / "events.jsonl").open("a", encoding="utf-8") as file:
        file.write(to_line(1, says(5, ADA, BO, "Hi"))[:-5])
    assert [path.name for path in export_run(run, "csv")] == ["run_started.csv", "tables.md"]
    (tmp_path / "events.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(RunError, match="nothing has been written yet"):
        export_run(run, "csv")


def test_the_form_must_be_known(tmp_path: Path) -> None:
    """The sentence says which there are."""
    with pytest.raises(TownError, match=r"'xlsx' \(there is: csv, parquet\)"):
        export_run(folder_of(tmp_path, begun()), "xlsx")


def test_parquet_without_pyarrow_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written then (fault PK-07)."""
    imported = builtins.__import__

    def missing(name: str, *rest: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError("No module named 'pyarrow'")
        return imported(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(TownError, match=r"pip install 'townsfolk\[pyarrow\]'"):
        export_run(folder_of(tmp_path, begun()), "parquet")
    assert not (tmp_path / "tables").exists()


def test_parquet_has_types_and_the_same_rows(tmp_path: Path) -> None:
    """Integers, doubles, times and lists are such; the meaning stands with the columns."""
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    live(VILLAGE, tmp_path)
    run = open_run(tmp_path)
    export_run(run, "csv", tmp_path / "csv")
    export_run(run, "parquet", tmp_path / "parquet")
    for path in (tmp_path / "csv").glob("*.csv"):
        table = parquet.read_table(tmp_path / "parquet" / f"{path.stem}.parquet")
        assert table.num_rows == len(rows(path))
        assert ",".join(table.column_names) == path.read_text(encoding="utf-8").splitlines()[0]
    memories = parquet.read_table(tmp_path / "parquet" / "memories.parquet").schema
    assert str(memories.field("evidence").type).startswith("list<")
    assert [str(memories.field(name).type)[:9] for name in ("id", "importance", "created")] == [
        "int64",
        "double",
        "timestamp",
    ]
    assert memories.field("recalled").metadata[b"meaning"] == b"How often a search brought it back."


@pytest.mark.slow
def test_the_command_tells_what_it_wrote(tmp_path: Path) -> None:
    """One path a line, and exit 0; a run that is none exits with 2."""
    folder_of(tmp_path / "run", begun(), says(5, ADA, BO, "Hi"), ended())
    command = [sys.executable, "-m", "sim.cli.app", "export", "--to", "csv"]
    done = subprocess.run([*command, str(tmp_path / "run")], capture_output=True, text=True, check=True)
    assert [Path(line).name for line in done.stdout.split()] == [
        "run_started.csv",
        "run_ended.csv",
        "spoke.csv",
        "tables.md",
    ]
    assert subprocess.run([*command, str(tmp_path / "no")], capture_output=True, check=False).returncode == 2


def test_the_values_of_a_study_are_one_tidy_table(tmp_path: Path) -> None:
    """A row for each measure of each cell, as CSV and as Parquet."""
    numbers = {"talks": 1.5, "knows it": None}
    cells = [Cell("a", "V", "t", arm, seed, numbers) for arm in ("full", "less") for seed in (1, 2)]
    written = write_values(tmp_path, cells, "csv")
    lines = written.read_text(encoding="utf-8").splitlines()
    assert lines[:3] == [
        "arm,seed,measure,value,unit",
        "full,1,talks,1.5,per resident and day",
        "full,1,knows it,,share",
    ]
    assert len(lines) == 1 + 8
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(write_values(tmp_path, cells, "parquet"))
    assert table.num_rows == 8
