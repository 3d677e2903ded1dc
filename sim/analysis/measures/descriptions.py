"""What each measure is called, its unit, and which way is more: what tables and figures say of it."""

from dataclasses import dataclass
from typing import Literal

Better = Literal["higher", "lower"]
SHARE, HOURS, DOLLARS = "share", "hours", "dollars"


@dataclass(frozen=True, slots=True)
class Description:
    """What there is to say of one measure."""

    name: str
    title: str
    """For people, begins with a capital."""
    unit: str
    """``share`` (0 to 1), ``hours``, ``dollars``, or what is counted; "" where nobody said."""
    better: Better | None
    """Which way is more of what is aimed at; None where neither is."""
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


KNOWING, COMING, NETWORK, RELATIONS = "Knowing", "Attendance", "Acquaintance", "Relationships"
TALKING, REFLECTING, PLANNING = "Talks", "Reflection", "Plans"
RECALL, SPENDING, OWN = "Recall", "Spending", "Own measures"

_KNOWN: tuple[tuple[str, str, str, Better | None, str, str], ...] = (
    ("knows {}", "Know of {}", SHARE, "higher", KNOWING,
     "residents with a memory that holds it, at the end of the log"),
    ("told {}", "Told of {} by others", SHARE, "higher", KNOWING, "of those who know, those who heard it from others"),
    ("chain {}", "Longest chain of tellings of {}", "tellings", None, KNOWING, "tellings from the first bearer"),
    ("half know {}", "Time until half the town knew of {}", HOURS, "lower", KNOWING, "since the first knew"),
    ("false claims {}", "False claims about {}", "claims", "lower", KNOWING, "utterances by who had no memory of it"),
    ("says to know {}", "Say they know of {} and do", SHARE, "higher", KNOWING,
     "interviewed residents who say so and have a memory that holds it"),
    ("says falsely {}", "Say they know of {} and do not", SHARE, "lower", KNOWING,
     "interviewed residents who say so though no memory of theirs holds it"),
    ("attends {}", "Came to {}", SHARE, "higher", COMING, "residents who were there at some time within its hours"),
    ("comes knowing {}", "Came to {} and knew of it", SHARE, "higher", COMING,
     "the same, who knew of it when they came"),
    ("invited {}", "Invited to {}", SHARE, "higher", COMING, "residents, hosts aside, told of it before its end"),
    ("promised {}", "Promised to come to {}", SHARE, "higher", COMING, "residents, hosts aside, who agreed in a talk"),
    ("invited came {}", "Invited and came to {}", SHARE, "higher", COMING, "of the invited, those who came"),
    ("conflict seen {}", "Conflict of {}, as seen", "of 5", None, RELATIONS,
     "by an onlooker who hears all they say and forgets by half in a week; mean over its hours"),
    ("liking seen {}", "Liking of {}, as seen", "of 5", None, RELATIONS, "the same of affinity"),
    ("conflict {}", "Conflict of {}", "of 5", None, RELATIONS, "by their own cards, mean of both and over its hours"),
    ("liking {}", "Liking of {}", "of 5", None, RELATIONS, "affinity by their own cards, as above"),
    ("promised came {}", "Promised and came to {}", SHARE, "higher", COMING, "of those who promised, those who came"),
    ("answers unsupported", "Answers that claim what no memory holds", SHARE, "lower", KNOWING,
     "of all answers in interviews"),
    ("traps fallen into", "Questions about nobody that were answered", SHARE, "lower", KNOWING,
     "of the interviews' questions about somebody who does not exist"),
    ("network density", "Density of acquaintance", "density", None, NETWORK,
     "2E / (V(V-1)) over pairs who know each other, at the end"),
    ("network density at start", "Density of acquaintance at the start", "density", None, NETWORK,
     "the same when the run began"),
    ("network density gain", "Growth of acquaintance", "density", "higher", NETWORK, "at the end less at the start"),
    ("network reciprocity", "Reciprocity", SHARE, None, NETWORK, "of those known, those who know back"),
    ("network centralization", "Centralization", SHARE, None, NETWORK,
     "Freeman's, of degree: 1 where all know one and nobody else"),
    ("quarrels seen", "Quarrels, as seen", "pairs", None, RELATIONS, "pairs whom an onlooker takes to be at odds"),
    ("affinity", "Affinity", "of 5", None, RELATIONS, "mean over all cards at the end"),
    ("liking returned", "Liking returned", SHARE, None, RELATIONS, "of those liked, those who like back, at the end"),
    ("feuds", "Feuds", "pairs", None, RELATIONS, "pairs at odds (conflict 1 or more, mean of both) at the end"),
    ("friendships", "Friendships", "pairs", None, RELATIONS, "pairs who like each other (1 or more, mean of both)"),
    ("distortion", "Distortion", SHARE, None, RELATIONS, "of the words of summaries, those lost by the end"),
    ("relationship calls", "Model calls for relationships", "per resident and day", "lower", RELATIONS, ""),
    ("characters talking", "Characters on the partner", "per utterance", None, RELATIONS,
     "of prompts for an utterance that received any"),
    ("characters choosing", "Characters on those present", "per choice", None, RELATIONS,
     "of prompts for a choice that received any"),
    ("characters tier A", "Characters of tier A", "per utterance", None, RELATIONS, "the mood of the town"),
    ("characters tier B", "Characters of tier B", "per utterance", None, RELATIONS, "this person and this subject"),
    ("characters tier C", "Characters of tier C", "per utterance", None, RELATIONS, "the wider search"),
    ("talks", "Talks", "per resident and day", None, TALKING, "talks that a resident took part in, per 24 hours"),
    ("talks held", "Talks in all", "talks", None, TALKING, "in the whole log, whoever took part"),
    ("utterances per talk", "Utterances per talk", "utterances", None, TALKING, "in talks that ended"),
    ("words per utterance", "Words per utterance", "words", None, TALKING, ""),
    ("talks capped", "Talks ended by the cap", SHARE, "lower", TALKING, "of the ended talks"),
    ("reflections", "Reflections", "per resident and day", None, REFLECTING, "per day of 24 hours"),
    ("importance gathered", "Importance gathered", "per resident and day", None, REFLECTING,
     "importance of all that was remembered during the run"),
    ("insights per reflection", "Insights per reflection", "insights", "higher", REFLECTING, "that were kept"),
    ("insights dropped", "Insights dropped", SHARE, "lower", REFLECTING, "of all that were drawn"),
    ("insights duplicate", "Insights said before, in like words", SHARE, "lower", REFLECTING,
     "of those kept, those that say again what an earlier one says"),
    ("insights repeated", "Insights repeated word for word", SHARE, "lower", REFLECTING,
     "of those kept, those that an earlier one of the same resident says in the same words"),
    ("memories", "Memories", "memories", None, REFLECTING, "of all residents in the whole log, seeds too"),
    ("insights thin", "Insights on thin evidence", SHARE, "lower", REFLECTING,
     "of those kept, those that rest on fewer than two observations"),
    ("plan adherence", "Plans kept", SHARE, "higher", PLANNING, "of the planned time, that spent at the planned place"),
    ("plan changes", "Plans changed", "per resident and day", None, PLANNING, "per day of 24 hours"),
    ("recall at 5", "Evidence recalled, best 5", SHARE, "higher", RECALL,
     "of the memories that hold the answer (of as many as fit), those among the best 5"),
    ("recall at 12", "Evidence recalled, best 12", SHARE, "higher", RECALL, "the same among the best 12"),
    ("answerable at 5", "Questions with evidence in the best 5", SHARE, "higher", RECALL,
     "questions for which any of the evidence is among the best 5"),
    ("recall of places", "Where was somebody: evidence in the best 5", SHARE, "higher", RECALL, ""),
    ("recall of tellers", "Who told it: evidence in the best 5", SHARE, "higher", RECALL, ""),
    ("recall of happenings", "What happened: evidence in the best 5", SHARE, "higher", RECALL, ""),
    ("calls", "Model calls", "per resident and day", "lower", SPENDING, "per day of 24 hours"),
    ("tokens", "Tokens", "per resident and day", "lower", SPENDING, "in and out, per day of 24 hours"),
    ("dollars", "Cost of the run", DOLLARS, "lower", SPENDING, "of the whole run"),
    ("fallbacks", "Answers that could not be used", SHARE, "lower", SPENDING,
     "of all answers; those to decide by, where only the log tells of them"),
)  # fmt: skip
"""What a measure is of stands as ``{}`` in its name and title."""


def describe(name: str) -> Description:
    """Return what to say of the measure *name*; a user's own is called by its name."""
    for known, title, unit, better, theme, meaning in sorted(_KNOWN, key=lambda one: -len(one[0])):
        prefix, of_something, _ = known.partition("{}")
        if name.startswith(prefix) if of_something else name == known:
            return Description(name, title.format(name.removeprefix(prefix)), unit, better, theme, meaning)
    return Description(name, name[:1].upper() + name[1:], "", None, OWN)
