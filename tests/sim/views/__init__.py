"""Tests of `sim.views`."""
