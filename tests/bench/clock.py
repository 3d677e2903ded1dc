"""Cost of the clock per entry as a town grows, and how much waiting it saves: ``python -m tests.bench.clock``.

CPU time of the clock's own thread; thoughts take no CPU (they sleep), so what is left is the clock and the residents.
Residents per place stay the same, so a flat cost means that a look at one entry does not hang on the town's size.
"""

import random
import time
from concurrent.futures import ThreadPoolExecutor

from sim.town.clock import LightConeClock
from tests.towns import ClockTown, digest, travel

SIZES = (10, 100, 1000)
STEPS = 20_000


def cost(residents: int, slots: int, latency: float) -> float:
    """Return CPU microseconds per entry over the first `STEPS` entries."""
    places = max(2, residents // 2)
    jitter = random.Random(1)

    def think(situation: object) -> int:
        if latency:
            time.sleep(latency * 2 * jitter.random())
        return digest(situation)

    pool = ThreadPoolExecutor(slots) if slots else None
    clock = LightConeClock(travel(places, 1, side=int(140 * places**0.5)), 7 * 86400, pool)
    ClockTown(clock, think, residents, places, 1)
    began = time.thread_time()
    while clock.steps < STEPS:
        clock.step()
    used = time.thread_time() - began
    if pool is not None:
        pool.shutdown(cancel_futures=True)
    return used / STEPS * 1e6


def speedup(residents: int, latency: float) -> float:
    """Return how many times faster running ahead is than plain order, in wall time of one simulated hour."""
    seconds = []
    for ahead in (False, True):
        jitter = random.Random(1)

        def think(situation: object, jitter: random.Random = jitter) -> int:
            time.sleep(latency * 2 * jitter.random())
            return digest(situation)

        with ThreadPoolExecutor(256) as pool:
            clock = LightConeClock(travel(residents // 2, 1), 3600, pool, ahead=ahead)
            ClockTown(clock, think, residents, residents // 2, 1)
            began = time.perf_counter()
            clock.run()
            seconds.append(time.perf_counter() - began)
    return seconds[0] / seconds[1]


def main() -> None:
    """Print the figures."""
    for slots, latency, words in ((0, 0.0, "thoughts in place"), (64, 0.002, "64 slots, 2 ms a thought")):
        first = cost(SIZES[0], slots, latency)
        print(words)
        for size in SIZES:
            spent = cost(size, slots, latency)
            print(f"  {size:5} residents: {spent:6.1f} us an entry, {spent / first:4.2f} times that of {SIZES[0]}")
    for size in (25, 100):
        print(f"{size} residents, 10 ms a thought: {speedup(size, 0.01):.1f} times faster than plain order")


if __name__ == "__main__":
    main()
