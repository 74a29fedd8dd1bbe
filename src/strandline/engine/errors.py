"""What can be wrong with what people hand in. Every message is a sentence or two, meant to be shown."""


class UnknownGame(KeyError):
    """No game has that name; the message names the close ones."""

    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError would show its message in quotes


class BadOptions(ValueError):
    """An option, its value or the number of players is not allowed."""


class IllegalMove(ValueError):
    """The move is not legal in this position; the message names some that are."""


class BadPosition(ValueError):
    """The JSON object is not a position of the game."""


class BadBox(ValueError):
    """A box file does not hold what the game needs."""


class NoKernels(LookupError):
    """A game has no WebAssembly module that fits it; the message says why, what then, and what its owner can do."""

    def __init__(self, message: str, brief: str) -> None:
        super().__init__(message)
        self.brief = brief
        """Without what its owner can do."""


class TimeUp(Exception):
    """A kernel was stopped before it had finished."""
