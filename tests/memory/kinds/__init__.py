"""Tests of `memory.kinds`."""
