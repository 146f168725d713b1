"""An OpenID Connect provider from a package, as a child process: it can be stopped, frozen and restarted."""

import contextlib
import os
import secrets
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx

from deploy.local.loopback_ports import LOOPBACK, free_port
from tests.support.polling import eventually

CLIENT_ID = "onboarding-dashboard"
_REDIRECT = "http://dashboard.test/callback"


class IdentityProvider:
    """`oidc-provider-mock` on a fixed port; each start creates a new signing key."""

    def __init__(self, log_file: Path) -> None:
        self._log_file = log_file
        self._port = free_port()
        self.issuer = f"http://{LOOPBACK}:{self._port}"
        # Ignore the proxy settings of the environment.
        self._client = httpx.Client(base_url=self.issuer, trust_env=False, timeout=10)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self._client.close()

    def start(self) -> None:
        """Start the provider and wait until it responds."""
        with self._log_file.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - a fixed program
                [sys.executable, "-m", "oidc_provider_mock", "--host", LOOPBACK, "--port", str(self._port)],
                env={"PATH": os.environ["PATH"]},
                stdout=log,
                stderr=log,
            )
        eventually(self._is_ready, within=30)

    def stop(self) -> None:
        """Kill the provider, also a frozen one."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def freeze(self) -> None:
        """Stop the process with SIGSTOP: connections are accepted and get no response."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def sign_in(self, subject: str, **claims: object) -> str:
        """Execute the authorization code flow as a user; return the ID token."""
        self._client.put(f"/users/{subject}", json=claims).raise_for_status()
        parameters = {
            "response_type": "code",
            "client_id": CLIENT_ID,
            "redirect_uri": _REDIRECT,
            "scope": "openid email profile",
            "state": secrets.token_hex(8),
        }
        consent = self._client.post("/oauth2/authorize", params=parameters, data={"sub": subject})
        code = httpx.URL(consent.headers["location"]).params["code"]
        response = self._client.post(
            "/oauth2/token",
            data={"grant_type": "authorization_code", "code": code, "redirect_uri": _REDIRECT},
            auth=(CLIENT_ID, "any secret"),
        )
        token: str = response.raise_for_status().json()["id_token"]
        return token

    def _is_ready(self) -> bool:
        with contextlib.suppress(httpx.TransportError):
            return self._client.get("/.well-known/openid-configuration").status_code == httpx.codes.OK
        return False
