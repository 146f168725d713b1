"""Counts every request once: by its project when the credentials were right, else by the client's address."""

from starlette.types import Scope

from common.errors import RateLimitedError, RequestError
from common.rate_limits.counted_paths import is_counted
from edge_api.answers.request_context import RequestContext
from edge_api.answers.request_head import RequestHead
from edge_api.rate_limits.rate_limits import RateLimits

_FIRST_FAILURE_OF_OURS = 500


class RequestCounting:
    """Leaves its ruling in the request's context, from where it gets into the answer's headers."""

    def __init__(self, limits: RateLimits | None) -> None:
        """Take the limits; None counts nothing."""
        self._limits = limits

    async def count_project(self, scope: Scope, head: RequestHead, context: RequestContext, project_id: str) -> None:
        """Count a request whose credentials were right. Raises RateLimitedError."""
        if self._limits is None:
            return
        bucket = self._limits.buckets.of_secret_key(project_id, self._address(self._limits, scope, head))
        context.ruling = await self._limits.admit(bucket)
        refusal = context.ruling.refusal()
        if refusal is not None:
            raise refusal

    async def count_refusal(
        self, scope: Scope, head: RequestHead, context: RequestContext, error: RequestError
    ) -> RequestError:
        """Count a request that comes to nothing, unless it is counted already, and give the error to answer with.

        Whoever has no credential, a wrong one, or asks for what is not there, is counted by address. What failed by
        our own fault is not counted.
        """
        if self._limits is None or context.ruling is not None or not is_counted(scope["path"]):
            return error
        bucket = self._limits.buckets.of_address(self._address(self._limits, scope, head))
        if error.status >= _FIRST_FAILURE_OF_OURS:
            context.ruling = self._limits.look(bucket)
            return error
        context.ruling = await self._limits.admit(bucket)
        refusal: RateLimitedError | None = context.ruling.refusal()
        return refusal or error

    @staticmethod
    def _address(limits: RateLimits, scope: Scope, head: RequestHead) -> str:
        peer = scope.get("client")
        return limits.addresses.of(peer[0] if peer else None, head.forwarded_for)
