"""Tests of `memory.tuning`."""
