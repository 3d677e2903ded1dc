"""Townsfolk's town: its clock, its people's minds, its runs, and what reads them."""
