"""A model behind an OpenAI-compatible endpoint: OpenAI itself, vLLM, Ollama, llama.cpp's server and others.

All retries are made here (the openai package's are off): see `sim.models.retries.ATTEMPTS` for how many.
"""

import logging
import random
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memory.replies.objects import is_whole
from memory.replies.thoughts import answer_of, complete_lines, holds_thoughts
from sim.errors import ModelError, RunStopped
from sim.models import retries
from sim.models.address import BASE_URL, KEY, NO_KEY, without_secrets
from sim.models.formats import Abilities, KnownAbilities, chat_body
from sim.models.request import Reply, Request
from sim.models.response_body import BrokenBodyError, Completion, read_body
from sim.models.retries import Trouble
from sim.models.servers import Server, Servers

FIRST_ATTEMPTS = 2  # to reach a server that has never answered: most likely the address is wrong, and people wait
FIRST_PATIENCE = 60.0  # seconds after which one that is reached and has never answered is not asked again
CAP = 1_000  # tokens of a reply where the settings name no bound: three times the longest plan of a day
HALVINGS = 4  # of the memories in a prompt that does not fit: 30 become 15, 8, 4, 2
LARGER = 4  # times as many for the one further try of a reply that was cut
IN_A_ROW = 5  # requests without an answer, one after the other over all threads, that stop the run

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class _Call:
    """One request on its way."""

    request: Request
    abilities: Abilities
    cap: int
    larger: bool = False
    """Whether it is given more room, after a reply that was cut."""
    cut: Completion | None = None
    """That reply."""
    failed: int = 0
    sent: int = 0
    halvings: int = 0
    misformed: int = 0
    """Replies that the server itself refused, since they had not the form that it was to hold them to."""
    body: Mapping[str, Any] = field(default_factory=dict)
    """What was sent last."""
    guessed: Abilities | None = None
    """Abilities before a complaint that named nothing."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int = 0
    model: str = ""
    fingerprint: str = ""

    def count(self, said: Completion) -> None:
        """Add what an answer used up, whether or not it can be used."""
        self.tokens_in = _add(self.tokens_in, said.tokens_in)
        self.tokens_out = _add(self.tokens_out, said.tokens_out)
        self.tokens_cached += said.tokens_cached
        self.model, self.fingerprint = said.model or self.model, said.fingerprint or self.fingerprint

    def reply(self, text: str) -> Reply:
        """Return *text* as the reply."""
        used = (self.tokens_in, self.tokens_out, self.tokens_cached, max(1, self.sent))
        return Reply(text, *used, model=self.model, fingerprint=self.fingerprint)

    def failure(self, words: str) -> ModelError:
        """Return the error that says there is no answer, with what was used up for it."""
        return ModelError(words, None, self.tokens_in or 0, self.tokens_out or 0, max(1, self.sent))


class Endpoint:
    """The model *name* on *servers*; safe to use from several threads.

    Args:
        key: What opens them; it is kept out of all messages.
        key_name: The variable that holds it.
        secrets: What else is kept out of them.
        attempts: Requests for one answer, while what fails is the connection or the server.
        extra: Fields that are sent along with each request.
        shape: Changes a request before it is sent, for servers that need more guidance.
    """

    def __init__(
        self,
        name: str,
        servers: Servers,
        key: str = NO_KEY,
        *,
        attempts: int = retries.ATTEMPTS,
        abilities: Abilities | None = None,
        key_name: str = KEY,
        secrets: Sequence[str] = (),
        extra: Mapping[str, Any] | None = None,
        shape: Callable[[Request], Request] = lambda request: request,
        cap: int = CAP,
        on_close: Callable[[], None] = lambda: None,
    ) -> None:
        self.name, self.servers = name, servers
        self._key, self._attempts, self._cap = key, attempts, cap
        self._key_name, self._secrets = key_name, (key, *secrets)
        self._extra, self._shape, self._on_close = dict(extra or {}), shape, on_close
        self.known = KnownAbilities(f"{self.name} at {servers.all[0].url}", abilities or Abilities())
        self._dice = random.Random()  # spreads waiting times; never shapes a reply
        self._lock = threading.Lock()
        self._in_a_row = 0
        self._has_answered = False
        self._began, self._has_been_heard = 0.0, False
        self._stopped: RunStopped | None = None

    def name_for(self, request: Request) -> str:
        """Return the model's name: one answers all."""
        return self.name

    def reply(self, request: Request) -> Reply:
        """Return the model's answer.

        Raises:
            ModelError: If there is none to this request.
            RunStopped: If none can be expected for any: the key, the model or the address is wrong, the server
                cannot be reached, or `IN_A_ROW` requests one after the other got none.
        """
        asked = self._shape(request)
        now = self.known.now
        cap = int(asked.sampling.get("max_tokens") or self._cap) * (LARGER if now.roomy else 1)
        call = _Call(asked, now, cap, larger=now.roomy)
        while True:
            if self._stopped is not None:
                raise RunStopped(*self._stopped.args)
            with self.servers.lend() as server:
                outcome = self._attempt(call, server)
                if isinstance(outcome, Trouble) and outcome.lost:
                    self.servers.leave_out(server)
                if isinstance(outcome, Trouble) and outcome.loading:
                    self.servers.tell_once(server, "is not ready yet (%s): waiting for it", outcome.words)
                if isinstance(outcome, Trouble) and outcome.busy:
                    self.servers.slow_down(server, outcome.wait, outcome.words)
            self._has_been_heard |= not (isinstance(outcome, Trouble) and (outcome.lost or outcome.late))
            if isinstance(outcome, Trouble):
                if call.cut is None or outcome.remedy == "again":
                    self._recover(call, server, outcome)
                    continue
                outcome = call.cut  # more room than the server has: what was cut must do
            self._note_success(call, server)
            answer = self._accept(call, outcome)
            if answer is not None:
                return answer

    # one request

    def _attempt(self, call: _Call, server: Server) -> Completion | Trouble:
        import openai  # here, because it takes a second
        from httpx2 import ConnectTimeout, Response

        call.sent += 1
        call.body = chat_body(call.request, self.name, call.abilities, call.cap, self._extra)
        self._began = self._began or time.monotonic()
        try:
            response = server.client.post("/chat/completions", cast_to=Response, body=dict(call.body))
            said = read_body(response.content, structured=call.request.schema is not None and not call.request.lines)
        except openai.APITimeoutError as error:
            lost = isinstance(error.__cause__, ConnectTimeout)
            return Trouble("it did not answer in time", "again", lost=lost, late=not lost)
        except openai.APIConnectionError as error:
            cause = error.__cause__
            lost = type(cause).__name__ in ("ConnectError", "UnsupportedProtocol")
            words = (" ".join(str(cause).split()) or type(cause).__name__) if cause else "the connection broke"
            return Trouble(words, "again", lost=lost)
        except openai.APIStatusError as error:
            return self._read_status(error)
        except BrokenBodyError as error:
            return retries.trouble_of_body(error)
        except (RuntimeError, UnicodeError) as error:  # what the client raises once it is closed
            self.servers.check()
            return Trouble(f"{type(error).__name__}: {error}", "again")
        call.count(said)
        return said

    def _read_status(self, error: Any) -> Trouble:
        response = error.response
        asked = retries.retry_after(response.headers, time.time(), response.text)
        if asked is not None and asked > retries.LONGEST_TOLD:
            header = response.headers.get("retry-after", "")[:40]
            _log.warning("the server asks to wait %s: waiting %g seconds", header, retries.LONGEST_TOLD)
        return retries.trouble_of_status(response.status_code, response.text, asked)

    # after a failure

    def _recover(self, call: _Call, server: Server, trouble: Trouble) -> None:
        """Make *call* ready to be sent again.

        Raises:
            ModelError, RunStopped: As for `reply`.
        """
        if trouble.page and self._has_answered:
            trouble = replace(trouble, remedy="again")  # of a proxy before a server that is there
        if trouble.late and not self._has_been_heard and time.monotonic() - self._began > FIRST_PATIENCE:
            trouble = replace(trouble, remedy="stop", fix="patience")
        if trouble.remedy == "stop":
            raise self._stop(self._stop_words(call, server, trouble))
        if trouble.remedy == "shrink" and self._shrink(call):
            return
        if trouble.remedy == "adapt" and self._adapt(call, trouble.complaint):
            return
        if trouble.remedy == "other form" and self._ask_in_other_form(call):
            return
        call.failed += 1
        most = self._attempts if self._has_answered or not trouble.lost else FIRST_ATTEMPTS
        if trouble.remedy == "again" and call.failed < most:
            self.servers.check()
            if trouble.wait is not None and not trouble.busy:
                self.servers.pause(trouble.wait)
            elif trouble.wait is None and not (trouble.lost and len(self.servers.all) > 1):
                self.servers.pause(retries.backoff(call.failed, self._dice))
            return  # how long a busy server asked to be left alone, `Servers` minds for all threads
        self._give_up(call, server, trouble)

    def _shrink(self, call: _Call) -> bool:
        smaller = call.request.halve_memories() if call.halvings < HALVINGS else None
        if smaller is None:
            return False
        call.halvings += 1
        _log.warning(
            "the %s prompt of %s does not fit: half of its memories are left out", call.request.prompt, call.request.who
        )
        call.request = smaller
        return True

    def _adapt(self, call: _Call, complaint: str) -> bool:
        """Ask in another way, as *complaint* demands; one that names nothing may mean the reply's format."""
        known = self.known.now
        if known != call.abilities and call.guessed is None:
            call.abilities = known
            return True
        better = call.abilities.after(complaint, call.body)
        if better is not None:
            call.abilities = self.known.learn(call.abilities, better) if call.guessed is None else better
            return True
        if call.abilities.format in self.known.proven:
            return False
        guess = call.abilities.plainer() if call.request.schema is not None else None
        if guess is None and not self._has_answered:
            guess = call.abilities.bare(call.body)
        if guess is None:
            return False
        call.guessed = call.guessed or call.abilities
        call.abilities = guess
        return True

    def _ask_in_other_form(self, call: _Call) -> bool:
        """Ask once more as before, then by the next plainer format, for this request only: the others went well."""
        call.misformed += 1
        if call.misformed > 1:
            plainer = call.abilities.plainer()
            call.abilities = plainer or call.abilities
            return plainer is not None
        return True

    def _note_success(self, call: _Call, server: Server) -> None:
        self.servers.speed_up(server)
        self._in_a_row = 0
        self._has_answered = True
        if call.request.schema is not None and not call.misformed:
            self.known.proven.add(call.abilities.format)
        if call.guessed is not None:
            self.known.learn(call.guessed, call.abilities)
            call.guessed = None

    def _give_up(self, call: _Call, server: Server, trouble: Trouble) -> None:
        """Give *call* up.

        Raises:
            RunStopped: If the server cannot be reached, or too many requests in a row got no answer.
            ModelError: Otherwise.
        """
        tries = f"{call.sent} requests" if call.sent > 1 else "one request"
        words = self._clean(f"{self.name} at {server.url} gave no answer to {tries}: {trouble.words}")
        if trouble.lost:
            raise self._stop(f"{words}: check that the server runs and that --base-url (or {BASE_URL}) names it")
        with self._lock:
            self._in_a_row += trouble.remedy == "again"
            in_a_row = self._in_a_row
        if in_a_row >= IN_A_ROW:
            raise self._stop(f"{words}; so did {in_a_row} calls in a row: see to the server, then go on with --resume")
        raise call.failure(words)

    def _stop(self, words: str) -> RunStopped:
        """Return the error that ends the run; every later request gets the same."""
        with self._lock:
            if self._stopped is None:
                self._stopped = RunStopped(words)
            return RunStopped(*self._stopped.args)

    def _stop_words(self, call: _Call, server: Server, trouble: Trouble) -> str:
        url, words = server.url, self._clean(trouble.words)
        if trouble.fix == "key" and self._key == NO_KEY:
            return f"{url} asks for a key ({words}): put it into the environment variable {self._key_name}"
        if trouble.fix == "key":
            return f"{url} refused the key in {self._key_name} ({words}): put one there that it takes"
        if trouble.fix == "credit":
            return f"the account at {url} has nothing left ({words}): top it up, then go on with --resume"
        if trouble.fix == "patience":
            return (
                f"{url} was reached and has never answered ({self.name}, {call.sent} requests, "
                f"{time.monotonic() - self._began:.0f} s): see to the server, or give it longer with model.timeout"
            )
        if trouble.fix == "interface":
            return f"{url} has {self.name!r} for another interface only ({words}): name a chat model with --model"
        if trouble.fix == "model":
            return f"{url} has no model {self.name!r} ({words}): name one that it has with --model"
        v1 = "" if re.search(r"/v\d|/openai\b", url) else f", most likely {url}/v1"
        return f"{url} is not where an OpenAI-compatible server answers ({words}): correct --base-url{v1}"

    def _clean(self, words: str) -> str:
        for secret in self._secrets:
            words = without_secrets(words, secret)
        return words

    # after an answer

    def _accept(self, call: _Call, said: Completion) -> Reply | None:
        """Return the reply, or None where the request is to be sent once more with more room.

        Raises:
            ModelError: If the model refused, or used up all its room without an answer.
        """
        if said.refusal and not said.text.strip():
            raise call.failure(self._clean(f"{self.name} refused to answer: {said.refusal[:200]}"))
        if not said.cut:
            if call.larger and not self.known.now.roomy and (said.thought or holds_thoughts(said.text)):
                self.known.learn(call.abilities, replace(call.abilities, roomy=True))
            return call.reply(said.text)
        is_form = call.request.schema is not None and not call.request.lines
        if not is_form and (whole := complete_lines(said.text)):
            return call.reply(whole)
        if is_form and is_whole(said.text):
            return call.reply(said.text)
        if not call.larger and call.cap < (self.known.now.most or call.cap + 1):
            call.larger, call.cap, call.cut = True, call.cap * LARGER, said
            return None
        if (said.thought or said.text.strip()) and not answer_of(said.text):
            raise call.failure(
                f"{self.name} used up {call.cap:,} tokens in thinking, without an answer (model.max_tokens sets more)"
            )
        if not is_form:
            raise call.failure(f"the reply was cut at {call.cap:,} tokens before its first line was whole")
        return call.reply(said.text)  # what stands complete in it can be read, and only that

    def close(self) -> None:
        """End all that is under way, and close the connections."""
        self.servers.close()
        self._on_close()


def _add(total: int | None, more: int | None) -> int | None:
    return total if more is None else (total or 0) + more
