"""Kinds of memory beside the stream: what one works on, what one knows for a fact, and what one knows how to do."""
