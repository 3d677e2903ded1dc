"""Vectors from an endpoint, kept in the run's record: none is paid twice, and a run that goes on gets the same bits."""

import base64
import hashlib
import json
import threading
import time
from collections.abc import Iterable, Sequence
from itertools import accumulate

import numpy as np

from memory.embedding import Embedder, Vectors
from sim.models.recording import NotRecorded, RecordedCall, Recorder

PROMPT = "embed"


class RecordedEmbedder:
    """An embedder that asks *inner* for what the record does not hold yet."""

    def __init__(self, inner: Embedder, recorder: Recorder) -> None:
        self._inner, self._recorder = inner, recorder
        self.name, self.size = inner.name, inner.size
        self._lock = threading.Lock()
        self._underway: dict[str, threading.Event] = {}

    def embed(self, texts: list[str], /) -> Vectors:
        """Return unit rows, shape (texts, size); a zero row is a text without a vector.

        What another thread is asking for already is waited for, not asked again.
        """
        rows = np.zeros((len(texts), self.size), np.float32)
        left = dict.fromkeys(texts)
        while left:
            mine, theirs = self._share_out(left)
            try:
                if mine:
                    self._ask(mine)
            finally:
                with self._lock:
                    for text in mine:
                        self._underway.pop(text).set()
            for waited_for in theirs:
                waited_for.wait()
            found = {text: call for text in left if (call := self._look_up(text)) is not None}
            for row, text in enumerate(texts):
                if text in found and (kept := found[text].text) is not None:
                    rows[row] = np.frombuffer(base64.b64decode(kept), "<f4")
            left = {text: None for text in left if text not in found}
        return rows

    def _share_out(self, texts: Iterable[str]) -> tuple[list[str], list[threading.Event]]:
        """Return the texts that this thread is to ask for, and what to wait for of the others'."""
        mine, theirs = [], []
        with self._lock:
            for text in texts:
                if text in self._underway:
                    theirs.append(self._underway[text])
                elif self._look_up(text) is None:
                    self._underway[text] = threading.Event()
                    mine.append(text)
        return mine, theirs

    def _look_up(self, text: str) -> RecordedCall | None:
        return self._recorder.find(self._key(text), self._body(text))

    def _ask(self, texts: Sequence[str]) -> None:
        """Ask for the vectors and keep them."""
        if self._recorder.strict:
            raise NotRecorded(f"a vector of {texts[0][:60]!r} is needed ({PROMPT}), and the record holds none")
        self._recorder.meter.check()
        began = time.perf_counter()
        rows = self._inner.embed(list(texts))
        seconds = (time.perf_counter() - began) / len(texts)
        tokens = [self._recorder.tokens(text) for text in texts]
        told = getattr(getattr(self._inner, "inner", self._inner), "told", None)
        if told is not None:
            tokens = _share(told, tokens)
        for text, row, count in zip(texts, rows, tokens, strict=True):
            kept = base64.b64encode(row.astype("<f4").tobytes()).decode()
            call = RecordedCall(self.name, PROMPT, kept, None, count, 0, 0, 1, paid=True, estimated=told is None)
            self._recorder.keep(self._key(text), self._body(text), call, seconds)

    def _body(self, text: str) -> dict[str, str]:
        return {"who": "", "prompt": PROMPT, "text": text}

    def _key(self, text: str) -> str:
        named = json.dumps([PROMPT, self.name, self.size, text], ensure_ascii=False)
        return hashlib.sha256(named.encode()).hexdigest()[:16]


def _share(told: int, estimates: Sequence[int]) -> list[int]:
    """Return *told* tokens shared out as the *estimates* are, none lost by rounding."""
    whole, shares, given = sum(estimates) or 1, [], 0
    for so_far in accumulate(estimates):
        shares.append(told * so_far // whole - given)
        given += shares[-1]
    shares[-1] += told - given
    return shares
