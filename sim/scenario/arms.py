"""The arms that every scenario has without writing them: what an ablation takes away, and the placebo.

A scenario's own arm of the same name wins.  ``full`` is no arm here: it is the scenario unchanged.
Source of the first three: Park et al. 2023, section 6.2 (their *no observation* is the prior work's agent).
"""

from typing import Any

from sim.errors import Problem
from sim.scenario.sources import nearest, suggestion
from sim.scenario.strict_yaml import Node, parse_yaml

FULL = "full"
"""The arm that changes nothing; every scenario has it."""

_WRITTEN = """
no-reflection: {memory: {reflection: false}}
no-planning: {memory: {reflection: false}, mind: {planning: false}}
# nothing that was observed is ever recalled: the resident acts from the routine and the moment
no-observation: {memory: {recall: false, reflection: false}, mind: {planning: false}}

# one part of a memory's score alone, or all but one; with it go the terms of a hybrid search that belong to it
recency-only: {memory: {weights: {importance: 0, relevance: 0}, terms_follow: true}}
importance-only: {memory: {weights: {recency: 0, relevance: 0}, terms_follow: true}}
relevance-only: {memory: {weights: {recency: 0, importance: 0}, terms_follow: true}}
no-recency: {memory: {weights: {recency: 0}, terms_follow: true}}
no-importance: {memory: {weights: {importance: 0}, terms_follow: true}}
no-relevance: {memory: {weights: {relevance: 0}, terms_follow: true}}

# what people know of each other beyond their memories, taken away whole and part by part
no-relationships: {relationships: {engine: none}}
no-cards: {relationships: {relationship_card: false}}
no-threads: {relationships: {thread_card: false}}
no-mood: {relationships: {digest: false}}
no-fading: {relationships: {fading: false}}
no-distortion: {relationships: {distortion: false}}
compact-relationships: {relationships: {engine: compact}}

# what is searched for besides the paper's queries: news and invitations, in company
news-queries: {mind: {queries: [situation, relation, plans, news]}}

# is it memory, or only longer prompts?  As many memories as in full, drawn by lot
placebo: {memory: {recall_by: chance}}
"""


def built_in_arms() -> dict[str, Node]:
    """Return the built-in arms by name, as a scenario file would hold them."""
    return parse_yaml(_WRITTEN, "built-in arms").fields


def all_arms(written: Node) -> dict[str, Node]:
    """Return all arms of a scenario but ``full``: the built-in ones, and over them those *written* in it."""
    return {name: changes for name, changes in {**built_in_arms(), **written.fields}.items() if name != FULL}


def arm_changes(arm: str, own: dict[str, Any]) -> dict[str, Any]:
    """Return what *arm* changes, as written; *own* are the arms of the scenario itself."""
    written = {name: changes.plain() for name, changes in built_in_arms().items()} | own
    return dict(written.get(arm, {}))


def arm_problems(arms: Node, arm: str) -> list[Problem]:
    """Return what is wrong with the arms of a scenario, and with *arm* if there is none of that name."""
    problems = []
    for name, changes in arms.fields.items():
        mark = arms.key_mark(name)
        if name == FULL and changes.fields:
            problems.append(mark.problem(f'the arm "{FULL}" is the scenario unchanged (give this arm another name)'))
        for key in ("arms", "extends"):
            if key in changes.fields:
                problems.append(changes.key_mark(key).problem(f"{key} cannot stand within an arm (take it out)"))
    known = list(dict.fromkeys([FULL, *arms.fields, *all_arms(arms)]))
    if arm not in known:
        all_of_them = f"; arms: {', '.join(known)}" if nearest(arm, known) else ""
        problems.append(arms.mark.problem(f'no arm "{arm}" {suggestion(arm, known)}{all_of_them}'))
    return problems
