"""`town cost`: what a scenario would use up with a real model, from a rehearsal with the offline one."""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from memory.embedding import CachedEmbedder, Vectors, packaged_embedder
from memory.relationships.settings import PROMPTS
from sim.analysis.measures.relations import Block, blocks_in
from sim.analysis.prefix_cache import BLOCK, NO_REUSE, PrefixCache, Reuse, total
from sim.log.run_folder import CALLS, Run
from sim.mind.settings_timeline import SettingsTimeline
from sim.models import OFFLINE, get_model
from sim.models.prices import Price, Prices
from sim.models.recording import Budget, Meter, Recorder, read_calls
from sim.models.roles import Roles
from sim.models.tokens import ERROR, FINER, estimate, estimate_messages
from sim.scenario import ModelName, Scenario
from sim.times import DAY, HOUR, MINUTE
from sim.town.simulate import Progress, run_town

RATINGS = ("importance_rating", "importance_rating_batch")
LONGER = 1.5
"""Tokens of a real model's reply for each of the offline model's: spaces in JSON, fuller sentences, second tries."""
HOSTED_BLOCK, HOSTED_LEAST = 128, 1024  # hosted services reuse 1,024 tokens at the least, in steps of 128
CHEAPEST = "text-embedding-3-small"


@dataclass(slots=True)
class Purpose:
    """What the calls of one prompt use up; tokens are estimates."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    open_reuse: Reuse = NO_REUSE
    """What a server's prefix cache could reuse, in the cache's own tokens."""
    hosted_reuse: Reuse = NO_REUSE
    """What a hosted service's could."""

    def dollars(self, price: Price, reuse: Reuse | None = None) -> float:
        """Return what all of it costs, with as much of the input from the cache as *reuse* says."""
        cached = round(self.tokens_in * reuse.share) if reuse else 0
        return price.dollars(self.tokens_in, self.tokens_out, cached)


class Rehearsal(NamedTuple):
    """What a rehearsal used up."""

    purposes: dict[str, Purpose]
    """By the prompt's name."""
    texts: int
    """Texts that were embedded, each once."""
    text_tokens: int
    seconds: float
    blocks: Mapping[str, Block]
    """By prompt, the characters that it received of relationships."""
    shares: Mapping[tuple[str, str], Purpose]
    """The same as *purposes*, by resident and prompt."""


class _CountingEmbedder:
    """An embedder that counts what it is given."""

    def __init__(self, inner: CachedEmbedder) -> None:
        self._inner, self.name, self.size = inner.inner, inner.name, inner.size
        self.texts = self.tokens = 0

    def embed(self, texts: list[str], /) -> Vectors:
        self.texts += len(texts)
        self.tokens += sum(map(estimate, texts))
        return self._inner.embed(texts)


def rehearse(scenario: Scenario, progress: Callable[[Progress], None] = lambda _: None) -> Rehearsal:
    """Run *scenario* with the offline model in a temporary folder, and count.

    Raises:
        TownError: If the scenario cannot be run.
    """
    packaged = packaged_embedder()
    counted = _CountingEmbedder(packaged) if packaged is not None else None
    with tempfile.TemporaryDirectory(prefix="town-cost-") as name:
        folder = Path(name)
        recorder = Recorder(folder / CALLS, Meter(lambda _: None, Budget()))
        try:
            timeline = SettingsTimeline.of(scenario, get_model(OFFLINE))
            embedder = CachedEmbedder(counted) if counted is not None else None
            summary = run_town(scenario, folder, timeline, recorder, embedder=embedder, progress=progress)
        finally:
            recorder.close()
        shares = shares_of(read_calls(folder / CALLS))
        blocks = blocks_in(event for _, event in Run(folder, {}).events())
    texts, tokens = (counted.texts, counted.tokens) if counted is not None else (0, 0)
    return Rehearsal(_by_prompt(shares), texts, tokens, float(summary["seconds"]), blocks, shares)


def purposes_of(calls: Iterable[dict[str, Any]]) -> dict[str, Purpose]:
    """Return what *calls*, lines of a `calls.jsonl`, would use up, by prompt in order of their input."""
    return _by_prompt(shares_of(calls))


def _by_prompt(shares: Mapping[tuple[str, str], Purpose]) -> dict[str, Purpose]:
    prompts = dict.fromkeys(prompt for _, prompt in shares)
    purposes = {
        name: sum_purposes(share for (_, prompt), share in shares.items() if prompt == name) for name in prompts
    }
    return dict(sorted(purposes.items(), key=lambda item: -item[1].tokens_in))


