"""Whose words an utterance holds."""

import pytest

from memory.language.speaker_labels import own_words


@pytest.mark.parametrize(
    ("said", "spoken"),
    [
        ("Tomas: Morning, Ilse!", "Morning, Ilse!"),
        ("Tomas Rehn: Morning, Ilse!", "Morning, Ilse!"),
        ("TOMAS REHN : Morning, Ilse!", "Morning, Ilse!"),
        ("**Tomas Rehn:** Morning, Ilse!", "Morning, Ilse!"),
        ("**Tomas**: Morning, Ilse!", "Morning, Ilse!"),
        ('Tomas: "Morning, Ilse!"', "Morning, Ilse!"),
        ('"Tomas: Morning, Ilse!"', "Morning, Ilse!"),
        ("[Tomas Rehn]: Morning!", "Morning!"),
        ("Tomas (smiling): Morning!", "Morning!"),
        ("Mr. Rehn: Morning!", "Morning!"),
        ("Tomas：Morning!", "Morning!"),
        ("Tomas: Morning, Ilse!\nIlse: Morning! Coffee?\nTomas: Please.", "Morning, Ilse!"),
        ("Tomas: Morning!\nTomas: Coffee?", "Morning!\nCoffee?"),
        ('Tomas: "Morning!" Ilse Brand: "Morning!"', "Morning!"),
        ("Morning! Ilse: Good morning, Tomas.", "Morning!"),
        ("Morning!\n\n**Ilse Brand:** Coffee?", "Morning!"),
        ("Morning! Bo Lind: Hello, you two.", "Morning!"),
        ("Ilse Brand: Morning!", ""),
        ("*Ilse*: Morning! Tomas: Hello.", ""),
        ("Ilse: *smiles warmly* “Of course!” Tomas Rehn: Great.", ""),
    ],
)
def test_only_the_speakers_own_words_are_spoken(said: str, spoken: str) -> None:
    """Labels of the speaker are cut, and what is labelled as another's is not spoken, nor what follows it."""
    found = own_words(said, "Tomas Rehn", ["Ilse Brand", "Bo Lind"])
    assert found.text == spoken
    assert found.notes


@pytest.mark.parametrize(
    "said",
    [
        "Morning, Ilse! Coffee?",
        "I told Ilse: come at seven.",
        "One thing, Tomas said: never at night.",
        'Ilse, the sign said "Bo: back at noon".',
        "There are two of us: Ilse and me.",
        "The time is 7:30, Ilse.",
        "Ilsebill: that was her name.",
    ],
)
def test_words_without_a_label_stay_as_they_are(said: str) -> None:
    """A name, a colon or a quotation within a sentence labels nothing."""
    assert own_words(said, "Tomas Rehn", ["Ilse Brand", "Bo Lind"]) == (said, ())


def test_a_name_that_two_share_labels_only_the_beginning() -> None:
    """Of two who are called Bo, the one who speaks is meant at the beginning; later on nobody is."""
    assert own_words("Bo: Morning.", "Bo Reed", ["Bo Lind"]).text == "Morning."
    assert own_words("Morning. Bo Lind: Hello.", "Bo Reed", ["Bo Lind"]).text == "Morning."
    assert own_words("Morning. Bo: Hello.", "Bo Reed", ["Bo Lind"]).text == "Morning. Bo: Hello."
