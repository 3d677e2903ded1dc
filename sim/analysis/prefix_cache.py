"""How much of what a run sends could come from a server's prefix cache: a simulation over the recorded prompts.

Servers keep what they have worked out for a prompt in blocks of tokens, each found again by its own tokens and all
before it, so only an unbroken beginning can be reused.  Here tokens are word pieces, cut the same way each time, and
the cache never forgets; a real one cuts a little differently and forgets what is long unused.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

Messages = Sequence[Mapping[str, str]]
BLOCK = 16  # tokens; the usual size of open servers
_PIECE = re.compile(r" ?[^\W\d_]{1,8}| ?\d{1,3}|\s+|[^\w\s]{1,3}|_+")  # about what a tokenizer of today makes of a text


class Reuse(NamedTuple):
    """Tokens of one prompt or of many."""

    reused: int
    total: int

    @property
    def share(self) -> float:
        """Share that could be reused, 0 of nothing."""
        return self.reused / self.total if self.total else 0.0


NO_REUSE = Reuse(0, 0)


class PrefixCache:
    """Remembers each prompt that it was shown, in blocks.

    Args:
        block: Tokens a block; only full blocks are kept.
        least: Reuse of fewer tokens counts as none (hosted services begin at 1,024, in steps of 128).
    """

    def __init__(self, block: int = BLOCK, least: int = 0) -> None:
        self._block, self._least = block, least
        self._known: dict[tuple[int, str], int] = {}
        """(block before, text of the block) -> the block; 0 is the beginning."""

    def send(self, messages: Messages) -> Reuse:
        """Return how many tokens of a prompt were known, and know it from now on."""
        pieces = _PIECE.findall(render(messages))
        before, hits, hit = 0, 0, True
        for end in range(self._block, len(pieces) + 1, self._block):
            key = (before, "".join(pieces[end - self._block : end]))
            known = self._known.get(key)
            hit = hit and known is not None
            hits += hit
            before = self._known.setdefault(key, len(self._known) + 1)
        if hits and hits * self._block == len(pieces):
            hits -= 1  # the last token is always worked out anew, and its block with it
        reused = hits * self._block
        return Reuse(reused if reused >= self._least else 0, len(pieces))


def render(messages: Messages) -> str:
    """Return the text that a chat template makes of *messages*, in outline."""
    return "".join(f"<|{message['role']}|>\n{message['content']}\n" for message in messages)


def reusable_share(prompts: Iterable[Messages], block: int = BLOCK, least: int = 0) -> float:
    """Return the share of input tokens, 0 to 1, that a prefix cache saves when *prompts* are sent in this order."""
    cache = PrefixCache(block, least)
    return total(cache.send(messages) for messages in prompts).share


def reuse_by_prompt(calls: Iterable[Mapping[str, Any]], block: int = BLOCK, least: int = 0) -> dict[str, Reuse]:
    """Return reuse by the prompt's name, over the lines of `calls.jsonl`; each model has a cache of its own."""
    caches: dict[str, PrefixCache] = defaultdict(lambda: PrefixCache(block, least))
    by_prompt: dict[str, Reuse] = {}
    for call in calls:
        request = call["request"]
        sent = caches[call["model"]].send(request["messages"])
        by_prompt[request["prompt"]] = total([by_prompt.get(request["prompt"], NO_REUSE), sent])
    return dict(sorted(by_prompt.items()))


def total(parts: Iterable[Reuse]) -> Reuse:
    """Return the sum."""
    reused = tokens = 0
    for part in parts:
        reused, tokens = reused + part.reused, tokens + part.total
    return Reuse(reused, tokens)
