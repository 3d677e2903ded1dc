"""What others said, made fit to stand in a prompt: on one line, without what looks like a part of the prompt."""

import re

from memory.record import writable

_SCAFFOLD = re.compile(
    r"\[/?\s*memory[^\]\n]*\]|</?[a-z_][^<>\n]{0,80}>|<\|[^|\n]{0,80}\|>|\{\{|\}\}|"
    r"(?:^|(?<=\n))\s*(?:system|assistant|user)\s*:",
    re.IGNORECASE,
)


def one_line(text: str, most: int) -> str:
    """Return *text* on one line of at most *most* characters, an ellipsis where it was cut.

    What looks like a part of a prompt (tags, braces, labels of tiers, ``system:``) is left out: it was said by
    somebody and must not speak to the model.
    """
    plain = writable(text)
    while is_scaffolding(plain):  # again: what stood on both sides of a part may make another
        plain = _SCAFFOLD.sub(" ", plain).strip()
    plain = " ".join(plain.split())
    if is_scaffolding(plain):  # on one line, what stood on two may be a part
        return one_line(plain, most)
    if len(plain) <= most:
        return plain
    return plain[: most - 1].rstrip() + "…" if most > 0 else ""


def is_scaffolding(text: str) -> bool:
    """Tell whether *text* looks like a part of a prompt."""
    return _may_scaffold(text) and _SCAFFOLD.search(text) is not None


def _may_scaffold(text: str) -> bool:
    """Tell whether *text* holds a sign without which it cannot look like a prompt: cheap, and mostly false."""
    return any(sign in text for sign in "[<{}:")
