"""The errors of commands: one line for the operator. A module of its own, because `--help` imports it."""

from common.errors import OnboardingError


class CommandError(OnboardingError):
    """A command cannot do its work: exit code 1."""


class NotComparedError(CommandError):
    """A comparison was not possible: exit code 2, as of `diff`, because 1 reports a difference."""
