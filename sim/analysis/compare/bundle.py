"""A study in one file: its plan, manifests, logs, answers and tables, to be opened on another machine."""

import atexit
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from sim.errors import RunError
from sim.log.run_folder import EVENTS, MANIFEST, SURVEYS

SUFFIX = ".zip"
_OF_STUDY = ("study.json", "values.csv", "measures.csv", "report.html", "interviews/*/seed-*.jsonl")
_OF_CELL = (MANIFEST, EVENTS, SURVEYS)
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the least that a zip can hold: the same study gives the same bytes


def write_bundle(folder: Path, out: Path | None = None) -> Path:
    """Write the study in *folder* into one file (None: beside the folder) and return it; calls and secrets stay here.

    Raises:
        RunError: If the file cannot be written.
    """
    path = out or folder.resolve().with_suffix(SUFFIX)
    fresh = path.with_name(f".{path.name}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED) as bundle:
            for part in sorted(_parts(folder)):
                name = zipfile.ZipInfo(part.relative_to(folder).as_posix(), _EPOCH)
                bundle.writestr(name, part.read_bytes(), zipfile.ZIP_DEFLATED)
        fresh.replace(path)
    except OSError as error:
        raise RunError(f"cannot write the bundle {str(path)!r}: {error.strerror or error}") from error
    return path


def _parts(folder: Path) -> Iterator[Path]:
    for pattern in (*_OF_STUDY, *(f"*/seed-*/{name}" for name in _OF_CELL)):
        yield from folder.glob(pattern)


def is_bundle(path: str | Path) -> bool:
    """Return whether *path* is a file that `write_bundle` may have written."""
    return str(path).endswith(SUFFIX) and Path(path).is_file()


@cache
def unpacked(path: Path) -> Path:
    """Return a folder with what a bundle holds, which is gone when the program ends.

    Raises:
        RunError: If it is no bundle of a study.
    """
    folder = Path(tempfile.mkdtemp(prefix="town-bundle-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    try:
        with zipfile.ZipFile(path) as bundle:
            bundle.extractall(folder)  # which takes no name that leads out of the folder
    except (OSError, zipfile.BadZipFile) as error:
        raise RunError(f"{str(path)!r} is no bundle ({error}): town export STUDY --to bundle writes one") from error
    if not (folder / "study.json").exists():
        raise RunError(f"{str(path)!r} holds no study (town export STUDY --to bundle writes one)")
    return folder
