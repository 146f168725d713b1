"""The errors of commands: one line for the operator. A module of its own, because `--help` imports it."""

from common.errors import OnboardingError

#: The exit statuses of commands, besides 0.
FAILURE, USAGE_ERROR, UNAVAILABLE = 1, 2, 3


class CommandError(OnboardingError):
    """A command cannot do its work: exit status FAILURE."""


class ServerUnavailableError(CommandError):
    """A server did not respond: exit status UNAVAILABLE. The command may succeed later."""


class NotComparedError(CommandError):
    """A comparison was not possible: exit status 2, as of `diff`, because 1 reports a difference."""
