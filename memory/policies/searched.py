"""The two policies that search: episodes, each a whole text, and facts, each a sentence."""

from datetime import datetime

from memory import prompts
from memory.config import MemoryConfig
from memory.embedding import Embedder
from memory.language.sentences import holds, plain
from memory.language.words import tokens
from memory.policies.document_store import DocumentStore
from memory.policies.extraction import Extractor, by_rule
from memory.policies.policy import Context, Count, Reading, context
from memory.prompts import Completer
from memory.record import writable
from memory.tokens import estimate

EPISODES, FACTS = 3, 8
"""How many go into a call: a fact is a sentence, so that eight are still far less to read than three texts."""
ANSWERED, PASSED_OVER = 8.0, 4.0
"""Importance, where no rater is asked, of a text that held what was looked for, and of one that did not."""


class Metered:
    """A model, with the tokens that it has read and written so far."""

    def __init__(self, model: Completer, count: Count) -> None:
        self._model, self._count = model, count
        self.tokens = 0

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        """Return the model's reply."""
        self.tokens += self._count(prompts.fill(prompt_name, variables))
        reply = self._model.complete(prompt_name, **variables)
        self.tokens += self._count(str(reply))
        return reply


class Episodic:
    """Every text that was read is an episode; the best few by recency + importance + relevance go into a call.

    What is read twice becomes one episode.  Another text from the same source replaces the one that was there.
    """

    def __init__(
        self,
        count: Count = estimate,
        *,
        config: MemoryConfig | None = None,
        embedder: Embedder | None = None,
        rater: Completer | None = None,
        cap: int | None = None,
        name: str = "the agent",
    ) -> None:
        """Begin without episodes.

        Args:
            config: How they are found, and how many (``k``); None: by the preset ``hybrid``, 3 of them.
            embedder: None: keywords serve.
            rater: Rates each episode from 1 to 10; None: 8 where the text held the answer, else 4, at no cost.
            cap: Most episodes; beyond it those of the lowest recency + importance are forgotten.  None: no limit.
        """
        self._count = count
        self._rater = None if rater is None else Metered(rater, count)
        own = config if config is not None else MemoryConfig.preset("hybrid", k=EPISODES)
        self._store = DocumentStore(name, own, embedder, self._rater, cap)

    @property
    def written(self) -> int:
        """Tokens of the calls that rated episodes."""
        return self._rater.tokens if self._rater else 0

    def read(self, now: datetime, reading: Reading, /) -> None:
        """Add an episode, or refresh it."""
        text = writable(reading.text).strip()
        if not text:
            return
        older = [one for one in self._store.current(reading.source) if one != text]
        by_rule = PASSED_OVER if reading.answer is None else ANSWERED
        self._store.put(now, {text: None if self._rater else by_rule}, reading.source)
        self._store.supersede(dict.fromkeys(older, text))
        self._store.forget(now)

    def probe(self, now: datetime, question: str, /) -> Context:
        """Return the best episodes, best first."""
        return context(self._store.find(now, question), self._count)

    def stored_tokens(self) -> int:
        """Return the tokens of all episodes."""
        return self._count("\n".join(self._store.texts))


class Semantic:
    """Every text is turned into facts, a sentence each; the nearest few to the question go into a call.

    A fact that its source no longer states is replaced by the nearest of those that it states now.
    """

    def __init__(
        self,
        count: Count = estimate,
        extract: Extractor | None = None,
        *,
        config: MemoryConfig | None = None,
        embedder: Embedder | None = None,
        cap: int | None = None,
        name: str = "the agent",
    ) -> None:
        """Begin without facts.

        Args:
            extract: `by_rule` or `by_model` (of `memory.policies.extraction`); None: by rule.
            config: How they are found, and how many (``k``); None: by the preset ``hybrid``, 8 of them.
            embedder: None: keywords serve.
            cap: Most facts; beyond it those of the lowest recency + importance are forgotten.  None: no limit.
        """
        self._count, self._extract = count, extract or by_rule(count)
        own = config if config is not None else MemoryConfig.preset("hybrid", k=FACTS)
        self._store = DocumentStore(name, own, embedder, None, cap)
        self._text: dict[str, str] = {}
        self._answer: dict[str, str] = {}
        self.written = 0
        self.fallen_back: list[str] = []
        """Why the rule had to choose facts in the model's place, once for each time."""

    def read(self, now: datetime, reading: Reading, /) -> None:
        """Extract the facts of what was read."""
        if not reading.text.strip():
            return
        found, tokens, reason = self._extract(reading)
        facts = [writable(fact) for fact in found]
        self.written += tokens
        if reason is not None:
            self.fallen_back.append(reason)
        before = self._store.current(reading.source)
        looked_for = facts[:1] if reading.answer is not None else []
        self._store.put(now, {fact: ANSWERED if fact in looked_for else PASSED_OVER for fact in facts}, reading.source)
        self._store.supersede(self._replacements(reading, before, facts) | self._newer_answers(reading, facts))
        self._store.forget(now)

    def _replacements(self, reading: Reading, before: list[str], facts: list[str]) -> dict[str, str]:
        """Return what the source said *before* and does not say now, with what it says instead."""
        if reading.source is None:
            return {}
        old, new = self._text.get(reading.source, ""), plain(reading.text)
        self._text[reading.source] = new
        fresh = [fact for fact in facts if fact not in before]
        gone = [fact for fact in before if fact not in facts and not _still_states(plain(fact), old, new)]
        return {fact: max(fresh, key=lambda one: (_likeness(one, fact), one)) for fact in gone if fresh}

    def _newer_answers(self, reading: Reading, facts: list[str]) -> dict[str, str]:
        """Return the fact that answered the same question, in the same words, until now, with the one that does now."""
        if reading.question is None or reading.answer is None or not facts:
            return {}
        asked = plain(reading.question)
        older, self._answer[asked] = self._answer.get(asked), facts[0]
        return {} if older is None or holds(older, reading.answer) else {older: facts[0]}

    def probe(self, now: datetime, question: str, /) -> Context:
        """Return the nearest facts, nearest first."""
        return context(self._store.find(now, question), self._count)

    def stored_tokens(self) -> int:
        """Return the tokens of all facts."""
        return self._count("\n".join(self._store.texts))


def _still_states(fact: str, old: str, new: str) -> bool:
    """Return whether the *new* text of a source says what a fact of its *old* text said; all three are `plain`.

    A fact in words of its own is gone when a word that it took from the old text is.
    """
    if fact in old:
        return fact in new
    return set(tokens(fact)) & set(tokens(old)) <= set(tokens(new))


def _likeness(one: str, other: str) -> float:
    """Return the share of words that two sentences have in common."""
    words = set(plain(one).split()), set(plain(other).split())
    return len(words[0] & words[1]) / max(1, len(words[0] | words[1]))
