"""A run on one page."""

from pathlib import Path

import pytest

from tests.lives import VILLAGE
from tests.sim.cli.test_cli import town


@pytest.mark.slow
def test_a_page_tells_what_set_it_off_and_what_became_of_it(tmp_path: Path) -> None:
    """Who thought of it, who told whom, who came and who stayed away; no line is a log."""
    (tmp_path / "village.yaml").write_text(VILLAGE, encoding="utf-8")
    assert town("run", "village.yaml", "--out", "r", cwd=tmp_path).returncode == 0
    told = town("replay", "r", "--summary", cwd=tmp_path).stdout
    assert "Osric Vane thinks: I am organising a lantern concert" in told
    assert "3 of 3 knew of it; Osric Vane first, Mon 5 May 07:30" in told
    assert "Who came to concert, and who did not:" in told
    assert len(told.splitlines()) < 60