def shares_of(calls: Iterable[dict[str, Any]]) -> dict[tuple[str, str], Purpose]:
    """Return what *calls* would use up, by who asks and for what."""
    shares: dict[tuple[str, str], Purpose] = {}
    served, hosted = PrefixCache(), PrefixCache(HOSTED_BLOCK, HOSTED_LEAST)
    for call in calls:
        messages, prompt = call["request"]["messages"], call["request"]["prompt"]
        purpose = shares.setdefault((call["request"].get("who", ""), prompt), Purpose())
        purpose.calls += 1
        purpose.tokens_in += estimate_messages(messages)
        purpose.tokens_out += reply_tokens(prompt, call.get("reply") or "")
        purpose.open_reuse = total([purpose.open_reuse, served.send(messages)])
        purpose.hosted_reuse = total([purpose.hosted_reuse, hosted.send(messages)])
    return shares


def reply_tokens(prompt: str, reply: str) -> int:
    """Return how long a real model's reply may be, from the offline model's."""
    tokens = estimate(reply)
    return tokens + 1 if prompt in RATINGS else round(tokens * LONGER)  # a number, and the end


def cost_lines(
    scenario: Scenario,
    model: str | None,
    prices: Prices,
    progress: Callable[[Progress], None] = lambda _: None,
    thinking: int = 0,
) -> Iterator[str]:
    """Yield what *scenario* would cost, after rehearsing it.

    Args:
        model: The one whose dollars are asked for; None takes the scenario's own, or shows a table of known ones.
        progress: Told how far the rehearsal is.
        thinking: Tokens that the model thinks before each answer, unseen and paid for.

    Raises:
        TownError: If the scenario cannot be run.
    """
    done = rehearse(scenario, progress)
    people, days = len(scenario.people), scenario.until / DAY
    yield (
        f"{scenario.name}: {people} residents, {scenario.until / HOUR:g} hours, "
        f"rehearsed with the offline model in {done.seconds:.0f} s; nothing was sent."
    )
    yield ""
    yield from _by_purpose(done.purposes, people * days)
    yield ""
    yield from _by_cause(done.purposes, scenario, people * days)
    yield from _by_relationship(done, people * days)
    yield ""
    if thinking:
        hidden = thinking * sum(share.calls for share in done.shares.values())
        yield f"Hidden thinking, {thinking:,} tokens a call: {hidden:,} tokens out, apart from those above."
        done = done._replace(shares={key: _with_thinking(share, thinking) for key, share in done.shares.items()})
    yield from _by_model(done, scenario, model or _own_model(scenario), prices)
    yield ""
    yield from _caveats()


def _with_thinking(share: Purpose, tokens: int) -> Purpose:
    """Return *share* with the *tokens* that the model thinks before each answer."""
    return replace(share, tokens_out=share.tokens_out + tokens * share.calls)


def _own_model(scenario: Scenario) -> str | None:
    return None if scenario.model.chat == "offline" else scenario.model.chat


def _by_purpose(purposes: dict[str, Purpose], resident_days: float) -> Iterator[str]:
    yield f"{'purpose':24}{'calls':>9}{'per day':>9}{'tokens in':>13}{'tokens out':>12}{'per call':>10}{'reusable':>10}"
    rows = {**purposes, "all": sum_purposes(purposes.values())}
    for name, p in rows.items():
        each = p.tokens_in / p.calls if p.calls else 0
        yield (
            f"{name:24}{p.calls:9,}{p.calls / resident_days:9.1f}{p.tokens_in:13,}{p.tokens_out:12,}"
            f"{each:10,.0f}{p.open_reuse.share:10.0%}"
        )
    every = rows["all"]
    yield (
        f"Per resident and day: {every.calls / resident_days:,.0f} calls, "
        f"{every.tokens_in / resident_days:,.0f} tokens in, {every.tokens_out / resident_days:,.0f} out."
    )
    yield (
        f"reusable: what a server that keeps prompts' beginnings (blocks of {BLOCK} tokens) need not work out again; "
        f"{every.hosted_reuse.share:.0%} of all where it takes {HOSTED_LEAST:,} tokens at least, as hosted services do."
    )


