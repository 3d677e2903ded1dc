"""The town as a place: what is where, how far, who is there, and in what state."""
