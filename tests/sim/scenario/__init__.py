"""Tests of `sim.scenario`."""
