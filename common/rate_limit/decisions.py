"""What the limiter says of one request, and how an answer tells the client (contract, section 1, Rate limits)."""

import msgspec

from common.errors import RateLimitedError

LIMIT_HEADER = "X-RateLimit-Limit"
REMAINING_HEADER = "X-RateLimit-Remaining"
RESET_HEADER = "X-RateLimit-Reset"


class RateLimitDecision(msgspec.Struct, frozen=True, gc=False):
    """Whether a request is admitted, and how the client stands after it.

    `resets_at` is the Unix second at which the window ends that `ruled_at`, a Unix time, lies in.
    """

    is_admitted: bool
    limit: int
    remaining: int
    resets_at: int
    ruled_at: float

    @property
    def retry_after(self) -> int:
        """In how many whole seconds to come again: never less than one, as the window contains the moment."""
        return self.resets_at - int(self.ruled_at)

    def refusal(self) -> RateLimitedError | None:
        """Give the error that answers the request in place of anything else, or None when it is admitted."""
        return None if self.is_admitted else RateLimitedError(self.retry_after)

    def headers(self) -> dict[str, str]:
        """Give the headers that every counted answer carries."""
        return {
            LIMIT_HEADER: str(self.limit),
            REMAINING_HEADER: str(self.remaining),
            RESET_HEADER: str(self.resets_at),
        }
