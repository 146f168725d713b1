"""Sign-in with a real OpenID Connect provider: code and PKCE, a reload, an expired token, the end of the session."""

import base64
import secrets
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from deploy.local.loopback_ports import free_port
from tests.integration.management_api.running_service import running_service, service_environment
from tests.support.browser import watch
from tests.support.databases.recycled_databases import RecycledDatabases
from tests.support.servers.openid_provider import CLIENT_ID, running_openid_provider

pytestmark = pytest.mark.slow

#: Longer than a sign-in and a few clicks take.
_TOKEN_SECONDS = 20


@pytest.fixture(scope="module")
def origin(recycled_databases: RecycledDatabases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the origin of a management service whose users sign in at a provider."""
    folder = tmp_path_factory.mktemp("service")
    port = free_port()
    with recycled_databases.database() as database_url:
        environment = service_environment(
            database_url,
            base64.b64encode(secrets.token_bytes(32)).decode(),
            folder,
            identity_issuer=f"http://127.0.0.1:{port}",
            identity_audience="onboarding",
            dashboard_client_id=CLIENT_ID,
        )
        address = f"http://127.0.0.1:{environment['MANAGEMENT_PORT']}"
        with (
            running_openid_provider(port, address, folder / "provider.log", token_seconds=_TOKEN_SECONDS),
            running_service(environment, folder),
        ):
            yield address


@pytest.fixture
def page(browser: Browser, origin: str) -> Iterator[Page]:
    """Return a page that reaches the service and the provider only."""
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        # The page of the provider loads fonts from another host.
        context.route(lambda url: not url.startswith("http://127.0.0.1:"), lambda route: route.abort())
        problems = watch(page)
        yield page
        assert [problem for problem in problems if origin in problem and "ERR_ABORTED" not in problem] == []
        assert not any("Content Security Policy" in problem and origin in problem for problem in problems)


def _sign_in(page: Page, name: str) -> None:
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.locator("input[name=login]").fill(name)
    page.locator("input[name=password]").fill("any")
    page.locator("button[type=submit]").click()


def test_user_signs_in_at_the_provider_and_comes_back_to_the_view(page: Page, origin: str) -> None:
    view = f"{origin}/dashboard/projects?sort=name"
    page.goto(view)
    expect(page.get_by_text("Use the account of your organisation.")).to_be_visible()
    _sign_in(page, "alice")
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()
    expect(page).to_have_url(view)
    expect(page.get_by_role("button", name="Profile: alice")).to_be_visible()
    # Tokens are in memory only: a reload signs in at the provider again, which still has a session.
    assert "eyJ" not in page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    page.reload()
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()
    expect(page).to_have_url(view)

    page.get_by_role("button", name="Profile").click()
    page.get_by_role("menuitem", name="Sign out").click()
    page.locator("button[value=yes], button[autofocus]").first.click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    _sign_in(page, "carol")
    expect(page.get_by_role("button", name="Profile: carol")).to_be_visible()


def test_expired_token_is_renewed_without_losing_unsaved_work(page: Page, origin: str) -> None:
    page.goto(f"{origin}/dashboard/projects")
    _sign_in(page, "bob")
    page.get_by_role("button", name="New project").click()
    page.get_by_label("Name").fill("Unsaved app")
    page.clock.install()
    page.clock.fast_forward(_TOKEN_SECONDS * 1000)
    page.get_by_role("button", name="Create project").click()
    # The page has left for the provider and come back. Its clock stays ahead, as that of some machines does.
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page).to_have_url(f"{origin}/dashboard/projects")
    page.get_by_role("button", name="New project").click()
    expect(page.get_by_label("Name")).to_have_value("Unsaved app")

    page.context.clear_cookies()
    page.reload()
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
