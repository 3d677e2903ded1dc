"""Tests of `sim.offline`."""
