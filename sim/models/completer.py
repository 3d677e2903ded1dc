"""Any model as what a memory asks by itself, without a town: a rater and reflector with `complete`."""

from collections.abc import Sequence

from memory.prompts import fill
from memory.replies.thoughts import read_words
from sim.errors import ModelError
from sim.models import OFFLINE, CompletingModel, get_model, open_model
from sim.models.request import Model, Request
from sim.scenario import ModelSettings


class ModelCompleter:
    """Fills the memory's prompts, and passes them on to a model."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        """Return the reply to the memory's prompt *prompt_name*, without what the model thought aloud.

        Raises:
            ModelError: If there is no answer in it.
            RunStopped: If none can be expected: the address or the key is wrong, say.
        """
        message = {"role": "user", "content": fill(prompt_name, variables)}
        request = Request(variables.get("agent_name", ""), prompt_name, variables, (message,))
        try:
            return read_words(self._model.reply(request).text)
        except ValueError as error:
            raise ModelError(f"the reply to {prompt_name} could not be used: {error}") from error

    def close(self) -> None:
        """Close the model's connections and files."""
        self._model.close()


def open_completer(name: str, base_urls: Sequence[str] = ()) -> CompletingModel | ModelCompleter:
    """Return the rater and reflector called *name*: ``offline``, a GGUF file, or a model at an endpoint; close it.

    Args:
        base_urls: Of OpenAI-compatible endpoints; none: as the environment says.

    Raises:
        ModelError: If an address, the key or the file cannot be used, or a package is missing.
    """
    if name == OFFLINE:
        return get_model(name)
    address = list(base_urls) or None
    return ModelCompleter(open_model(ModelSettings.model_validate({"chat": name, "base_url": address})))
