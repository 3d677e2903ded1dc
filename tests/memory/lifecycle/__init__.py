"""Tests of `memory.lifecycle`."""
