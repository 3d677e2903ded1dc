"""Tests of `memory`."""
