"""Options that several commands share are declared once, and read as if each command had them itself."""

from dataclasses import dataclass
from importlib.metadata import version
from typing import Annotated

import typer
from typer.testing import CliRunner

from sim.cli.app import app
from sim.cli.options import Changes, with_groups


@dataclass(frozen=True)
class Tea:
    """A group of options."""

    sugar: Annotated[int, typer.Option(help="Lumps.")] = 0
    milk: bool = False


def served(*words: str) -> str:
    """Return what a command with a group of options prints."""
    kitchen = typer.Typer()

    @kitchen.command()
    @with_groups
    def serve(guest: str, *, hot: bool = True, tea: Tea) -> None:
        """Serve tea."""
        typer.echo(f"{guest} {hot} {tea}")

    return CliRunner().invoke(kitchen, words).output.strip()


def test_a_group_of_options_is_read_field_by_field() -> None:
    """Each field of a group is an option of the command, and the command gets the group."""
    assert served("Ann", "--sugar", "2", "--milk") == f"Ann True {Tea(2, True)}"
    assert served("Bo", "--no-hot") == f"Bo False {Tea()}"


def test_the_fields_of_a_group_stand_in_the_help_in_their_place() -> None:
    """Options are listed in the order in which the command and its groups declare them."""
    told = served("--help")
    assert "Lumps." in told
    assert told.index("--no-hot") < told.index("--sugar") < told.index("--milk")


def test_changes_are_told_by_key_of_the_scenario() -> None:
    """--set, --model and --base-url are changes like those of a command's own options."""
    changes = Changes(model="m", base_url=["http://a/v1", "http://b/v1"], sets=["memory.k=8"])
    assert changes.by_key(seed=3, until=None) == {
        "memory.k": "8", "model.chat": "m", "model.base_url": "[http://a/v1, http://b/v1]", "seed": "3",
    }  # fmt: skip


def test_the_version_is_told_without_a_command() -> None:
    """``town --version`` says which townsfolk this is, and that is no mistake."""
    done = CliRunner().invoke(app, ["--version"])
    assert (done.exit_code, done.output) == (0, f"townsfolk {version('townsfolk')}\n")
