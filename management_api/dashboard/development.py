"""The sign-in of a demo: a short link, whose code only the one who has the token can know."""

import hashlib
import hmac

import falcon
from pydantic import SecretStr

from common.errors import ErrorCode, NotFoundError
from management_api.http.responses import RawResponse
from management_api.http.routing import endpoint

_CODE_LENGTH = 12


def sign_in_path(token: str) -> str:
    """Return the path of the link for a token."""
    return f"/dashboard/sign-in/{_code(token)}"


class DevelopmentSignIn:
    """GET /dashboard/sign-in/{code}, where ONBOARDING_DASHBOARD_DEVELOPMENT_TOKEN is set."""

    def __init__(self, token: SecretStr) -> None:
        self._token = token.get_secret_value()

    @endpoint("sign_in_to_demo", RawResponse(("text/html",)), status=302, errors=[ErrorCode.NOT_FOUND])
    def on_get(self, _request: falcon.Request, response: falcon.Response, code: str) -> None:
        """Go to the dashboard with the token in the fragment, which no server or log receives."""
        if not hmac.compare_digest(code.encode(), _code(self._token).encode()):
            raise NotFoundError("Not found")
        response.cache_control = ["no-store"]
        response.set_header("Location", f"../#token={self._token}")


def _code(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()[:_CODE_LENGTH]
