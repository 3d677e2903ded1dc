"""Asking a model that costs: what it would take is told first, from a rehearsal, and a budget ends it in time."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sim.errors import RunError
from sim.log.run_folder import CALLS
from sim.models import open_model
from sim.models.prices import Prices
from sim.models.recording import Budget, Meter, Price, Recorder
from sim.models.request import Model, Reply, Request
from sim.models.roles import OFFLINE
from sim.models.tokens import estimate, estimate_messages
from sim.runs.cost import LONGER
from sim.scenario import ModelSettings


@dataclass
class Rehearsal:
    """The offline model in a real one's place: it answers, and counts what the real one would be sent."""

    name: str = OFFLINE
    inner: Model = field(default_factory=lambda: open_model(ModelSettings()))
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def reply(self, request: Request) -> Reply:
        """Return the offline model's answer."""
        said = self.inner.reply(request)
        self.calls += 1
        self.tokens_in += estimate_messages(list(request.messages))
        self.tokens_out += round(LONGER * estimate(said.text))
        return said

    def name_for(self, request: Request) -> str:
        """Return the model's name: one answers all."""
        return self.name

    def close(self) -> None:
        """Let nothing go: there is nothing."""

    def words(self, model: str, prices: Prices) -> str:
        """Return the calls and dollars that *model* would take, by estimate."""
        price = prices.price_of(model)
        cost = "its price is not known (--prices names it)" if price is None else (
            f"about ${price.dollars(self.tokens_in, self.tokens_out):.2f}"
        )  # fmt: skip
        return f"{self.calls:,} calls to {model}, {self.tokens_in + self.tokens_out:,} tokens by estimate, {cost}"


def tell_price(
    settings: ModelSettings,
    prices: Callable[[], Prices],
    budget: Budget,
    rehearse: Callable[[Model, Recorder], Any],
    tell: Callable[[str], None],
) -> Callable[[str], Price | None]:
    """Tell what asking the model of *settings* comes to, and return what its tokens cost.

    Args:
        prices: Reads the price table; not asked for where nothing costs.
        rehearse: Asks all that is to be asked.

    Raises:
        RunError: If a budget in dollars could not hold, as the price is not known.
    """
    chat = str(settings.chat)
    if chat == OFFLINE:
        return lambda _: None
    table = prices()
    if budget.dollars is not None and table.price_of(chat) is None:
        raise RunError(f"no price of {chat!r} is known, so --budget-usd could not hold (give one with --prices)")
    rehearsal = Rehearsal()
    with tempfile.TemporaryDirectory(prefix="town-asking-") as aside:
        recorder = Recorder(Path(aside) / CALLS, Meter(lambda _: None, Budget()))
        rehearse(rehearsal, recorder)
        recorder.close()
    tell(rehearsal.words(chat, table))
    return table.price_of


@contextmanager
def asking(
    settings: ModelSettings, meter: Meter, *, record: Path | None = None, concurrency: int = 1
) -> Iterator[tuple[Model, Recorder]]:
    """Yield the model of *settings* and what keeps its calls.

    Args:
        record: Where the calls are kept, so that none is paid twice; None: nowhere.
    """
    with ExitStack() as opened:
        aside = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="town-asking-")))
        model = opened.enter_context(closing(open_model(settings, concurrency=concurrency)))
        counted = None if settings.chat == OFFLINE else estimate
        yield model, opened.enter_context(closing(Recorder(record or aside / CALLS, meter, estimate=counted)))
