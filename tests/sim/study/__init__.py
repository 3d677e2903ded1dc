"""Tests of `sim.study`."""
