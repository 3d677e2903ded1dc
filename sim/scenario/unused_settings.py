"""Finds what a scenario says of relationships without effect, as notes: no mistake, but not what its author expects."""

from collections.abc import Iterator

from memory.relationships.settings import SocialSettings
from sim.errors import Problem
from sim.scenario.model import Scenario
from sim.scenario.relationships import RelationshipSettings
from sim.scenario.strict_yaml import Node

_SECTION = "relationships"
_LOSES = ("distortion", "social_drop", "thread_drop")


def idle_relationships(root: Node, scenario: Scenario) -> Iterator[Problem]:
    """Yield a note for each setting in the sections ``relationships`` of *root* that changes nothing."""
    everybody = [scenario.social_of(person) for person in scenario.people]
    yield from _idle(root, "", scenario.relationships, everybody)
    people = root.get("people")
    for i, node in enumerate(people.items if people else []):
        own = scenario.people[i].relationships
        if own is not None:
            yield from _idle(node, f"people[{i}].", own, everybody[i : i + 1])


def _idle(holder: Node, above: str, form: RelationshipSettings, concerned: list[SocialSettings]) -> Iterator[Problem]:
    """Yield the notes on the section of *holder*, read as *form*, which has a say for those *concerned*."""
    section = holder.fields.get(_SECTION)
    if section is None or not section.fields or not concerned:
        return
    path, said = f"{above}{_SECTION}", form.changes()
    if all(one.engine == "none" for one in concerned):
        if "engine" not in said and said:
            text = f"{path}: no engine is given, so nothing is kept of others (add engine: compact)"
            yield holder.key_mark(_SECTION).problem(text)
        return
    if form.fading is False and "half_life_hours" in said:
        text = f"{path}.half_life_hours has no effect, as fading is false (take one of them out)"
        yield section.key_mark("half_life_hours").problem(text)
    yield from _unlost(section, path, [key for key in _LOSES if key in said], concerned)


def _unlost(section: Node, path: str, said: list[str], concerned: list[SocialSettings]) -> Iterator[Problem]:
    """Yield notes on what is *said* of losing words where no word can be lost."""
    without = all(not one.distortion for one in concerned)
    if without:
        for key in said:
            if key != "distortion":
                yield section.key_mark(key).problem(f"{path}.{key} has no effect, as distortion is false")
    elif not any(one.distortion and one.distortion_with_embedder for one in concerned):
        for key in said:
            yield section.key_mark(key).problem(
                f"{path}.{key} has no effect where an embedder serves the search, as the packaged one does "
                "(add distortion_with_embedder: true)"
            )
