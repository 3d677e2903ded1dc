"""Kills a run at fifty random moments and counts how many resume to the same bytes: ``python -m tests.bench.kills``."""

import random
import tempfile
from pathlib import Path

from tests.lives import VILLAGE
from tests.sim.cli.test_cli import town
from tests.sim.runs.test_resume import kill_once

KILLS = 50


def main() -> None:
    """Print the count."""
    same = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "v.yaml").write_text(VILLAGE, encoding="utf-8")
        town("run", "v.yaml", "--out", "whole", cwd=folder)
        for seed in range(KILLS):
            dice, out = random.Random(seed), f"killed{seed}"
            kill_once(folder, out, dice.random())
            calls = folder / out / "calls.jsonl"
            if seed % 3 == 0:  # as if it had died within a write
                calls.write_bytes(calls.read_bytes()[: -dice.randrange(1, 60)])
            town("run", "v.yaml", "--out", out, "--resume", cwd=folder)
            same += (folder / out / "events.jsonl").read_bytes() == (folder / "whole/events.jsonl").read_bytes()
            print(f"\r{same} of {seed + 1} resumed to the same bytes", end="", flush=True)
    print()


if __name__ == "__main__":
    main()
