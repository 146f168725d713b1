"""What can go wrong with the local stack; every message is one line for the person at the terminal."""

from common.errors import OnboardingError


class StackError(OnboardingError):
    """The stack cannot start or go on."""


class NotComparedError(StackError):
    """Whether two things agree could not be told: status 2, as `diff` does it, because 1 says that they differ."""


class StillRunningError(StackError):
    """A process of an earlier run holds its lock and has yet to leave."""


class StopRequested(OnboardingError):  # noqa: N818 - not a failure: somebody asked the stack to stop
    """SIGINT, SIGTERM or SIGHUP arrived."""
