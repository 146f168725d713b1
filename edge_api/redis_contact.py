"""Whether Redis answers, as the worker last saw it: told to whoever asks for its health, and logged when it changes."""

import structlog

_LOG = structlog.stdlib.get_logger(__name__)


class RedisContact:
    """`was_reached` stays true for good: a worker that has been able to serve goes on with what it holds."""

    def __init__(self) -> None:
        self.was_reached = False
        self.is_reachable = False

    def found(self) -> None:
        """Take note that Redis answered."""
        if not self.is_reachable:
            _LOG.info("redis_reached")
        self.was_reached = self.is_reachable = True

    def lost(self, error: Exception) -> None:
        """Take note that Redis did not answer."""
        if self.is_reachable or not self.was_reached:
            _LOG.warning("redis_not_reached", reason=type(error).__name__)
        self.is_reachable = False
