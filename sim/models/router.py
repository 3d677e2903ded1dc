"""Several models as one: a small one rates memories, a large one does all else."""

from sim.models.request import Model, Reply, Request


class Router:
    """Sends importance ratings to *rate* and the rest to *chat*."""

    def __init__(self, chat: Model, rate: Model) -> None:
        self.chat, self.rate = chat, rate
        self.name = f"{chat.name}, ratings by {rate.name}"

    def _model(self, request: Request) -> Model:
        return self.rate if request.prompt.startswith("importance_rating") else self.chat

    def answering(self, request: Request) -> str:
        """Return the name of the model that answers *request*."""
        return self._model(request).answering(request)

    def reply(self, request: Request) -> Reply:
        """Return its answer.

        Raises:
            ModelError, RunStopped: As it raises them.
        """
        return self._model(request).reply(request)

    def close(self) -> None:
        """Close both."""
        self.chat.close()
        self.rate.close()
