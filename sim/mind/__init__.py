"""A resident's mind: what it is told, what it asks of a model, and what it makes of the answer."""
