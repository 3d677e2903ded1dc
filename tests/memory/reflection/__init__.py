"""Tests of `memory.reflection`."""
