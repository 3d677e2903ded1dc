"""Tests of `memory.storage`."""
