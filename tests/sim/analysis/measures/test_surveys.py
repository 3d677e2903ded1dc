"""What surveys come to: figures checked against slow sums, reversed items, and who does not know."""

from statistics import pvariance, variance

import numpy as np
import pytest

from sim.analysis.measures.surveys import (
    SurveyReply,
    SurveyResult,
    agreement,
    correlation,
    cronbach_alpha,
    polarization,
    survey_figures,
)
from sim.scenario.surveys import Survey

SCALE = Survey.model_validate({"ask": ["A.", {"ask": "Not A.", "reverse": True}], "scale": [1, 5], "at": [0, 9]})
VOTE = Survey.model_validate({"ask": "A?", "choices": ["yes", "no"], "at": [0]})


def reply(
    who: str, t: int, item: int, answer: int | str | None, *, reverse: bool = False, failed: str = ""
) -> SurveyReply:
    return SurveyReply("s", t, who, item, "?", answer, reverse=reverse, failed=failed)


def test_a_reversed_item_counts_turned_round() -> None:
    """Who agrees fully and disagrees fully with the contrary says the same twice."""
    found = SurveyResult.of("s", SCALE, [reply("Ann", 0, 1, 5), reply("Ann", 0, 2, 1, reverse=True)])
    assert found.answers(0) == {"Ann": 5}


def test_a_change_is_that_of_people_who_answered_both_times() -> None:
    """Who did not know at first does not count as having moved."""
    replies = [reply("Ann", 0, 1, 2), reply("Bo", 0, 1, None), reply("Ann", 9, 1, 3), reply("Bo", 9, 1, 5)]
    figures = survey_figures(SurveyResult.of("s", SCALE, replies))
    assert figures["survey change s"].value == 1
    assert figures["survey s"].value == 4
    assert figures["survey unknown s"].value == 1 / 4


def test_an_unusable_reply_is_missing_and_no_dont_know() -> None:
    """What could not be read after a second try is counted apart, beside the share of those who do not know."""
    figures = survey_figures(
        SurveyResult.of("s", VOTE, [reply("Ann", 0, 1, "yes"), reply("Bo", 0, 1, None, failed="!")])
    )
    assert (figures["survey missing s"].value, figures["survey unknown s"].value) == (0.5, 0)
    assert figures["survey share s yes"].value == 1


@pytest.mark.parametrize(
    ("values", "survey", "agree", "apart"),
    [
        ([3, 3, 3], SCALE, 1, 0), ([1, 1, 5, 5], SCALE, 1 - 4 / 6, 1), ([1, 5], SCALE, 0, 1),
        ([2, 4], SCALE, 0.5, 0.25),
        (["yes", "yes", "no", "no"], VOTE, 2 / 6, 1), (["yes", "yes"], VOTE, 1, 0),
    ],
)  # fmt: skip
def test_agreement_and_polarization_have_known_values(
    values: list[int | str], survey: Survey, agree: float, apart: float
) -> None:
    """All alike agree and are not polarized; two halves at the ends are as polarized as can be."""
    assert agreement(values, survey) == pytest.approx(agree)
    assert polarization(values, survey) == pytest.approx(apart)


def test_cronbachs_alpha_is_the_sum_of_the_book() -> None:
    """A slow sum over items and totals gives the same alpha; people who are all alike have none."""
    rows = [[2, 3, 3], [4, 4, 5], [1, 2, 1], [5, 4, 4]]
    slow = 3 / 2 * (1 - sum(variance(column) for column in zip(*rows, strict=True)) / variance(map(sum, rows)))
    assert cronbach_alpha(np.array(rows, float)) == pytest.approx(slow)
    assert cronbach_alpha(np.ones((3, 2))) is None


def test_retest_is_pearsons_correlation() -> None:
    """A slow covariance gives the same; fewer than three pairs, or a side without spread, give none."""
    pairs = [(1.0, 2.0), (2.0, 2.5), (4.0, 5.0), (5.0, 4.0)]
    first, second = zip(*pairs, strict=True)
    means = sum(first) / 4, sum(second) / 4
    together = sum((a - means[0]) * (b - means[1]) for a, b in pairs) / 4
    assert correlation(pairs) == pytest.approx(together / (pvariance(first) * pvariance(second)) ** 0.5)
    assert correlation(pairs[:2]) is None
    assert correlation([(1.0, 1.0), (2.0, 1.0), (3.0, 1.0)]) is None
