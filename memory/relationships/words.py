"""What others said, made fit to stand in a prompt: on one line, without what looks like a part of the prompt."""

from memory.record import writable
from memory.replies.texts import is_scaffolding, without_scaffolding


def one_line(text: str, most: int) -> str:
    """Return *text* on one line of at most *most* characters, an ellipsis where it was cut.

    What looks like a part of a prompt (tags, braces, labels of tiers, ``system:``) is left out: it was said by
    somebody and must not speak to the model.
    """
    plain = " ".join(without_scaffolding(writable(text)).split())
    if is_scaffolding(plain):  # on one line, what stood on two may be a part
        return one_line(plain, most)
    if len(plain) <= most:
        return plain
    return plain[: most - 1].rstrip() + "…" if most > 0 else ""
