"""Which model answers what: ratings and reflections may have one each, and so may each resident."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sim.scenario import ModelName, ModelSettings, Scenario

OFFLINE = "offline"
"""The name of the model that needs no settings; its wing, above this one, is loaded when it is asked for."""


@dataclass(frozen=True)
class Roles:
    """The models of a run."""

    chat: ModelName
    rate: ModelName | None = None
    """For ratings; None: whoever answers all else."""
    reflect: ModelName | None = None
    """For reflections."""
    own: Mapping[str, ModelName] = field(default_factory=dict)
    """By resident."""

    @classmethod
    def of(cls, scenario: Scenario) -> "Roles":
        """Return the models of *scenario*."""
        return cls.in_settings(scenario.model, scenario.own_models)

    @classmethod
    def in_settings(cls, settings: ModelSettings, own: Mapping[str, ModelName] | None = None) -> "Roles":
        """Return the models that *settings* name, with those that are residents' *own*."""
        return cls(settings.chat, settings.rate, settings.reflect, own or {})

    def model_for(self, who: str, prompt: str) -> ModelName:
        """Return the model that answers *prompt* to *who*."""
        asked = self.rate if is_rating(prompt) else self.reflect if prompt.startswith("reflection_") else None
        return asked or self.own.get(who, self.chat)

    def all(self) -> list[ModelName]:
        """Return each model once, whoever answers most first."""
        named = (self.chat, self.rate, self.reflect, *self.own.values())
        return list({name.place: name for name in named if name is not None}.values())

    def real(self) -> list[ModelName]:
        """Return those of which each call is one to a model."""
        return [name for name in self.all() if name != OFFLINE]

    def in_words(self, chat: str | None = None) -> str:
        """Return who answers what, on one line."""
        return ", ".join([chat or self.chat, *self.asides()])

    def asides(self) -> Iterator[str]:
        """Yield who answers what of all that the chat model does not."""
        if self.rate:
            yield f"ratings by {self.rate}"
        if self.reflect:
            yield f"reflections by {self.reflect}"
        for name in dict.fromkeys(self.own.values()):
            yield f"{name} for {' and '.join(who for who, theirs in self.own.items() if theirs == name)}"


def is_rating(prompt: str) -> bool:
    """Return whether *prompt* asks how much memories matter."""
    return prompt.startswith("importance_rating")
