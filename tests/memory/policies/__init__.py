"""Tests of `memory.policies`."""
