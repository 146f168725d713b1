"""The dashboard's files: forms, caching, paths, and what its page may load (contract, section 9)."""

import gzip
from pathlib import Path

import falcon
import pytest
from falcon.testing import TestClient
from pydantic import ValidationError

from management_api.dashboard.development import sign_in_path
from management_api.dashboard.files import DashboardFiles, accepted_encodings
from management_api.dashboard.resources import DashboardPage, content_security_policy, dashboard_config
from management_api.http.errors import ErrorResponses
from management_api.http.routes import dashboard_routes
from management_api.http.routing import HeadOptionsRouter
from management_api.settings import ManagementSettings
from tests.support.data.assignment_keys import ASSIGNMENT_KEYS

SCRIPT = b"console.log('hello')" * 50


def make_settings(**given: object) -> ManagementSettings:
    required = {
        "database_url": "postgresql://nobody@nowhere/none",
        "master_key": "A" * 43 + "=",
        "assignment_keys": ASSIGNMENT_KEYS,
        "identity_audience": "onboarding",
        "identity_issuer": "https://id.example.com/realms/shop",
    }
    return ManagementSettings.model_validate({**required, **given})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with built files, and a file beside it that is none of them."""
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html><title>Dashboard</title>")
    (static / "favicon.svg").write_text("<svg/>")
    (static / "assets" / "main.1a2b.js").write_bytes(SCRIPT)
    (static / "assets" / "main.1a2b.js.gz").write_bytes(gzip.compress(SCRIPT, mtime=0))
    (static / "assets" / "main.1a2b.js.br").write_bytes(b"brotli")
    (static / "assets" / ".hidden.js").write_text("hidden")
    (tmp_path / "secret.txt").write_text("secret")
    return static


@pytest.fixture
def client(folder: Path) -> TestClient:
    app = falcon.App(router=HeadOptionsRouter())
    ErrorResponses(()).attach(app)
    page = DashboardPage(make_settings(edge_public_url="https://edge.example.com/base"), DashboardFiles(folder))
    app.add_route("/dashboard/", page)
    app.add_route("/dashboard/{path:path}", page)
    return TestClient(app)


@pytest.mark.parametrize("path", ["", "projects/proj_1/flows", "sign-in", "projects/a.b", "index.html"])
def test_views_of_the_page_are_the_index_that_is_checked_each_time(client: TestClient, path: str) -> None:
    response = client.simulate_get(f"/dashboard/{path}")
    assert (response.status_code, response.headers["cache-control"]) == (200, "no-cache")
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["cross-origin-opener-policy"] == "same-origin"
    assert "<title>Dashboard" in response.text


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, deflate, br", "br"), ("gzip", "gzip"), ("br;q=0, *", "gzip"), ("identity", None), ("", None)],
)
def test_assets_are_immutable_and_sent_in_the_best_form(
    client: TestClient, accepted: str, encoding: str | None
) -> None:
    response = client.simulate_get("/dashboard/assets/main.1a2b.js", headers={"Accept-Encoding": accepted})
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert response.headers["content-type"] == "text/javascript; charset=utf-8"
    assert response.headers["vary"] == "Accept-Encoding"
    assert response.headers.get("content-encoding") == encoding
    assert response.content == {"br": b"brotli", "gzip": gzip.compress(SCRIPT, mtime=0), None: SCRIPT}[encoding]


def test_files_have_a_tag_for_each_form(client: TestClient) -> None:
    path = "/dashboard/assets/main.1a2b.js"
    tags = {
        accepted: client.simulate_get(path, headers={"Accept-Encoding": accepted}).headers["etag"]
        for accepted in ("br", "gzip", "identity")
    }
    assert len(set(tags.values())) == 3
    for accepted, tag in tags.items():
        for known, status in ((tag, 304), (f'"other", W/{tag}', 304), ("*", 304), ('"other"', 200)):
            response = client.simulate_get(path, headers={"Accept-Encoding": accepted, "If-None-Match": known})
            assert (response.status_code, response.headers["etag"]) == (status, tag)
            assert (response.content == b"") == (status == 304)


def test_head_has_the_headers_of_get(client: TestClient) -> None:
    for path in ("", "assets/main.1a2b.js"):
        got, asked = client.simulate_get(f"/dashboard/{path}"), client.simulate_head(f"/dashboard/{path}")
        assert (asked.status_code, asked.headers, asked.content) == (200, got.headers, b"")


@pytest.mark.parametrize(
    "path",
    [
        *("assets/other.js", "assets/", "assets/main.1a2b.js.br", "assets/.hidden.js", "assets/../index.html"),
        *("assets/..%2f..%2fsecret.txt", "assets/a/b.js", "assets/main.1a2b.js%00.js", "assets//etc/passwd"),
    ],
)
def test_other_assets_are_404(client: TestClient, path: str) -> None:
    assert client.simulate_get(f"/dashboard/{path}").status_code == 404


@pytest.mark.parametrize(
    "path", ["../secret.txt", "..%2fsecret.txt", "%2fetc%2fpasswd", "a/../../secret.txt", "..\\secret.txt"]
)
def test_no_path_leads_out_of_the_folder(client: TestClient, path: str) -> None:
    assert "secret" not in client.simulate_get(f"/dashboard/{path}").text


def test_page_without_its_files_says_so_and_waits_for_them(client: TestClient, folder: Path) -> None:
    (folder / "index.html").rename(folder / "later.html")
    for path in ("", "projects"):
        response = client.simulate_get(f"/dashboard/{path}")
        assert (response.status_code, response.headers["retry-after"]) == (503, "5")
        assert response.headers["content-type"] == "text/html; charset=utf-8"
        assert "The dashboard is not built yet" in response.text
    (folder / "later.html").rename(folder / "index.html")
    assert client.simulate_get("/dashboard/").status_code == 200


def test_page_may_load_from_this_origin_the_provider_and_the_edge_alone(client: TestClient) -> None:
    assert client.simulate_get("/dashboard/").headers["content-security-policy"] == (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' https://edge.example.com data:; "
        "connect-src 'self' https://id.example.com; frame-src https://edge.example.com; object-src 'none'; "
        "base-uri 'none'; frame-ancestors 'none'"
    )
    policy = content_security_policy(make_settings(dashboard_identity_origins="https://token.example.com/oauth"))
    assert "connect-src 'self' https://id.example.com https://token.example.com; frame-src 'self';" in policy
    assert "connect-src 'self'; " in content_security_policy(make_settings(identity_issuer="development"))


def test_configuration_of_the_page_has_no_secret() -> None:
    config = dashboard_config(make_settings(dashboard_client_id="dashboard"))
    assert config.keys() == {
        "issuer",
        "client_id",
        "scopes",
        "translates",
        "edge_url",
        "release",
        "development_identity",
    }
    assert (config["issuer"], config["client_id"]) == ("https://id.example.com/realms/shop", "dashboard")
    local = dashboard_config(make_settings(identity_issuer="development", dashboard_development_sign_in=True))
    assert (local["issuer"], local["development_identity"]) == (None, True)


def test_origin_of_the_provider_must_be_a_url() -> None:
    with pytest.raises(ValidationError):
        make_settings(dashboard_identity_origins="https://a.example; script-src *")


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("gzip, br", {"gzip", "br"}),
        ("GZIP;q=0.5", {"gzip"}),
        ("gzip;q=0.0, br;q=1.0", {"br"}),
        ("*;q=0", set()),
        ("br;q=high", set()),
    ],
)
def test_encodings_with_a_weight_of_zero_are_not_accepted(header: str, expected: set[str]) -> None:
    assert accepted_encodings(header) == expected


def test_link_of_a_demo_signs_in_and_a_guess_does_not() -> None:
    app = falcon.App(router=HeadOptionsRouter())
    ErrorResponses(()).attach(app)
    for route in dashboard_routes(make_settings(dashboard_development_token="a.b.c")):
        app.add_route(route.template, route.resource)
    client = TestClient(app)
    found = client.simulate_get(sign_in_path("a.b.c"))
    assert (found.status_code, found.headers["Location"]) == (302, "../#token=a.b.c")
    assert found.headers["Cache-Control"] == "no-store"
    assert client.simulate_get("/dashboard/sign-in/0123456789ab").status_code == 404
    # Without a token the path is a view of the dashboard, as any other.
    assert "/dashboard/sign-in/{code}" not in {route.template for route in dashboard_routes(make_settings())}


def test_development_sign_in_is_a_warning_of_the_start() -> None:
    assert make_settings().start_warnings() == ()
    for given in ({"dashboard_development_sign_in": True}, {"dashboard_development_token": "a.b.c"}):
        assert len(make_settings(**given).start_warnings()) == 1
