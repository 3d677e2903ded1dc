"""Tests of `sim.smallville`."""
