"""Tests of `sim.models`."""
