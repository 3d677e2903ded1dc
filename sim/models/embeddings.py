"""Embeddings from an OpenAI-compatible endpoint: each text gets its own vector or none, never another's.

A text without a vector (its row is zero) is found by its words instead.  There is no silent change to another embedder:
an endpoint without embeddings is an error at the start, and whoever wants the packaged one leaves ``model.embed`` out.
"""

import base64
import json
import logging
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from memory.embedding import Vectors, unit_rows
from sim.errors import ModelError, RunStopped
from sim.models import retries
from sim.models.address import without_secrets
from sim.models.parameter_errors import Complaint, is_page, server_words
from sim.models.response_body import BrokenBodyError, WebPageError
from sim.models.retries import Trouble
from sim.models.servers import Servers

BATCH = 64  # texts at once: what most servers take
LONGEST = 24_000  # characters; the largest windows hold 8,192 tokens
SHORTENINGS = 6  # halvings of a text that is still too long: 24,000 characters become 375
TRIES_OF_ONE = 2  # requests for a text that fails by itself: some make a server fail for ever

_log = logging.getLogger(__name__)


class _FailedError(Exception):
    """A request brought no vectors; ``args`` is the `Trouble`."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble)
        self.trouble = trouble


class EndpointEmbedder:
    """The embedding model *name* on *servers*; safe to use from several threads."""

    def __init__(self, name: str, servers: Servers, key: str, on_close: Callable[[], None]) -> None:
        self.name = name
        self._servers, self._key, self._on_close = servers, key, on_close
        self._dice = random.Random()  # spreads waiting times
        self._lock = threading.Lock()
        self.size = 0
        """Numbers per vector, known once `open` or `embed` has had an answer."""
        self._format = True
        """Whether the endpoint takes `encoding_format`."""
        self._has_answered = False
        self._told = threading.local()
        self._hopeless: set[str] = set()
        """Texts for which the endpoint has no vector."""

    def open(self) -> "EndpointEmbedder":
        """Ask for one vector, so that what is wrong shows before the run begins.

        Raises:
            ModelError: If there is none to be had, with what to change.
        """
        try:
            row = self._send(["town"])[0]
            wrong = f"gave an empty vector for {self.name!r}" if row is None else ""
        except _FailedError as failed:
            words = without_secrets(failed.trouble.words, self._key)
            wrong = f"has no embeddings by {self.name!r} ({words})"
        if wrong:
            advice = "correct model.embed, or leave it out to use the packaged embedder"
            raise ModelError(f"{self._servers.all[0].url} {wrong}: {advice}")
        return self

    def embed(self, texts: list[str], /) -> Vectors:
        """Return one unit row per text, in order; zero for blank ones and those that the endpoint has no vector for.

        Raises:
            RunStopped: If the endpoint cannot be reached.
        """
        self._told.tokens = 0
        wanted = [at for at, text in enumerate(texts) if text.strip() and text not in self._hopeless]
        batches = [wanted[start : start + BATCH] for start in range(0, len(wanted), BATCH)]
        found = [row for batch in batches for row in self._embed_batch([texts[at] for at in batch])]
        rows = np.zeros((len(texts), self.size), dtype=np.float32)
        for at, row in zip(wanted, found, strict=True):
            if row is not None:
                rows[at] = row
        return unit_rows(rows)

    @property
    def told(self) -> int | None:
        """Tokens that the server said the last texts of this thread had; None where it said nothing."""
        return getattr(self._told, "tokens", 0) or None

    def _embed_batch(self, texts: Sequence[str]) -> list[list[float] | None]:
        """Return the vectors of *texts*; if they cannot be had together, one by one."""
        if len(texts) > 1:
            try:
                rows = self._send(texts)
            except _FailedError as failed:
                self._stop_if_lost(failed.trouble)
                rows = []
            if len(rows) == len(texts) and None not in rows:
                return rows
            _log.warning("%s: %d texts brought %d vectors: asking one by one", self.name, len(texts), len(rows))
        return [self._embed_alone(text) for text in texts]

    def _embed_alone(self, text: str) -> list[float] | None:
        part = text[:LONGEST]
        for _ in range(SHORTENINGS):
            try:
                row = (self._send([part]) or [None])[0]
            except _FailedError as failed:
                self._stop_if_lost(failed.trouble)
                if failed.trouble.remedy != "shrink" or len(part) == 1:
                    break
                part = part[: len(part) // 2]
                continue
            if row is None:
                break
            if len(part) < len(text):
                _log.warning("%s: a text of %d characters is embedded by its first %d", self.name, len(text), len(part))
            return row
        with self._lock:
            self._hopeless.add(text)
        _log.warning("%s has no vector for %r: it goes by its words", self.name, text[:60])
        return None

    def _stop_if_lost(self, trouble: Trouble) -> None:
        if trouble.lost or trouble.remedy == "stop":
            words = without_secrets(trouble.words, self._key)
            raise RunStopped(f"{self.name} at {self._servers.all[0].url} gives no embeddings any more: {words}")

    # one request

    def _send(self, texts: Sequence[str]) -> list[list[float] | None]:
        """Return what came back, in order of the texts.

        Raises:
            _FailedError: If nothing did, after all attempts.
        """
        failed = 0
        while True:
            with self._servers.lend() as server:
                outcome = self._attempt(server.client, texts)
                if isinstance(outcome, Trouble) and outcome.lost:
                    self._servers.leave_out(server)
            if not isinstance(outcome, Trouble):
                self._has_answered = True
                return outcome
            if outcome.page and self._has_answered:
                outcome = replace(outcome, remedy="again")  # of a proxy before a server that is there
            if self._format and outcome.remedy == "adapt" and "encoding_format" in outcome.complaint:
                self._format = False
                continue
            failed += 1
            most = TRIES_OF_ONE if outcome.complaint else retries.ATTEMPTS
            if outcome.remedy != "again" or failed >= most or (outcome.late and not self._has_answered):
                raise _FailedError(outcome)
            self._servers.pause(outcome.wait if outcome.wait is not None else retries.backoff(failed, self._dice))

    def _attempt(self, client: Any, texts: Sequence[str]) -> "list[list[float] | None] | Trouble":
        import openai  # here, because it takes a second
        from httpx2 import ConnectTimeout, Response

        sent: dict[str, Any] = {"model": self.name, "input": list(texts)}
        if self._format:
            sent["encoding_format"] = "float"  # else the package asks for base64, which some servers mangle
        try:
            response = client.post("/embeddings", cast_to=Response, body=sent)
            return self._read_vectors(response.text, len(texts))
        except openai.APIConnectionError as error:
            cause = error.__cause__
            lost = type(cause).__name__ == "ConnectError" or isinstance(cause, ConnectTimeout)
            late = isinstance(error, openai.APITimeoutError) and not lost
            words = "it did not answer in time" if late else " ".join(str(cause or error).split())
            return Trouble(words, "again", lost=lost, late=late)
        except openai.APIStatusError as error:
            text = error.response.text
            asked = retries.retry_after(error.response.headers, time.time(), text)
            trouble = retries.trouble_of_status(error.response.status_code, text, asked)
            too_long = trouble.remedy in ("adapt", "again") and Complaint.OVERFLOW.is_in(text)
            return Trouble(trouble.words, "shrink", complaint=text) if too_long else trouble
        except BrokenBodyError as error:
            return retries.trouble_of_body(error)
        except RuntimeError as error:  # what the client raises once it is closed
            self._servers.check()
            return Trouble(f"{type(error).__name__}: {error}", "again")

    def _read_vectors(self, text: str, asked: int) -> list[list[float] | None]:
        """Return the vectors in a body, by their index; None for one that is empty or of another size."""
        if is_page(text):
            raise WebPageError(server_words(text))
        try:
            body = json.loads(text)
            data = list(body["data"])
        except (ValueError, TypeError, KeyError) as error:
            raise BrokenBodyError(f"the body holds no vectors ({server_words(text)[:80]!r})") from error
        usage = body.get("usage") if isinstance(body, dict) else None
        count = usage.get("prompt_tokens") if isinstance(usage, dict) else None
        if isinstance(count, int) and count > 0:
            self._told.tokens = getattr(self._told, "tokens", 0) + count
        rows: list[list[float] | None] = [None] * min(asked, len(data))
        for place, item in enumerate(data[:asked]):
            index = item.get("index", place) if isinstance(item, dict) else place
            if isinstance(index, int) and 0 <= index < len(rows):
                rows[index] = self._read_vector(item)
        return rows

    def _read_vector(self, item: Any) -> list[float] | None:
        row = item.get("embedding") if isinstance(item, dict) else None
        if isinstance(row, str):  # some servers send base64 of float32, whatever they were asked for
            try:
                row = np.frombuffer(base64.b64decode(row, validate=True), dtype="<f4").tolist()
            except ValueError:
                return None
        if not isinstance(row, list) or not row or not all(isinstance(number, int | float) for number in row):
            return None
        with self._lock:
            self.size = self.size or len(row)
        return row if len(row) == self.size else None

    def close(self) -> None:
        """End what is under way, and close the connections."""
        self._servers.close()
        self._on_close()
