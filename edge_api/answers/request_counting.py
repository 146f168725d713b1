"""What a request is counted by: its project when the credentials were right, else the client's address."""

from typing import Protocol

from common.errors import RequestError
from common.rate_limit.client_address import ClientAddresses
from common.rate_limit.keys import RateLimitKey, RateLimitKeys, is_counted
from common.rate_limit.limiter import RateLimitDecision
from edge_api.answers.exchange import RequestContext

_FIRST_FAILURE_OF_OURS = 500


class Limits(Protocol):
    """What rules on requests from memory."""

    @property
    def keys(self) -> RateLimitKeys:
        """Names what a request is counted by."""
        ...

    @property
    def addresses(self) -> ClientAddresses:
        """Tells where a request comes from."""
        ...

    def try_acquire(self, key: RateLimitKey) -> RateLimitDecision | None:
        """Count a request, or give None when that has to wait for a lease."""
        ...

    def peek(self, key: RateLimitKey) -> RateLimitDecision:
        """Tell how a client stands without counting anything."""
        ...


def project_key(limits: Limits, exchange: RequestContext, project_id: str) -> RateLimitKey:
    """Give what a request with right credentials is counted by."""
    return limits.keys.of_secret_key(project_id, _address(limits, exchange))


def client_key(limits: Limits, exchange: RequestContext) -> RateLimitKey:
    """Give what a client without credentials is counted by."""
    return limits.keys.of_address(_address(limits, exchange))


def anonymous_key(limits: Limits, exchange: RequestContext, error: RequestError) -> RateLimitKey | None:
    """Give what a request that comes to nothing is counted by; None when it is not counted (any more).

    Whoever has no credential, or a wrong one, is counted by address. What failed by our own fault is looked at only,
    so that its answer has the headers.
    """
    if exchange.ruling is not None or not is_counted(exchange.path):
        return None
    key = client_key(limits, exchange)
    if error.status >= _FIRST_FAILURE_OF_OURS:
        exchange.ruling = limits.peek(key)
        return None
    return key


def rate_limit_or(ruling: RateLimitDecision, error: RequestError) -> RequestError:
    """Give the error to answer with: that the client has come too often goes before any other."""
    return ruling.rejection() or error


def _address(limits: Limits, exchange: RequestContext) -> str:
    return limits.addresses.find(exchange.peer, exchange.head.forwarded_for)
