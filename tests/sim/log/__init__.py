"""Tests of `sim.log`."""
