"""Tests of `memory.search`."""
