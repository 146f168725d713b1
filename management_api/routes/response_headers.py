"""The headers of every response: its id, that its type is not to be guessed (contract, section 1), nor it kept."""

import random

import falcon

from common.ids import is_safe_request_id


class ResponseHeaders:
    """Falcon middleware: names the request on the way in, and shows the name on every answer."""

    def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Keep the caller's request id or make one."""
        offered = req.get_header("X-Request-Id")
        req.context.request_id = offered if offered and is_safe_request_id(offered) else new_request_id()

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Set the headers. Falcon refuses some requests before any middleware has seen them; those get an id here."""
        request_id = req.context.get("request_id") or new_request_id()
        resp.set_headers({"X-Request-Id": request_id, "X-Content-Type-Options": "nosniff"})
        # Some answers show keys, and all are for one caller; what may be kept, like the documentation, says so itself.
        if resp.cache_control is None:
            resp.set_header("Cache-Control", "no-store")


def new_request_id() -> str:
    """Make an id for a request that has brought none: 128 random bits, which nobody need find hard to guess."""
    return f"{random.getrandbits(128):032x}"  # nosec B311 # see above
