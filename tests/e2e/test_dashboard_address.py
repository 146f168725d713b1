"""The dashboard at its address behind the gateway (dashboard, Frame); the tests of the browser open it directly."""

import httpx

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
    }
