"""Small whole programs that use a memory stream."""
