"""The figures of Park et al. 2023 (Generative Agents), to be shown beside one's own where that is asked for."""

from typing import NamedTuple


class PaperRating(NamedTuple):
    """A condition of the paper's table (section 6.5)."""

    mu: float
    sigma: float


RATINGS = {
    "full": PaperRating(29.89, 0.72),
    "no-reflection": PaperRating(26.88, 0.69),
    "no-planning": PaperRating(25.64, 0.68),
    "no-observation": PaperRating(21.21, 0.70),
}
"""By our names of the arms: ``no-planning`` is without reflection too, ``no-observation`` without all three."""
CROWD = PaperRating(22.95, 0.69)
"""People who answered in the residents' place."""
TESTS = "Kruskal-Wallis H(4) = 150.29, p < 0.001; Dunn with Holm: all pairs p < 0.001 but crowd and no-observation"
