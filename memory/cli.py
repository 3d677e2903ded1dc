"""The command line of a memory by itself, `memory`: tune the search, make vectors anew, serve an agent."""

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from memory.errors import InputError, StreamError

if TYPE_CHECKING:
    from memory import MemoryStream
    from memory.config import PresetName

app = typer.Typer(
    name="memory",
    help="A memory stream by itself: serve it to an agent, tune its search, make its vectors anew.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.command()
def tune(
    file: Annotated[
        Path, typer.Argument(help="Labelled questions: JSON of memories and questions, LoCoMo's or LongMemEval's.")
    ],
) -> None:
    """Learn the weights of the hybrid search from labelled questions; cross-validated."""
    import json  # here, as the other imports: --help must not wait for numpy

    from memory.embedding import packaged_embedder
    from memory.tuning.labelled import read_labelled
    from memory.tuning.tuner import as_settings
    from memory.tuning.tuner import tune as learn

    tuned = learn(read_labelled(file), packaged_embedder())
    print(f"{tuned.before.questions} questions")
    for name, rates in (
        ("preset hybrid", tuned.before),
        ("learned, held out", tuned.held_out),
        ("learned, as fitted", tuned.fitted),
    ):
        print(f"{name:<20} {rates.line()}")
    if tuned.held_out.objective <= tuned.before.objective:
        print("On questions that were held out, the learned weights find no more than the preset's: keep those.")
    print(json.dumps(as_settings(tuned.weighing)))


@app.command()
def reindex(
    file: Annotated[Path, typer.Argument(help="A stream's file.")],
    preset: Annotated[
        str, typer.Option(help="How it is searched: hybrid embeds speaker and date with the text, the others do not.")
    ] = "hybrid",
) -> None:
    """Make the vectors of a stream's file anew, with the packaged embedder."""
    from memory import MemoryConfig, MemoryStream
    from memory.errors import FileError

    if not file.exists():
        raise FileError(f"there is no stream file {str(file)!r} (check the path)")
    config = MemoryConfig.preset(cast("PresetName", preset))
    with MemoryStream.open(file, reindex=True, config=config) as stream:
        print(f"{stream.reindex():,} of {len(stream):,} memories have a vector now")


def _opened(file: Path) -> "MemoryStream":
    from memory import MemoryStream
    from memory.errors import FileError

    if not file.exists():
        raise FileError(f"there is no stream file {str(file)!r} (check the path)")
    return MemoryStream.open(file)


@app.command()
def export(
    file: Annotated[Path, typer.Argument(help="A stream's file.")],
    out: Annotated[Path, typer.Option(help="What to write; its ending says how: .jsonl (all of it) or .parquet.")],
) -> None:
    """Write a stream as JSON lines, which `memory import` reads, or its memories as a Parquet table."""
    from memory.errors import FileError

    if out.exists():
        raise FileError(f"{str(out)!r} exists already (name another file)")
    if out.suffix not in (".jsonl", ".parquet"):
        raise InputError(f"--out is {str(out)!r}, but must end in .jsonl or .parquet")
    with _opened(file) as stream:
        if out.suffix == ".parquet":
            from memory.tables import write_parquet

            write_parquet(stream.memories, out)
        else:
            out.write_text("".join(f"{line}\n" for line in stream.export_lines()), encoding="utf-8", newline="\n")
        print(f"{len(stream.memories):,} memories of {stream.name} written to {out}")


@app.command("import")
def import_(
    exported: Annotated[Path, typer.Argument(metavar="EXPORT", help="What `memory export` wrote: JSON lines.")],
    file: Annotated[Path, typer.Argument(help="The stream's file to make.")],
    name: Annotated[str | None, typer.Option(help="Whose memory it is, where not the exported stream's.")] = None,
) -> None:
    """Make a stream's file of an export, with ids, evidence, facts, skills and receipts as they were."""
    from memory import MemoryStream
    from memory.errors import FileError
    from memory.transfer import read_lines

    try:
        lines = exported.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise FileError(f"{str(exported)!r} cannot be read: {error}") from error
    if file.exists():
        raise FileError(f"{str(file)!r} exists already (name a file that does not)")
    whose, _ = read_lines(lines, exported)
    try:
        with MemoryStream.open(file, name or whose) as stream:
            stream.import_lines(lines, str(exported))
            print(f"{len(stream.memories):,} memories of {stream.name} are in {file} now")
    except BaseException:
        file.unlink(missing_ok=True)
        raise


@app.command()
def stats(file: Annotated[Path, typer.Argument(help="A stream's file.")]) -> None:
    """Say what a stream's file holds."""
    from collections import Counter

    with _opened(file) as stream:
        kinds = Counter(memory.kind for memory in stream.memories)
        times = [memory.created for memory in stream.memories]
        print(f"{stream.name}: {len(stream.memories):,} memories, {file.stat().st_size / 1e6:.1f} MB")
        print(f"  {', '.join(f'{kind} {n:,}' for kind, n in kinds.most_common())}")
        print(f"  from {min(times)} to {max(times)}" if times else "  nothing yet")
        print(f"  {len(stream.facts):,} facts, {len(stream.skills):,} skills, {len(stream.receipts):,} deletions")


@app.command()
def serve(
    file: Annotated[Path, typer.Argument(help="A stream's file; made if there is none.")],
    name: Annotated[str | None, typer.Option(help="Whose memory it is; a new file's is called after the file.")] = None,
    model: Annotated[
        str, typer.Option(help="Rates and reflects: offline (by rule), a GGUF file, or a model at an endpoint.")
    ] = "offline",
    base_url: Annotated[list[str] | None, typer.Option(metavar="URL", help="An OpenAI-compatible endpoint.")] = None,
    preset: Annotated[str, typer.Option(help="How it searches: hybrid, paper, reference or ysocial.")] = "hybrid",
) -> None:
    """Serve a stream's file to an agent as MCP tools, over standard input and output."""
    try:
        from memory.mcp_server import Tools, server
    except ModuleNotFoundError as error:
        if error.name != "mcp":
            raise
        raise InputError("memory serve needs the package mcp (pip install 'townsfolk[mcp]')") from error
    from memory.completers import open_completer
    from memory.config import MemoryConfig
    from memory.embedding import packaged_embedder
    from memory.stream_file import StreamFile

    completer = open_completer(model, base_url or ())
    config = MemoryConfig.preset(cast("PresetName", preset))
    kept = StreamFile(file, name, rater=completer, reflector=completer, embedder=packaged_embedder(), config=config)
    with kept.open() as (stream, _):
        told = f"memory: {len(stream):,} memories of {stream.name} in {file}; serving on standard input and output"
    print(told, file=sys.stderr)
    # Ctrl-C ends it at once, where waiting for input would go on; whatever was answered is in the file.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    server(Tools(kept)).run("stdio")


def main() -> None:
    """Run the command; exit 2 with one sentence where the input was wrong."""
    try:
        app()
    except StreamError as error:
        print(f"memory: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
