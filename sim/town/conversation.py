"""A talk between two residents: turn by turn, overheard by those present, until one ends it."""

from collections.abc import Generator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from simpy.events import Event

from memory.language.speech_acts import says_goodbye
from memory.language.words import words
from sim.log import events
from sim.log.run_folder import Record
from sim.mind.observation import Scene
from sim.town.context import Speaker
from sim.world.world import Noticed, Spot

SECONDS_A_WORD, PAUSE, LONGEST = 0.4, 3, 60  # unhurried speech is about 150 words a minute
EARLY = 2  # utterances: in the first of each only the speaker's own `end` takes leave, however goodbye-like the words


@dataclass(eq=False)
class Conversation:
    """One talk under way."""

    id: str
    first: Speaker
    """The one who began it."""
    second: Speaker
    spot: Spot
    began: int
    done: Event
    """Fires when the talk is over."""
    why: str = ""
    """For what the first began it."""
    transcript: list[tuple[str, str]] = field(default_factory=list)
    spoken: list[Record] = field(default_factory=list)
    """The events of the utterances, in order."""
    unheard: dict[str, list[Noticed]] = field(default_factory=dict)
    """By name: what was said to them and they have not thought about yet."""
    cut_short: str = ""
    """Why the talk must end now, if it must."""
    _over: set[str] = field(default_factory=set)
    """Who has taken leave."""

    def scene(self, me: Speaker, t: int) -> Scene:
        """Return the talk from the side of *me*, with what *me* has heard since the last thought."""
        partner = self.second if me is self.first else self.first
        heard = tuple(self.unheard.pop(me.name, ()))
        said = tuple(self.transcript), heard, self.id, tuple(self.spoken)
        return Scene(
            t, self.began, self.spot.label, partner.name, *said, self.why if me is self.first else "", me.purpose
        )

    def run(self) -> Generator[Any, Any, None]:
        """Hold the talk; both are free again at its end."""
        context, first, second = self.first.context, self.first.body.owner, self.second.body.owner
        ids: dict[str, Any] = {"talk": self.id, "who": self.first.name, "to": [self.second.name]}
        ids["place"], reason = self.spot.place.id, ""
        context.log(events.TalkStarted(t=context.now, **ids))
        context.clock.attach(first, second)
        context.clock.set_apart(first, (second,))
        while not reason:
            speaker, hearer = (self.first, self.second) if len(self.transcript) % 2 == 0 else (self.second, self.first)
            reason = yield from self._take_turn(speaker, hearer)
        yield context.clock.rejoin(first)
        turns, capped = len(self.transcript), reason == "cap"
        words = f"the talk had come to {turns} utterances" if capped else reason
        context.log(events.TalkEnded(t=context.now, reason=words, turns=turns, capped=capped, **ids))
        self.first.body.talk = self.second.body.talk = None
        self.done.succeed()

    def _take_turn(self, speaker: Speaker, hearer: Speaker) -> Generator[Any, Any, str]:
        """Ask *speaker* for the next words and say them; return why the talk is over, "" while it is not."""
        context = speaker.context
        turn = yield context.clock.think(speaker.mind.speak, self.scene(speaker, context.now))
        context.clock.announce(partial(speaker.tell_log, speaker.mind.take_notes()))
        said = " ".join(turn.say.split()) if turn is not None else ""
        if not said:
            return f"{speaker.name} said nothing more"
        self._say(speaker, hearer, said)
        yield context.clock.timeout(min(LONGEST, PAUSE + round(len(said.split()) * SECONDS_A_WORD)))
        repeated = is_repeated(said, [text for _, text in self.transcript[:-1]])
        is_early = len(self.transcript) <= EARLY
        if turn.end or (says_goodbye(said) and not is_early):
            self._over.add(speaker.name)
        return self._reason_to_end(speaker, hearer, repeated=repeated)

    def _say(self, speaker: Speaker, hearer: Speaker, said: str) -> None:
        context, place = speaker.context, self.spot.place.id
        spoke = events.Spoke(t=context.now, talk=self.id, who=speaker.name, to=[hearer.name], place=place, text=said)
        record = Record(spoke)
        self.transcript.append((speaker.name, said))
        self.spoken.append(record)
        told = Noticed(context.now, f'{speaker.name} told me: "{said}"', record, near=0)
        self.unheard.setdefault(hearer.name, []).append(told)
        overheard = f'I overheard {speaker.name} tell {hearer.name}: "{said}"'
        item = Noticed(context.now, overheard, record, near=1)
        context.clock.announce(lambda: self._reach_others(record, item, but=(speaker.name, hearer.name)))

    def _reach_others(self, record: Record, item: Noticed, but: tuple[str, str]) -> None:
        """Log what was said; those present overhear it."""
        self.first.context.put(record)
        self.spot.notice(item, but=but)

    def _reason_to_end(self, speaker: Speaker, hearer: Speaker, *, repeated: bool) -> str:
        if self.cut_short:
            return self.cut_short
        if len(self._over) == 2:
            return "both took leave"
        if hearer.name in self._over:
            return f"{hearer.name} took leave"
        if repeated:
            return f"{speaker.name} began to repeat what had been said"
        for one in (speaker, hearer):
            if one.must_leave():
                return f"{one.name} had to go"
        return "cap" if len(self.transcript) >= speaker.context.settings.talk_cap else ""


def is_repeated(said: str, before: list[str]) -> bool:
    """Return whether *said* is much the same as an earlier utterance: nine tenths of the words in common."""
    new = set(words(said))
    for text in before:
        old = set(words(text))
        if new == old or (len(new) > 3 and len(new & old) >= 0.9 * len(new | old)):
            return True
    return False
