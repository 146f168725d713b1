"""What a request is counted by: its project when the credentials were right, else the client's address."""

from typing import Protocol

from common.errors import RequestError
from common.rate_limits.buckets import Bucket, Buckets
from common.rate_limits.client_addresses import ClientAddresses
from common.rate_limits.counted_paths import is_counted
from common.rate_limits.rulings import Ruling
from edge_api.answers.exchange import Exchange

_FIRST_FAILURE_OF_OURS = 500


class Limits(Protocol):
    """What rules on requests from memory."""

    @property
    def buckets(self) -> Buckets:
        """Names what a request is counted by."""
        ...

    @property
    def addresses(self) -> ClientAddresses:
        """Tells where a request comes from."""
        ...

    def take(self, bucket: Bucket) -> Ruling | None:
        """Count a request, or give None when that has to wait for a lease."""
        ...

    def look(self, bucket: Bucket) -> Ruling:
        """Tell how a client stands without counting anything."""
        ...


def project_bucket(limits: Limits, exchange: Exchange, project_id: str) -> Bucket:
    """Give what a request with right credentials is counted by."""
    return limits.buckets.of_secret_key(project_id, _address(limits, exchange))


def client_bucket(limits: Limits, exchange: Exchange) -> Bucket:
    """Give what a client without credentials is counted by."""
    return limits.buckets.of_address(_address(limits, exchange))


def stranger_bucket(limits: Limits, exchange: Exchange, error: RequestError) -> Bucket | None:
    """Give what a request that comes to nothing is counted by; None when it is not counted (any more).

    Whoever has no credential, or a wrong one, is counted by address. What failed by our own fault is looked at only,
    so that its answer has the headers.
    """
    if exchange.ruling is not None or not is_counted(exchange.path):
        return None
    bucket = client_bucket(limits, exchange)
    if error.status >= _FIRST_FAILURE_OF_OURS:
        exchange.ruling = limits.look(bucket)
        return None
    return bucket


def refused_by(ruling: Ruling, error: RequestError) -> RequestError:
    """Give the error to answer with: that the client has come too often goes before any other."""
    return ruling.refusal() or error


def _address(limits: Limits, exchange: Exchange) -> str:
    return limits.addresses.of(exchange.peer, exchange.head.forwarded_for)
