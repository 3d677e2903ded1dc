"""Tests of `sim.world`."""
