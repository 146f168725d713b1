"""The errors of the local stack; each message is one line for the terminal."""

from common.errors import OnboardingError


class StackError(OnboardingError):
    """The stack cannot start or continue."""


class StillRunningError(StackError):
    """A process of an earlier run still has its lock."""


class StopRequested(OnboardingError):  # noqa: N818 - a request to stop is no failure
    """SIGINT, SIGTERM or SIGHUP arrived."""
