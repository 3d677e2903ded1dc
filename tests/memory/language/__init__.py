"""Tests of `memory.language`."""
