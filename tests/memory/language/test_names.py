"""Names in a text: places and people."""

from memory.language.names import People, find_people, find_place, names_in


def test_longest_place_wins_with_or_without_article() -> None:
    """Of several places named the longest counts; a word that only contains the name does not."""
    places = ["Rose", "The Rose and Crown", "Mill"]
    assert find_place("Meet me at the rose and crown.", places) == "The Rose and Crown"
    assert find_place("A primrose by the windmill", places) is None
    assert find_place("我们在图书馆见面", ["图书馆"]) == "图书馆"


def test_people_are_found_by_full_or_unambiguous_first_name() -> None:
    """People come in the order of the text; a first name shared by two is nobody's."""
    assert find_people("Bob met Ann and Cleo Day.", ["Ann Lee", "Ann Ray", "Bob Ray", "Cleo Day"]) == [
        "Bob Ray",
        "Cleo Day",
    ]


def test_words_that_begin_a_sentence_are_no_names() -> None:
    """A capital at the beginning makes no name, unless more of a name, or an act, follows."""
    assert names_in("Perhaps so. Bread is baked. Tilda Roe sang. Hedda told me. On Monday I met Bram.") == [
        "Bread", "Tilda Roe", "Hedda", "Bram",
    ]  # fmt: skip


def test_a_name_in_capitals_of_another_alphabet_is_still_the_name() -> None:
    """A dotted capital I, which small letters do not give back, breaks nothing."""
    assert find_people("İDA and ida met", ["Ida"]) == ["Ida"]


def test_who_acts_is_whose_name_the_text_begins_with() -> None:
    """A name further on acts not."""
    people = People(["Ann Lee", "Bob Ray"])
    assert people.acting_in("  Ann waves at Bob Ray") == "Ann Lee"
    assert people.acting_in("Then Ann waves") is None
