"""Tests of `memory.replies`."""
