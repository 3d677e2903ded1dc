"""The town on its clock: residents move, act and talk, and what happens is logged."""
