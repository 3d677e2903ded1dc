"""What becomes of memories: they are consolidated, archived, looked at for freshness, and deleted on request."""
