"""The town's side of what residents know of each other: what they notice goes in, what a prompt receives comes out."""
