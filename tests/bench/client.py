"""CPU of one call to a real model, beside the openai package's usual way: ``python -m tests.bench.client``.

The server is another process and answers after a fixed while, so that as many requests are in flight as there are
threads.  CPU time of this process only: client, threads, reading of the reply.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sim.mind.reply_schemas import Action, schema_of
from sim.models import open_model
from sim.models.connection import Connection
from sim.models.request import Request
from sim.scenario import ModelSettings

IN_FLIGHT = {64: 0.2, 256: 0.8}  # requests at once: seconds until each is answered, longer than sending all of them
GOALS = {64: 2.0, 256: 3.0}  # milliseconds of CPU a call
WAVES, ROUNDS = 2, 3  # each thread asks twice a round; the first round, in which connections are made, is not counted
REPLY = json.dumps(
    {
        "id": "x", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop",
                     "message": {"role": "assistant", "content": '{"do": "reading in the corner", "place": null}'}}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 20, "total_tokens": 920},
    }
).encode()  # fmt: skip


class _Stub(asyncio.Protocol):
    """Answers each request with the same reply after a while."""

    def __init__(self, wait: float) -> None:
        self._wait, self._buffer = wait, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = self._buffer[:end].lower()
            size = int(head.partition(b"content-length:")[2].split(b"\r\n")[0])
            if len(self._buffer) < end + 4 + size:
                return
            self._buffer = self._buffer[end + 4 + size :]
            answer = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(REPLY)
            asyncio.get_running_loop().call_later(self._wait, self._transport.write, answer + REPLY)


async def _serve(wait: float) -> None:
    server = await asyncio.get_running_loop().create_server(lambda: _Stub(wait), "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def _cost(ask: Callable[[int], object], pool: ThreadPoolExecutor, calls: int) -> float:
    """Return CPU milliseconds a call."""
    began = time.process_time()
    list(pool.map(ask, range(calls)))
    return (time.process_time() - began) / calls * 1e3


def _figures(in_flight: int, wait: float) -> str:
    command = [sys.executable, "-m", "tests.bench.client", "--serve", str(wait)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        settings = ModelSettings(chat="m", base_url=(f"http://127.0.0.1:{server.stdout.readline().strip()}/v1",))
        schema = schema_of(Action)
        messages = ({"role": "system", "content": "x " * 1000}, {"role": "user", "content": "y " * 1500})
        model = open_model(settings, concurrency=in_flight, environment={})
        usual = Connection(settings, concurrency=in_flight, environment={})
        form = {"type": "json_schema", "json_schema": {"name": "Action", "schema": schema}}
        sent: dict[str, Any] = {"model": "m", "messages": list(messages), "response_format": form, "max_tokens": 1000}

        def ours(n: int) -> object:
            return model.reply(Request("Ada", "agent_action", {}, messages, schema))

        def theirs(n: int) -> object:
            return usual.clients[0].chat.completions.create(**sent).choices[0].message.content

        with ThreadPoolExecutor(in_flight) as pool:
            for ask in (ours, theirs):
                _cost(ask, pool, in_flight)
            calls = WAVES * in_flight
            both = [(_cost(ours, pool, calls), _cost(theirs, pool, calls)) for _ in range(ROUNDS)]
        model.close()
        usual.close()
        server.terminate()
    mine, usually = (statistics.median(costs) for costs in zip(*both, strict=True))
    goal = GOALS[in_flight]
    reached = "reached" if mine < goal else "missed"
    return f"{in_flight:>9} {mine:>9.2f} {f'< {goal:g}':>7} {reached:>8} {usually:>13.2f} {mine / usually:>7.2f}"


def main() -> None:
    """Print the figures."""
    print("CPU milliseconds a call (median of rounds), and those of the openai package's usual way")
    print(f"{'in flight':>9} {'ours':>9} {'goal':>7} {'':>8} {'openai usual':>13} {'ratio':>7}")
    for in_flight, wait in IN_FLIGHT.items():
        print(_figures(in_flight, wait), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        asyncio.run(_serve(float(sys.argv[2])))
    else:
        main()
