"""Runs from beginning to end: lived, resumed, forked, rehearsed for their cost, and asked."""
