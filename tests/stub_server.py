"""An OpenAI-compatible server on 127.0.0.1 that answers and misbehaves as a test tells it to."""

import json
import re
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True)
class Call:
    """One request that arrived."""

    n: int
    """1 for the first of its path."""
    path: str
    body: dict[str, Any]
    headers: Mapping[str, str]

    @property
    def text(self) -> str:
        """All messages as one text."""
        return "\n".join(str(message["content"]) for message in self.body.get("messages", ()))


@dataclass(frozen=True)
class Answer:
    """What is sent back."""

    body: Any = ""
    """Text and bytes as they stand, anything else as JSON."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None
    """Bytes of the body after which the connection breaks; 0 breaks it after the headers, -1 before them."""
    wait: threading.Event | None = None
    """What must happen first."""


Behaviour = Callable[[Call], Answer]


def chat(content: Any, *, finish: str = "stop", usage: Any = None, **message: Any) -> Answer:
    """Return a completion."""
    whole = {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}
    usage = {"prompt_tokens": 40, "completion_tokens": 7} if usage is None else usage
    return Answer({"id": "x", "object": "chat.completion", "model": "m", "choices": [whole], "usage": usage})


def error(status: int, message: str = "trouble", code: str = "", **headers: str) -> Answer:
    """Return an error in OpenAI's shape; an underscore in a header's name stands for a hyphen."""
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer({"error": {"message": message, "code": code or None}}, status, told)


def vectors(*rows: Any) -> Answer:
    """Return embeddings."""
    data = [{"object": "embedding", "index": index, "embedding": row} for index, row in enumerate(rows)]
    return Answer({"object": "list", "data": data, "model": "m", "usage": {"prompt_tokens": 3 * len(rows)}})


class StubServer:
    """Serves within a ``with``; *behave* is asked for each answer, one thread a connection."""

    def __init__(self, behave: Behaviour) -> None:
        self.behave = behave
        self.calls: list[Call] = []
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        self._http = _Quiet(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """The base URL, with /v1."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _arrived(self, path: str, body: dict[str, Any], headers: Mapping[str, str]) -> Call:
        with self._lock:
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            call = Call(1 + sum(other.path == path for other in self.calls), path, body, headers)
            self.calls.append(call)
        return call

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # headers and body in one packet: two would wait 40 ms for each other

            def do_POST(self) -> None:
                size = int(self.headers.get("Content-Length", 0))
                body = json.loads(self.rfile.read(size) or b"{}")
                call = stub._arrived(self.path, body, {k.lower(): v for k, v in self.headers.items()})
                try:
                    self._send(stub.behave(call))
                finally:
                    with stub._lock:
                        stub._at_once -= 1

            def do_GET(self) -> None:
                call = stub._arrived(self.path, {}, {})
                self._send(stub.behave(call))

            def _send(self, answer: Answer) -> None:
                if answer.wait is not None:
                    answer.wait.wait(10)
                body = answer.body if isinstance(answer.body, bytes | str) else json.dumps(answer.body)
                content = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
                if answer.cut == -1:
                    self._break()
                    return
                self.send_response(answer.status)
                for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content if answer.cut is None else content[: answer.cut])
                if answer.cut is not None:
                    self._break()

            def _break(self) -> None:
                self.wfile.flush()
                linger = struct.pack("ii", 1, 0)  # a reset, not an orderly end
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.close_connection = True

            def log_message(self, format: str, *args: Any) -> None:
                pass

        return Handler


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 512
    connections: list[socket.socket]

    def server_activate(self) -> None:
        """Begin to listen."""
        self.connections = []
        super().server_activate()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection, and remember it."""
        self.connections.append(request)
        super().process_request(request, client_address)

    def server_close(self) -> None:
        """Stop, also those connections that are kept alive."""
        super().server_close()
        for connection in self.connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of connections that the client gave up."""


def townsfolk_reply(call: Call) -> str:
    """Return a sensible reply to any of the town's prompts, read off the prompt itself."""
    text = call.text
    if "Reply with a single integer" in text:
        return str(1 + len(text) % 9)
    if "high-level insights" in text:
        return "The town keeps its habits (because of 1)"
    if "high-level" in text:
        return "What do the people here care about?"
    place = re.findall(r"^- ([^:(,;]+)", text.partition("<places>")[2], re.MULTILINE)
    where = place[0].strip() if place else "home"
    if "Plan your day" in text:
        blocks = [{"from": f"{hour:02}:00", "until": f"{hour + 2:02}:00", "place": where, "do": f"chore {hour}"}
                  for hour in range(8, 20, 2)]  # fmt: skip
        return json.dumps({"blocks": blocks, "reason": "as ever"})
    if "Break this time down" in text:
        return json.dumps({"steps": [{"from": None, "until": None, "do": f"chore {len(text) % 7}"}]})
    if "How would you describe" in text:
        return json.dumps({part: "All is well." for part in ("characteristics", "occupation", "feeling")})
    if "What will you remember of it" in text:
        return json.dumps({"summary": "I had a short talk.", "appointments": []})
    if "What do you say next" in text:
        turns = text.partition("<talk>")[2].count("\n")
        return json.dumps({"say": f"Good day, number {turns}.", "end": turns > 1})
    free = re.search(r"You could talk to: ([^,.\n]+)", text)
    friend = free[1] if free and free[1] != "nobody" else None
    return json.dumps({"do": f"tidying {len(text) % 7}", "place": None, "talk_to": friend, "reason": "it is due"})


