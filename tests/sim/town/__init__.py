"""Tests of `sim.town`."""
