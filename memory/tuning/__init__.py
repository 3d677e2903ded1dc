"""Labelled questions: how much a search finds of what they ask for, and the weights that find most."""