def _now_and_then(trouble: Callable[[Call], Answer]) -> Behaviour:
    """Answer every fourth request, from the second on, with *trouble*, all others well."""
    return lambda call: trouble(call) if call.n % 4 == 2 else chat(townsfolk_reply(call))


def _without(fields: Mapping[str, str], status: int = 400) -> Behaviour:
    """Refuse a request that holds one of *fields*, in the words given for it."""

    def behave(call: Call) -> Answer:
        words = next((words for field, words in fields.items() if field in call.body), None)
        return chat(townsfolk_reply(call)) if words is None else error(status, words)

    return behave


def _at_most(tokens: int, words: str) -> Behaviour:
    """Refuse to write more than *tokens*."""
    return lambda call: error(400, words) if call.body.get("max_tokens", 0) > tokens else chat(townsfolk_reply(call))


GEMINI = [{"error": {
    "code": 429, "status": "RESOURCE_EXHAUSTED",
    "message": "You exceeded your current quota, please check your plan and billing details. Please retry in 2.5s.",
    "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "2s"}],
}}]  # fmt: skip
"""What Gemini says when a minute's requests are used up."""
GROQ = {"error": {
    "message": "Failed to generate JSON. Please adjust your prompt. See 'failed_generation' for more details.",
    "type": "invalid_request_error", "code": "json_validate_failed", "failed_generation": "well, {",
}}  # fmt: skip
PAGE = "<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Cloudflare</body></html>"
BROKEN_CHOICE = {"choices": [{
    "message": {"role": "assistant", "content": '{"do": "half'}, "finish_reason": "error",
    "error": {"code": 502, "message": "Provider returned error"},
}]}  # fmt: skip

QUIRKS: Mapping[str, Behaviour] = {
    "Gemini, used up for a minute": _now_and_then(lambda _: Answer(GEMINI, 429)),
    "OpenAI, used up for a minute": _now_and_then(
        lambda _: error(429, "Rate limit reached for m on requests per min. Please try again in 20ms.", "rate_limit")
    ),
    "a page with 200": _now_and_then(lambda _: Answer(PAGE)),
    "a page with 403": _now_and_then(lambda _: Answer(PAGE, 403)),
    "a page with 502": _now_and_then(lambda _: Answer(PAGE, 502)),
    "Groq, a failed generation": _now_and_then(lambda _: Answer(GROQ, 400)),
    "OpenRouter, an error in the choice": _now_and_then(lambda _: Answer(BROKEN_CHOICE)),
    "OpenRouter, a finish by error": _now_and_then(lambda _: chat('{"do": "half', finish="error")),
    "at most 512": _at_most(
        512, "max_tokens is too large: 1000. This model supports at most 512 completion tokens, you provided 1000."
    ),
    "at most 300, unnamed": _at_most(300, "max_tokens is too large"),
    "at most 512, as pydantic says": _at_most(
        512, '[{"loc": ["body", "max_tokens"], "msg": "Input should be less than or equal to 512"}]'
    ),
    "max_tokens unexpected": _without({"max_tokens": "max_tokens: unexpected field"}, 422),
    "max_tokens unknown": _without({"max_tokens": "unknown parameter: 'max_tokens'"}),
    "no bound at all": _without({"max_tokens": "max_tokens: no", "max_completion_tokens": "max_completion_tokens: no"}),
    "temperature fixed": _without({"temperature": "temperature: must be 1.0"}),
    "temperature, then max_tokens": _without(
        {"temperature": "invalid value for 'temperature'", "max_tokens": "invalid value for 'max_tokens'"}
    ),
    "unnamed field": _without({"max_tokens": "I do not like this field", "temperature": "nor this"}),
    "loading": lambda call: error(503, "Loading model") if call.n < 3 else chat(townsfolk_reply(call)),
}
"""Servers that one can live with, by what is odd about them: who minds their words comes to the same day on all."""
