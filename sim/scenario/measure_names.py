"""What each measure is called, its unit and what it counts: what tables and figures say of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

SHARE, HOURS, DOLLARS = "share", "hours", "dollars"


@dataclass(frozen=True, slots=True)
class Description:
    """What there is to say of one measure."""

    name: str
    title: str
    """For people, begins with a capital."""
    unit: str
    """``share`` (0 to 1), ``hours``, ``dollars``, or what is counted; "" where nobody said."""
    theme: str
    """The heading under which it belongs."""
    meaning: str = ""
    """One sentence that says what is counted."""

    def format(self, value: float | None) -> str:
        """Return *value* as a table shows it, "–" for None."""
        if value is None:
            return "–"
        value = abs(value) if abs(value) < 0.0005 and self.unit == SHARE else value  # nothing is shown as -0.0 %
        if self.unit == SHARE:
            return f"{100 * value:.0f} %" if abs(value) in (0, 1) or abs(value) >= 0.1 else f"{100 * value:.1f} %"
        if self.unit == DOLLARS:
            return f"${value:,.2f}" if value >= 1 or value == 0 else f"${value:.4f}"
        return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"

    def change(self, value: float) -> str:
        """Return a difference as a table shows it, with its sign; of shares in points, of which a hundred are all."""
        shown = self.format(abs(value)).replace(" %", " points")
        if not any(digit in "123456789" for digit in shown):  # a difference that does not show has no sign
            return f"±{shown}"
        return f"+{shown}" if value > 0 else f"-{shown}"

    @property
    def least(self) -> float | None:
        """The least that it can be: most things that are counted are never below 0."""
        signed = (
            self.unit in ("of 5", "of its scale", "alpha", "correlation", "") or self.name == "network density gain"
        )
        return None if signed else 0.0


ACCURACY_OF = ("people", "news", "promises", "whereabouts", "events")
"""The kinds of questions that a log can answer."""
KNOWING, COMING, NETWORK, RELATIONS = "Knowing", "Attendance", "Acquaintance", "Relationships"
TALKING, REFLECTING, PLANNING = "Talks", "Reflection", "Plans"
RECALL, SPENDING, SURVEYS, ASKED, OWN = "Recall", "Spending", "Surveys", "Answers", "Own measures"

_KNOWN: tuple[tuple[str, str, str, str, str], ...] = (
    ("knows {}", "Know of {}", SHARE, KNOWING,
     "residents with a memory that holds it, at the end of the log"),
    ("told {}", "Told of {} by others", SHARE, KNOWING, "of those who know, those who heard it from others"),
    ("chain {}", "Longest chain of tellings of {}", "tellings", KNOWING, "tellings from the first bearer"),
    ("half know {}", "Time until half the town knew of {}", HOURS, KNOWING, "since the first knew"),
    ("false claims {}", "False claims about {}", "claims", KNOWING, "utterances by who had no memory of it"),
    ("says to know {}", "Say they know of {} and do", SHARE, KNOWING,
     "interviewed residents who say so and have a memory that holds it"),
    ("says falsely {}", "Say they know of {} and do not", SHARE, KNOWING,
     "interviewed residents who say so though no memory of theirs holds it"),
    ("attends {}", "Came to {}", SHARE, COMING, "residents who were there at some time within its hours"),
    ("comes knowing {}", "Came to {} and knew of it", SHARE, COMING,
     "the same, who knew of it when they came"),
    ("invited {}", "Invited to {}", SHARE, COMING,
     "residents, hosts aside, who heard an invitation before its end, by a host or passed on"),
    ("promised {}", "Promised to come to {}", SHARE, COMING, "residents, hosts aside, who agreed in a talk"),
    ("invited came {}", "Invited and came to {}", SHARE, COMING, "of the invited, those who came"),
    ("conflict seen {}", "Conflict of {}, as seen", "of 5", RELATIONS,
     "by an onlooker who hears all they say and forgets by half in a week; mean over its hours"),
    ("liking seen {}", "Liking of {}, as seen", "of 5", RELATIONS, "the same of affinity"),
    ("conflict {}", "Conflict of {}", "of 5", RELATIONS, "by their own cards, mean of both and over its hours"),
    ("liking {}", "Liking of {}", "of 5", RELATIONS, "affinity by their own cards, as above"),
    ("promised came {}", "Promised and came to {}", SHARE, COMING, "of those who promised, those who came"),
    ("accuracy {}", "Right answers about {}", SHARE, ASKED, "of the questions of this kind that the log can answer"),
    ("accuracy", "Right answers", SHARE, ASKED, "of all questions that the log can answer"),
    ("acquaintance claimed", "Say that they know of somebody", SHARE, ASKED, "of answers to: Do you know of …?"),
    ("acquaintance made up", "Acquaintance made up", SHARE, ASKED,
     "of the same answers, those who say so though nothing they know names that person"),
    ("answers wrong", "Wrong answers", SHARE, ASKED, "of the same, those that say what was otherwise"),
    ("answers made up", "Made-up answers", SHARE, ASKED, "of the same, those that say what nothing holds"),
    ("answers not known", "Answers not known", SHARE, ASKED, "of the same, those who say that they do not know"),
    ("answers unsupported", "Answers that claim what no memory holds", SHARE, KNOWING,
     "of all answers in interviews"),
    ("traps fallen into", "Questions about nobody that were answered", SHARE, KNOWING,
     "of the interviews' questions about somebody who does not exist"),
    ("network density", "Density of acquaintance", "density", NETWORK,
     "2E / (V(V-1)) over pairs who know each other, at the end"),
    ("network density at start", "Density of acquaintance at the start", "density", NETWORK,
     "the same when the run began"),
    ("network density gain", "Growth of acquaintance", "density", NETWORK, "at the end less at the start"),
    ("network reciprocity", "Reciprocity", SHARE, NETWORK, "of those known, those who know back"),
    ("network centralization", "Centralization", SHARE, NETWORK,
     "Freeman's, of degree: 1 where all know one and nobody else"),
    ("quarrels seen", "Quarrels, as seen", "pairs", RELATIONS, "pairs whom an onlooker takes to be at odds"),
    ("affinity", "Affinity", "of 5", RELATIONS, "mean over all cards at the end"),
    ("liking returned", "Liking returned", SHARE, RELATIONS, "of those liked, those who like back, at the end"),
    ("feuds", "Feuds", "pairs", RELATIONS, "pairs at odds (conflict 1 or more, mean of both) at the end"),
    ("friendships", "Friendships", "pairs", RELATIONS, "pairs who like each other (1 or more, mean of both)"),
    ("distortion", "Distortion", SHARE, RELATIONS, "of the words of summaries, those lost by the end"),
    ("relationship calls", "Model calls for relationships", "per resident and day", RELATIONS, ""),
    ("characters talking", "Characters on the partner", "per utterance", RELATIONS,
     "of prompts for an utterance that received any"),
    ("characters choosing", "Characters on those present", "per choice", RELATIONS,
     "of prompts for a choice that received any"),
    ("characters tier A", "Characters of tier A", "per utterance", RELATIONS, "the mood of the town"),
    ("characters tier B", "Characters of tier B", "per utterance", RELATIONS, "this person and this subject"),
    ("characters tier C", "Characters of tier C", "per utterance", RELATIONS, "the wider search"),
    ("talks", "Talks", "per resident and day", TALKING, "talks that a resident took part in, per 24 hours"),
    ("talks held", "Talks in all", "talks", TALKING, "in the whole log, whoever took part"),
    ("utterances per talk", "Utterances per talk", "utterances", TALKING, "in talks that ended"),
    ("words per utterance", "Words per utterance", "words", TALKING, ""),
    ("talks capped", "Talks ended by the cap", SHARE, TALKING, "of the ended talks"),
    ("reflections", "Reflections", "per resident and day", REFLECTING, "per day of 24 hours"),
    ("importance gathered", "Importance gathered", "per resident and day", REFLECTING,
     "importance of all that was remembered during the run"),
    ("insights per reflection", "Insights per reflection", "insights", REFLECTING, "that were kept"),
    ("insights dropped", "Insights dropped", SHARE, REFLECTING, "of all that were drawn"),
    ("insights duplicate", "Insights said before, in like words", SHARE, REFLECTING,
     "of those kept, those that say again what an earlier one says"),
    ("insights repeated", "Insights repeated word for word", SHARE, REFLECTING,
     "of those kept, those that an earlier one of the same resident says in the same words"),
    ("memories", "Memories", "memories", REFLECTING, "of all residents in the whole log, seeds too"),
    ("insights thin", "Insights on thin evidence", SHARE, REFLECTING,
     "of those kept, those that rest on fewer than two observations"),
    ("plan adherence", "Plans kept", SHARE, PLANNING, "of the planned time, that spent at the planned place"),
    ("plan changes", "Plans changed", "per resident and day", PLANNING, "per day of 24 hours"),
    ("recall at 5", "Evidence recalled, best 5", SHARE, RECALL,
     "of the memories that hold the answer (of as many as fit), those among the best 5"),
    ("recall at 12", "Evidence recalled, best 12", SHARE, RECALL, "the same among the best 12"),
    ("answerable at 5", "Questions with evidence in the best 5", SHARE, RECALL,
     "questions for which any of the evidence is among the best 5"),
    ("recall of places", "Where was somebody: evidence in the best 5", SHARE, RECALL, ""),
    ("recall of tellers", "Who told it: evidence in the best 5", SHARE, RECALL, ""),
    ("recall of happenings", "What happened: evidence in the best 5", SHARE, RECALL, ""),
    ("calls", "Model calls", "per resident and day", SPENDING, "per day of 24 hours"),
    ("tokens", "Tokens", "per resident and day", SPENDING, "in and out, per day of 24 hours"),
    ("dollars", "Cost of the run", DOLLARS, SPENDING, "of the whole run"),
    ("fallbacks", "Answers that could not be used", SHARE, SPENDING,
     "of all answers; those to decide by, where only the log tells of them"),
    ("survey {}", "Survey {}", "of its scale", SURVEYS,
     "mean answer when it was asked last; of choices the share of the first"),
    ("survey share {}", "Survey {}", SHARE, SURVEYS, "of those who answered last, those who chose this"),
    ("survey change {}", "Survey {}, change", "of its scale", SURVEYS,
     "the last time less the first, of who answered both"),
    ("survey agreement {}", "Survey {}, agreement", SHARE, SURVEYS,
     "how near two people's answers are: 1 all the same; of choices how often they are the same"),
    ("survey polarization {}", "Survey {}, polarization", SHARE, SURVEYS,
     "spread as a share of the most that can be: 1 is half the people at either end; of choices two halves"),
    ("survey unknown {}", "Survey {}, does not know", SHARE, SURVEYS, "of the answers, over all times"),
    ("survey missing {}", "Survey {}, no usable answer", SHARE, SURVEYS, "of all that was asked, after a second try"),
    ("survey alpha {}", "Survey {}, Cronbach's alpha", "alpha", SURVEYS, "of a battery's items, when asked last"),
    ("survey retest {}", "Survey {}, test-retest", "correlation", SURVEYS,
     "between people's first and last answers"),
)  # fmt: skip
"""What a measure is of stands as ``{}`` in its name and title."""


def describe(name: str) -> Description:
    """Return what to say of the measure *name*; a user's own is called by its name."""
    for known, title, unit, theme, meaning in sorted(_KNOWN, key=lambda one: -len(one[0])):
        prefix, of_something, _ = known.partition("{}")
        if name.startswith(prefix) if of_something else name == known:
            return Description(name, title.format(name.removeprefix(prefix)), unit, theme, meaning)
    return Description(name, name[:1].upper() + name[1:], "", OWN)


def measures_of(asked: Mapping[str, Iterable[str]], choices: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the names of all measures of a scenario.

    Args:
        asked: The names under ``measures.knows``, ``attends`` and ``pairs``.
        choices: By survey, its choices, none where it has a scale or a number.
    """
    themes = {KNOWING: "knows", COMING: "attends", RELATIONS: "pairs"}
    found = []
    for known, *_, theme, _ in _KNOWN:
        prefix, of_something, _ = known.partition("{}")
        if not of_something:
            found.append(known)
        elif theme == ASKED:
            found += [prefix + name for name in ACCURACY_OF]
        elif known == "survey share {}":
            found += [f"{prefix}{name} {choice}" for name, each in choices.items() for choice in each]
        else:
            found += [prefix + name for name in (choices if theme == SURVEYS else asked[themes[theme]])]
    return found
