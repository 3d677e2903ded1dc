"""Recording: a wrapper that gives each call its key, writes it down and counts it."""

import json
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from sim.models.request import Model, Reply, Request


class Recorder:
    """Passes requests on to *model* and writes each call to *path*, one line a call."""

    def __init__(self, model: Model, path: Path) -> None:
        self.model = model
        self._file = path.open("a", encoding="utf-8", newline="\n")
        self._lock = threading.Lock()
        self._asked: dict[str, Counter[str]] = defaultdict(Counter)
        self.calls: Counter[str] = Counter()
        """Calls by prompt."""
        self.tokens_in = self.tokens_out = 0
        self.seconds = 0.0

    def ask(self, request: Request) -> tuple[Reply, str]:
        """Return the reply and the call's key.

        A resident asks one thing at a time, so the count behind the key does not depend on threads.
        """
        name = self.model.answering(request)
        plain = request.key(name, 0)
        with self._lock:
            nth = self._asked[request.who][plain] = self._asked[request.who][plain] + 1
        key = request.key(name, nth)
        began = time.perf_counter()
        reply = self.model.reply(request)
        self._write(key, request, reply, time.perf_counter() - began)
        return reply, key

    def _write(self, key: str, request: Request, reply: Reply, seconds: float) -> None:
        usage = {"tokens_in": reply.tokens_in, "tokens_out": reply.tokens_out}
        line: dict[str, Any] = {
            "key": key,
            "model": self.model.answering(request),
            "request": request.body(),
            "reply": reply.text,
            "usage": {name: value for name, value in usage.items() if value is not None},
            "seconds": round(seconds, 6),
        }
        text = json.dumps(line, ensure_ascii=False) + "\n"
        with self._lock:
            self._file.write(text)
            self.calls[request.prompt] += 1
            self.tokens_in += reply.tokens_in or 0
            self.tokens_out += reply.tokens_out or 0
            self.seconds += seconds

    def summary(self) -> dict[str, Any]:
        """Return what the run's manifest tells of the calls."""
        return {
            "calls": sum(self.calls.values()),
            "calls_by_prompt": dict(sorted(self.calls.items())),
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "model_seconds": round(self.seconds, 3),
        }

    def close(self) -> None:
        """Close the file and the model."""
        self._file.close()
        self.model.close()
