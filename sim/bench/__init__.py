"""Benchmarks behind `town bench`: exact where they can be, ratios beside a bound where they cannot."""
