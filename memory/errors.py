"""The errors that a memory stream raises on purpose.

StreamError
├── SettingError   a setting is out of its range (also a ValueError)
├── InputError     an argument cannot be used (also a ValueError)
├── FileError      a stream's file is missing, damaged, or made with another embedder
│   ├── NotWritable  it can be read only
│   └── FileInUse  another program, or another stream of this one, has it open
├── StaleFact      a fact on which much hangs may not hold any more
└── Unusable       a model's reply could not be used: always caught here, and journalled

Each is rebuildable from its ``args`` and carries one sentence with the value at fault and the next step.
"""


class StreamError(Exception):
    """What can go wrong with a memory stream."""


class SettingError(StreamError, ValueError):
    """A setting is out of its range."""


class InputError(StreamError, ValueError):
    """An argument cannot be used."""


class FileError(StreamError):
    """A stream's file cannot be used as asked."""


class NotWritable(FileError):
    """A stream's file can be read, but not written: the disk is full, say, or read-only."""


class FileInUse(FileError):
    """A stream's file is open elsewhere; it can be used once it is closed there."""


class Unnamed(FileError):
    """A stream file is new, and was opened without the name that it needs."""


class StaleFact(StreamError):
    """A fact on which much hangs may not hold any more."""


class Unusable(StreamError):
    """A model failed, or its reply held nothing usable; ``args`` are the prompt's name, the reason and the call."""

    @property
    def prompt(self) -> str:
        """Name of the prompt."""
        return str(self.args[0])

    @property
    def reason(self) -> str:
        """What was wrong."""
        return str(self.args[1])

    @property
    def call(self) -> str | None:
        """Name of the last call, where the model names its calls."""
        return self.args[2] if len(self.args) > 2 else None

    def __str__(self) -> str:
        return f"{self.prompt}: {self.reason}"
