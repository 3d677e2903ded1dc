"""The command line of a memory by itself, `memory`: tune the search, make vectors anew, serve an agent."""

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from memory.errors import InputError, StreamError

if TYPE_CHECKING:
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
