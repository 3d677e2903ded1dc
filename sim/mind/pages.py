"""The pages that prompts are filled from: the package's, or a scenario's own in their place, in its language."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from memory.prompts import fill_text, load_prompt, variables_of

FEWEST_COPIED = 3  # words: fewer may stand anywhere by chance
ROLE = "memory_role"  # the system message of the memory's prompts

Messages = list[dict[str, str]]


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of one scenario."""

    own: Mapping[str, str] = field(default_factory=dict)
    """By name, the pages that stand in place of the package's."""
    language: str = ""
    """The language that residents speak; "" is the pages' own."""

    def text(self, package: str, name: str) -> str:
        """Return the page *name*."""
        return self.own.get(name) or load_prompt(package, name)

    def town_messages(self, prompt: str, variables: Mapping[str, str]) -> Messages:
        """Return one of the town's prompts, filled: what lasts is the system's message, what changes the user's.

        `agent_action` as the seed has it stands whole in the user's message.
        """
        system, user = self.text("sim", f"{prompt}_format"), self.text("sim", prompt)
        return [self._system(system, variables), _message("user", _filled(user, variables))]

    def memory_messages(self, prompt: str, variables: Mapping[str, str], about: str) -> Messages:
        """Return one of the memory's prompts, filled; who the resident is, where *about* says it, is the system's."""
        role = [self._system(self.text("sim", ROLE), {"agent_summary": about})] if about or self.language else []
        return [*role, _message("user", fill_text(self.text("memory", prompt), variables))]

    def is_of_the_instructions(self, words: str, prompt: str) -> bool:
        """Return whether *words* stand in what a prompt tells every resident: copied, not answered."""
        asked = " ".join(words.casefold().split()).strip(" .")
        page = " ".join(self.text("sim", f"{prompt}_format").casefold().split())
        return asked.count(" ") >= FEWEST_COPIED - 1 and asked in page

    def mark(self, prompt: str) -> str:
        """Return a hash of the scenario's own pages that *prompt* is filled from; "" where there are none."""
        marks = self.marks()
        return "-".join(marks[name] for name in (prompt, f"{prompt}_format", "language") if name in marks)

    def marks(self) -> dict[str, str]:
        """Return a hash of each page that is the scenario's own."""
        return {name: hashlib.sha256(text.encode()).hexdigest()[:16] for name, text in sorted(self.own.items())}

    def _system(self, page: str, variables: Mapping[str, str]) -> dict[str, str]:
        spoken = fill_text(self.text("sim", "language"), {"language": self.language}) if self.language else ""
        return _message("system", "\n".join(part for part in (_filled(page, variables), spoken) if part))


def _filled(page: str, variables: Mapping[str, str]) -> str:
    return fill_text(page, {name: variables[name] for name in variables_of(page) if name in variables})


def _message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}
