"""Tests of `memory.relationships`."""
