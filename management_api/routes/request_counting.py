"""Counts every request once: by its user when the credential was right, else by the client's address (contract, 1)."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import falcon

from common.errors import MalformedBodyError, RequestError
from common.rate_limit.client_address import ClientAddresses, TrustedProxies
from common.rate_limit.limiter import RateLimitDecision, RateLimitKey, RateLimitKeys, is_counted
from common.settings.shared import RateLimitSettings
from management_api.auth.authentication import CredentialKind
from management_api.operations.callers import Caller
from management_api.rate_limiter import RateLimiter
from management_api.routes.error_responses import show

NOT_HTTP = "The request is not well-formed HTTP"
#: What speaks of the answer that a refusal has taken the place of.
_HEADERS_OF_OTHER_ANSWERS = ("WWW-Authenticate", "Allow")


class RequestCounting:
    """Falcon middleware, right behind the access gate: whoever it lets through is counted before anything is done.

    Whoever it does not let through, and whoever asks for what is not there, is counted once the answer is made, and
    past the limit that answer is not given. What failed by our own fault is not counted.
    """

    def __init__(self, limits: RateLimiter, settings: RateLimitSettings) -> None:
        self._limits = limits
        self._buckets = RateLimitKeys(settings)
        self._addresses = ClientAddresses(TrustedProxies(settings.trusted_proxies))

    def process_resource(
        self, req: falcon.Request, resp: falcon.Response, resource: object, params: dict[str, Any]
    ) -> None:
        """Count a request whose caller is known. Raises RateLimitedError."""
        caller: Caller | None = req.context.get("caller")
        if caller is None:
            return
        ruling = self._limits.acquire(self._of_user(caller.user_id, req.context.credential))
        req.context.ruling = ruling
        refusal = ruling.rejection()
        if refusal is not None:
            raise refusal

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Tell the client how it stands, on every counted answer."""
        ruling: RateLimitDecision | None = req.context.get("ruling")
        if ruling is None:
            if not is_counted(req.path):
                return
            ruling = self._count_late(req, resp)
        resp.set_headers(ruling.headers())

    def reject_malformed(self, address: str) -> tuple[RequestError, Mapping[str, str]]:
        """Count a request that is not HTTP by the address of its connection. Return its error and headers."""
        decision = self._limits.acquire(self._buckets.of_address(self._addresses.find(address, None)))
        return decision.rejection() or MalformedBodyError(NOT_HTTP), decision.headers()

    def _count_late(self, request: falcon.Request, response: falcon.Response) -> RateLimitDecision:
        forwarded_for = request.get_header("X-Forwarded-For")
        address = self._addresses.find(request.env.get("REMOTE_ADDR"), forwarded_for)
        # One who asks for what is not there is known only now.
        caller: Caller | None = request.context.get("caller")
        key = (
            self._buckets.of_address(address)
            if caller is None
            else self._of_user(caller.user_id, request.context.credential)
        )
        if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return self._limits.peek(key)
        ruling = self._limits.acquire(key)
        refusal = ruling.rejection()
        if refusal is not None:
            for name in _HEADERS_OF_OTHER_ANSWERS:
                response.delete_header(name)
            show(response, refusal)
        return ruling

    def _of_user(self, user_id: str, credential: CredentialKind) -> RateLimitKey:
        if credential is CredentialKind.JWT:
            return self._buckets.of_jwt(user_id)
        return self._buckets.of_api_key(user_id)
