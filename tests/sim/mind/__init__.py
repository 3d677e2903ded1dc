"""Tests of `sim.mind`."""
