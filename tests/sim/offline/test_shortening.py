"""The offline model shortens memories by the words that recur and how much they matter."""

from datetime import datetime, timedelta

from memory import Fell, MemoryStream
from sim.offline import OfflineModel

START = datetime(2031, 5, 5, 8, 0)


def test_the_offline_model_consolidates_a_stream() -> None:
    """Paragraph and sentence come from the model, without a fall-back, and say nothing that was not there."""
    journal: list[object] = []
    model = OfflineModel()
    stream = MemoryStream("Tilda", embedder=None, rater=model, consolidator=model, journal=journal.append)
    for number in range(12):
        stream.observe(f"Osric sharpened blade {number} at the Forge.", now=START + timedelta(minutes=number))
    stream.observe("The Long Barn burned down tonight.", now=START + timedelta(hours=1), importance=8)
    (paragraph,) = stream.consolidate(now=START + timedelta(hours=2))
    assert "The Long Barn burned down tonight." in paragraph.text
    assert all(f"{said}." in paragraph.text for said in paragraph.text.rstrip(".").split(". "))
    assert not [entry for entry in journal if isinstance(entry, Fell)]


def test_a_prompt_without_a_usable_number_is_answered() -> None:
    """Ninety words then; and no memories make no paragraph."""
    model = OfflineModel()
    asked = {"agent_name": "Tilda", "memories": "- Mon 5 May 08:00: It rains.", "most": "many"}
    assert model.complete("consolidation_paragraph", **asked) == "It rains."
    assert model.complete("consolidation_paragraph", **{**asked, "memories": ""}) == ""
    assert model.complete("consolidation_sentence", agent_name="Tilda", paragraph="It rains. So.") == "It rains."