def _by_cause(purposes: dict[str, Purpose], scenario: Scenario, resident_days: float) -> Iterator[str]:
    """Yield what the number of calls rests on, and how far talk alone can move it."""
    asked = {name: purpose.calls for name, purpose in purposes.items()}
    every, turns, talks = sum(asked.values()), asked.get("dialogue_turn", 0), asked.get("talk_summary", 0) / 2
    ratings, apart = sum(asked.get(name, 0) for name in RATINGS), turns + asked.get("talk_summary", 0)
    mind = scenario.mind
    yield "What the calls rest on, per resident and day as rehearsed:"
    yield (
        f"- {asked.get('agent_action', 0) / resident_days:.1f} choices of what to do: at least one every "
        f"{mind.decide_every / MINUTE:g} minutes awake (mind.decide_every), more where something happens;"
    )
    yield (
        f"- {2 * talks / resident_days:.1f} talks of {turns / talks if talks else 0:.1f} utterances "
        f"(mind.talk_cap: at most {mind.talk_cap}); {ratings / resident_days:.1f} calls that rate new memories, "
        "what is heard among them;"
    )
    longest = max(turns, round(talks * mind.talk_cap)) - turns
    low, high = every - apart - min(turns, ratings), every + longest + (longest if ratings else 0)
    yield f"- a model that never talks would make about {low:,} calls, one that always talks to the cap about {high:,}."


def _by_relationship(done: Rehearsal, resident_days: float) -> Iterator[str]:
    """Yield what the memory of others takes, where anybody keeps any."""
    calls = sum(done.purposes[prompt].calls for prompt in PROMPTS if prompt in done.purposes)
    if not calls and not done.blocks:
        return
    yield f"- {calls / resident_days:.1f} calls that keep relationships (relationships.engine: compact makes none);"
    for prompt, block in done.blocks.items():
        parts = ", ".join(f"{part} {count / block.prompts:,.0f}" for part, count in block.by_part.items())
        yield f"- {block.prompts:,} prompts {prompt} hold characters of them, per prompt: {parts}."


def sum_purposes(purposes: Iterable[Purpose]) -> Purpose:
    """Return what all of them use up together."""
    parts = list(purposes)
    return Purpose(
        sum(p.calls for p in parts), sum(p.tokens_in for p in parts), sum(p.tokens_out for p in parts),
        total(p.open_reuse for p in parts), total(p.hosted_reuse for p in parts),
    )  # fmt: skip


def _by_model(done: Rehearsal, scenario: Scenario, model: str | None, prices: Prices) -> Iterator[str]:
    roles = Roles.of(scenario)
    names = [model] if model else [name for name, price in prices.table.items() if price.output]
    yield f"{'dollars with':24}{'in all':>11}{'less what its cache saves':>28}   price as of"
    unknown = []
    for name in names:
        cast = replace(roles, chat=ModelName(name))
        missing = [str(each) for each in cast.real() if prices.price_of(each) is None]
        unknown += missing
        if missing:
            continue
        plain = dollars_of(done.shares, cast, prices, hosted=False)
        cached = dollars_of(done.shares, cast, prices, hosted=True)
        price = prices.price_of(name)
        yield f"{name:24}{plain:11,.2f}{cached:28,.2f}   {(price and price.as_of) or '-'}"
    for name in dict.fromkeys(unknown):
        yield f"{name}: its price is not known (add it to a file and name that with --prices or TOWN_PRICES)"
    if asides := ", ".join(roles.asides()):
        yield f"Among them: {asides}."
    yield _embedding_line(done, scenario, prices)


def dollars_of(
    shares: Mapping[tuple[str, str], Purpose], roles: Roles, prices: Prices, *, hosted: bool = False
) -> float:
    """Return what *shares* cost with the models of *roles*, whose prices are all known.

    Args:
        hosted: Whether to leave away what a hosted service's cache saves.
    """
    priced = ((share, prices.price_of(roles.model_for(who, prompt))) for (who, prompt), share in shares.items())
    return sum(share.dollars(price, share.hosted_reuse if hosted else None) for share, price in priced if price)


def _embedding_line(done: Rehearsal, scenario: Scenario, prices: Prices) -> str:
    texts = f"{done.texts:,} texts to embed ({done.text_tokens:,} tokens)"
    name = scenario.model.embed
    price = prices.price_of(name or CHEAPEST)
    at = f"${price.dollars(done.text_tokens, 0):,.2f}" if price else "at an unknown price"
    return (
        f"{texts}: {at} with {name}." if name else f"{texts}: nothing with the packaged embedder, {at} with {CHEAPEST}."
    )


def _caveats() -> Iterator[str]:
    finer = "; ".join(f"{share - 1:.0%} more under {what}" for what, share in FINER.items())
    yield "This is an estimate:"
    yield f"- tokens in are counted without a tokenizer: within {ERROR:.0%} for an English prompt, {finer};"
    yield f"- tokens out are the offline model's, times {LONGER:g} (ratings: one more token), thinking by --thinking;"
    yield "- calls are the rehearsal's: a real model lives another day, talks more or less, and is asked a second time"
    yield "  where a reply cannot be read, so they may differ by a quarter or more."
