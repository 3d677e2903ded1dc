"""The log of a run: what can happen, the folder that holds it, its lines and its lock."""
