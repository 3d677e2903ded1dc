"""`town new`: a town of one's own to begin from, which checks and runs as it is written."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from sim.analysis.printable import write_lines
from sim.errors import RunError

NAMES = (
    "Ada Berg", "Ben Okafor", "Carla Ruiz", "Dan Levi", "Emi Sato", "Farid Nasser", "Grete Holm", "Hugo Marin",
    "Ines Duarte", "Jonas Feld", "Kira Popova", "Leo Tan",
)  # fmt: skip
WORKS = (("bakery", "baking bread"), ("school", "teaching"), ("library", "sorting books"), ("garden", "planting"))
FEWEST, MOST = 2, len(NAMES)


def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The scenario file to write, such as my_town.yaml.")],
    name: Annotated[str | None, typer.Option(help="What the town is called.")] = None,
    residents: Annotated[int | None, typer.Option("-n", "--residents", help=f"How many, {FEWEST} to {MOST}.")] = None,
    news: Annotated[str | None, typer.Option(help="What the first resident thinks on the first morning.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Write a commented town to begin from; asks for what is not given, where somebody can answer."""
    if file.exists() and not force:
        raise RunError(f"{str(file)!r} exists already: name another file, or overwrite it with --force")
    asks = sys.stdin.isatty()
    name = name or (typer.prompt("What is the town called?", "My town") if asks else "My town")
    if residents is None:
        residents = typer.prompt("How many live there?", 4, type=int) if asks else 4
    if not FEWEST <= residents <= MOST:
        raise RunError(f"--residents is {residents}, but must be from {FEWEST} to {MOST} (write more by hand later)")
    usual = "I will give a dinner at the inn on 6 May from 19:00 to 21:00, and everybody is welcome."
    if news is None:
        news = typer.prompt("What does the first of them have in mind?", usual) if asks else usual
    try:
        file.write_text(town_text(name, residents, news), encoding="utf-8", newline="\n")
    except OSError as error:
        raise RunError(f"{str(file)!r} cannot be written: {error}") from error
    write_lines([f"Wrote {file}", f"Next: town check {file}   town run {file}"])


def town_text(name: str, residents: int, news: str) -> str:
    """Return a commented scenario."""
    people = NAMES[:residents]
    homes = [f"  - {{id: home{n}, name: {one.split()[0]}'s house, at: [{80 * n}, 0]}}" for n, one in enumerate(people)]
    lives = [line for n in range(residents) for line in _resident(n, people)]
    quoted = f'"{_escaped(news)}"'
    return "\n".join([
        f'name: "{_escaped(name)}"',
        "start: 2024-05-05 06:00     # the first second, in local time",
        "days: 2",
        "seed: 1                      # another seed, another life",
        "town:",
        "  places:                    # id, a name, where it is in metres; hours where it closes",
        "  - {id: inn, name: the Inn, at: [100, 200], open: 08:00-23:00}",
        "  - {id: bakery, name: the Bakery, at: [200, 200], open: 07:00-18:00}",
        "  - {id: school, name: the School, at: [300, 200], open: 08:00-16:00}",
        "  - {id: library, name: the Library, at: [400, 200], open: 09:00-19:00}",
        "  - {id: garden, name: the Garden, at: [250, 350]}",
        *homes,
        "people:                      # who they are, what they usually do, and whom they know",
        *lives,
        "events:                      # what sets things off: a thought, or something that happens somewhere",
        f"- {{at: 08:00, who: {people[0]}, thinks: {quoted}}}",
        "measures:                    # what the run is asked for at its end",
        "  network: true              # who knows whom",
        "# model: {chat: your-model, base_url: http://localhost:8080/v1}   # else: offline, by rule and for nothing",
        "",
    ])  # fmt: skip


def _resident(number: int, people: tuple[str, ...]) -> list[str]:
    work, do = WORKS[number % len(WORKS)]
    friend = people[(number + 1) % len(people)]
    return [
        f"- name: {people[number]}",
        f"  home: home{number}",
        f"  work: {work}",
        f"  traits: [{'warm' if number % 2 else 'curious'}, {'talkative' if number % 3 else 'thoughtful'}]",
        f"  knows: {{{friend}: a neighbour}}",
        "  routine:",
        f"  - {{at: 09:00, place: {work}, for: 3h, do: {do}}}",
        "  - {at: 12:30, place: inn, for: 1h, do: having lunch}",
        f"  - {{at: 14:00, place: {work}, for: 2h, do: {do}}}",
    ]


def _escaped(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
