"""Who one is in the light of what one remembers: the weightiest statement of each kind, told by name."""

import json
from collections.abc import Mapping

from memory.language.records import Record, State, is_private, is_schedule, read_line
from memory.language.reported_speech import retell
from sim.offline.choice import Dice
from sim.offline.reactions import Rate
from sim.offline.variables import parse_memories, parse_time

_OWN = (State.CONCLUDED, State.MEANT, State.KNOWN)
_PARTS = {
    "characteristics": "{name} is much the same as ever.",
    "occupation": "{name} keeps to the usual days.",
    "feeling": "{name} is content with how life is going.",
}


def renew(variables: Mapping[str, str], rate: Rate, _dice: Dice) -> str:
    """Return the reply to the prompt ``renew_summary``."""
    name, now, said = variables["agent_name"], parse_time(variables["time"]), dict[str, str]()
    for part, otherwise in _PARTS.items():
        lines = parse_memories(variables[part], now)
        own = [r for line in lines for r in read_line(line.text, line.when, name) if _is_of_oneself(r)]
        told = [text for r in own if (text := retell(r.text, name)) not in said.values() and name.split()[0] in text]
        best = max(told, key=lambda text: (rate(text), -told.index(text)), default=otherwise.format(name=name))
        said[part] = best
    return json.dumps(said, ensure_ascii=False)


def _is_of_oneself(record: Record) -> bool:
    """Return whether *record* is a view, wish or experience of one's own that anybody may know."""
    own = record.state in _OWN and not record.speaker and not is_schedule(record.text)
    return own and not is_private(record.said or record.text)
