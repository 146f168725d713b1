"""The dashboard at its address behind the gateway (contract, section 9); the tests of the browser open it directly."""

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from deploy.local.state_folder import StateFolder
from management_api.dashboard.development import sign_in_path
from tests.e2e.addresses import Addresses
from tests.support.servers.local_stack import RunningStack


def test_dashboard_is_at_its_address_with_the_policy_of_the_stack(addresses: Addresses, stack: RunningStack) -> None:
    with httpx.Client(follow_redirects=True) as browser:
        page = browser.get(f"{addresses.management_url}/dashboard")
        assert page.url == f"{addresses.management_url}/dashboard/"
        # 503: the files are not built in this clone.
        assert page.status_code in {200, 503}
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert f"connect-src 'self'; frame-src {stack.edge_url};" in page.headers["content-security-policy"]
        config = browser.get(f"{addresses.management_url}/dashboard/config.json").json()
    assert config.pop("release")
    assert config == {
        "issuer": None,
        "client_id": None,
        "scopes": "openid email profile",
        "edge_url": stack.edge_url,
        "development_identity": True,
        "translates": False,
    }


@pytest.mark.slow
def test_demo_of_compose_finds_its_project_and_its_link_signs_in(
    addresses: Addresses, stack: RunningStack, tmp_path: Path
) -> None:
    """The commands of the profile `demo`, with the key pair of the running stack."""
    identity = StateFolder(stack.state_folder).subfolder("identity")
    (tmp_path / "private.pem").write_bytes((identity / "private.pem").read_bytes())
    _demo("prepare", f"--folder={tmp_path}")
    assert (tmp_path / "jwks.json").read_bytes() == (identity / "jwks.json").read_bytes()
    published = f"--published={addresses.management_url.removeprefix('http://')}"
    lines = _demo("seed", f"--folder={tmp_path}", f"--management-url={stack.management_url}", published).splitlines()
    assert stack.demo["project_id"] in lines[0]
    token = (tmp_path / "token").read_text()
    assert lines[-1] == f"Open {addresses.management_url}{sign_in_path(token)}"
    with httpx.Client(base_url=addresses.management_url) as browser:
        # The stack was started with another token, and so has another link.
        assert browser.get(sign_in_path(token)).status_code == 404
        found = browser.get(sign_in_path(stack.demo["jwt"]))
    assert (found.status_code, found.headers["Location"]) == (302, f"../#token={stack.demo['jwt']}")


def _demo(*arguments: str) -> str:
    command = [sys.executable, "-P", "-m", "cli.main", "demo", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603 - our own program
