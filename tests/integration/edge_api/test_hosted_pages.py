"""Hosted pages over HTTP: tickets, resolve, pages, events (contract, section 8, Addresses of the edge)."""

import gzip
import re
import time
from typing import Any

import httpx
import msgspec
import pytest
import redis

from common.credentials import secret_key_digest
from common.ids import IdPrefix, new_id
from common.wire.public_responses import PublicScreen, ScreenType
from common.wire.redis_keys import event_stream_of
from common.wire.snapshot import SecretKeyDigest, Snapshot
from common.wire.tickets import PREVIEW_SECONDS
from publisher.compiler import compile_snapshot
from publisher.project_records import PageRecord
from tests.integration.edge_api.raw_connection import raw_connection
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.support.data.pages import MANIFEST, a_page, preview_of, ticket_of
from tests.support.data.snapshots import (
    KEY_ID,
    SECRET_KEY,
    a_snapshot,
    a_targeted_flow,
    an_overriding_flow,
    next_revision,
    publish,
    sdk_headers,
)
from tests.support.polling import eventually
from tests.unit.publisher.records import a_flow, a_project

pytestmark = pytest.mark.both_http_ways

EVENTS = {"events": [{"eventType": "flow_started", "deviceId": "phone", "eventId": "e-1"}]}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; media-src 'self'; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@pytest.fixture
def edge(lasting_edge: httpx.Client) -> httpx.Client:
    return lasting_edge


@pytest.fixture
def snapshot(redis_client: redis.Redis) -> Snapshot:
    """Return a published project with pages of its default flow."""
    published = a_snapshot(revision=7, pages=(a_page(),))
    publish(redis_client, published)
    return published


def page_path(ticket: str, flow_id: str = "flow_default", number: str = "1") -> str:
    return f"/s/{ticket}/onboarding/{flow_id}/{number}"


def assert_is_error_page(response: httpx.Response, status: int) -> None:
    """Check an error that a web view shows as it is."""
    assert response.status_code == status
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert response.headers["Content-Security-Policy"] == POLICY
    assert f'data-error="{status}"' in response.text
    assert '<button type="button" data-action="close">Close</button>' in response.text


def global_config(edge: httpx.Client, snapshot: Snapshot, key: str = SECRET_KEY, **headers: str) -> httpx.Response:
    """Request the address of flows and pages, as a published SDK does."""
    return edge.get(
        "/api/global-config", params={"apiKey": key, "projectId": snapshot.project_id}, headers=headers or None
    )


def test_published_sdk_finds_its_flow_and_page_in_three_requests(edge: httpx.Client, snapshot: Snapshot) -> None:
    found = global_config(edge, snapshot)
    assert (found.status_code, found.headers["Cache-Control"]) == (200, "no-store")
    backend = found.json()["backendDomain"]
    assert re.fullmatch(rf"http://127\.0\.0\.1:{edge.base_url.port}/s/[A-Za-z0-9_-]+", backend)
    resolved = edge.get(f"{backend}/api/onboarding/resolve?projectId={snapshot.project_id}&deviceId=phone")
    posted = edge.post("/api/onboarding/resolve", json={"deviceId": "phone"}, headers=sdk_headers(snapshot))
    assert (resolved.status_code, resolved.content) == (200, posted.content)
    page = edge.get(f"{backend}/onboarding/{resolved.json()['flowId']}/1?deviceId=phone")
    assert page.status_code == 200
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"


def test_address_is_that_of_the_custom_domain(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot(custom_domain="flows.example.com")
    publish(redis_client, snapshot)
    assert global_config(edge, snapshot).json()["backendDomain"].startswith("https://flows.example.com/s/")


def test_address_ignores_headers_of_unknown_proxies(edge: httpx.Client, snapshot: Snapshot) -> None:
    headers = {"X-Forwarded-Host": "evil.example.com", "X-Forwarded-Proto": "https"}
    found = global_config(edge, snapshot, **headers)
    assert found.json()["backendDomain"].startswith("http://127.0.0.1:")


@pytest.mark.parametrize("host", ['a"b', "a b.example.com", "<script>", "a/b", "u@h", "x" * 300])
def test_malformed_host_is_rejected(edge: httpx.Client, snapshot: Snapshot, host: str) -> None:
    assert global_config(edge, snapshot, Host=host).status_code == 400


@pytest.mark.parametrize("key", ["", "obk_sk_wrong", "ä€", "x" * 5000])
def test_wrong_key_gets_no_ticket(edge: httpx.Client, snapshot: Snapshot, key: str) -> None:
    response = global_config(edge, snapshot, key)
    assert (response.status_code, response.json()["code"]) == (401, "UNAUTHORIZED")


def test_key_in_headers_gets_no_ticket(edge: httpx.Client, snapshot: Snapshot) -> None:
    assert edge.get("/api/v1/global-config", headers=sdk_headers(snapshot)).status_code == 401


def test_ticket_of_another_project_does_not_resolve(
    edge: httpx.Client, redis_client: redis.Redis, snapshot: Snapshot
) -> None:
    other = a_snapshot()
    publish(redis_client, other)
    query = {"projectId": snapshot.project_id, "deviceId": "phone"}
    response = edge.get(f"/s/{ticket_of(other)}/api/onboarding/resolve", params=query)
    assert (response.status_code, response.json()["code"]) == (401, "UNAUTHORIZED")


@pytest.mark.parametrize(("query", "field"), [({"deviceId": "phone"}, "projectId"), ({}, "projectId")])
def test_missing_parameter_of_resolve_is_named(
    edge: httpx.Client, snapshot: Snapshot, query: dict[str, str], field: str
) -> None:
    response = edge.get(f"/s/{ticket_of(snapshot)}/api/onboarding/resolve", params=query)
    assert (response.status_code, response.json()["details"][0]["field"]) == (400, field)


@pytest.mark.parametrize("device_id", [None, "", "x" * 257])
def test_bad_device_of_resolve_is_rejected(edge: httpx.Client, snapshot: Snapshot, device_id: str | None) -> None:
    query = {"projectId": snapshot.project_id} | ({} if device_id is None else {"deviceId": device_id})
    response = edge.get(f"/s/{ticket_of(snapshot)}/api/onboarding/resolve", params=query)
    assert (response.status_code, response.json()["details"][0]["field"]) == (400, "deviceId")


def test_resolve_without_a_flow_is_404(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot(default=None)
    publish(redis_client, snapshot)
    query = {"projectId": snapshot.project_id, "deviceId": "phone"}
    response = edge.get(f"/s/{ticket_of(snapshot)}/api/onboarding/resolve", params=query)
    assert (response.status_code, response.json()["code"]) == (404, "INVALID_FLOW")


@pytest.mark.parametrize("encoding", ["gzip", "gzip, deflate, br", "identity", "gzip;q=0", "br"])
def test_page_has_the_published_bytes_and_security_headers(
    edge: httpx.Client, snapshot: Snapshot, encoding: str
) -> None:
    assert snapshot.pages is not None
    response = edge.get(page_path(ticket_of(snapshot)), headers={"Accept-Encoding": encoding})
    assert (response.status_code, response.content) == (200, gzip.decompress(snapshot.pages[0].gzip))
    assert ("Content-Encoding" in response.headers) is (encoding.startswith("gzip") and "q=0" not in encoding)
    assert response.headers["Content-Security-Policy"] == POLICY
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["Permissions-Policy"].startswith("camera=(), ")
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Vary"] == "Accept-Encoding"
    assert response.headers["X-Config-Version"] == "7"


def test_every_screen_has_the_same_page(edge: httpx.Client, snapshot: Snapshot) -> None:
    ticket = ticket_of(snapshot)
    first = edge.get(page_path(ticket)).content
    assert [edge.get(page_path(ticket, number=number)).content for number in ("2", "9999")] == [first, first]


@pytest.mark.parametrize("number", ["0", "-1", "01", "10000", "1x", "9" * 5000, "%31%0A"])
def test_page_of_a_malformed_number_is_404(edge: httpx.Client, snapshot: Snapshot, number: str) -> None:
    assert_is_error_page(edge.get(page_path(ticket_of(snapshot), number=number)), 404)


def test_unknown_and_archived_flows_are_404(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot(flow_ids=frozenset({"flow_default", "flow_archived"}), pages=(a_page(),))
    publish(redis_client, snapshot)
    for flow_id in ("flow_archived", new_id(IdPrefix.FLOW), "x", "..%2f..%2fetc"):
        assert_is_error_page(edge.get(page_path(ticket_of(snapshot), flow_id)), 404)


def test_pages_are_503_with_retry_after_until_assets_are_published(
    edge: httpx.Client, redis_client: redis.Redis
) -> None:
    snapshot = a_snapshot(pages=None)
    publish(redis_client, snapshot)
    response = edge.get(page_path(ticket_of(snapshot)))
    assert_is_error_page(response, 503)
    assert response.headers["Retry-After"] == "2"


def test_stored_page_is_503_with_retry_after_until_assets_are_loaded(edge: httpx.Client, snapshot: Snapshot) -> None:
    response = edge.get(page_path(ticket_of(snapshot)), params={"stored": "1"})
    assert_is_error_page(response, 503)
    assert response.headers["Retry-After"] == "2"


def test_qa_device_with_the_draft_gets_the_page_of_the_draft(edge: httpx.Client, redis_client: redis.Redis) -> None:
    pages = (a_page(), a_page(title="The draft", draft=True))
    override = an_overriding_flow("flow_default", "tester")
    snapshot = a_snapshot(overrides=(override,), draft_overrides=1, pages=pages)
    publish(redis_client, snapshot)
    path = page_path(ticket_of(snapshot))
    assert "The draft" in edge.get(path, params={"deviceId": "tester"}).text
    assert "The draft" not in edge.get(path, params={"deviceId": "phone"}).text


def test_preview_link_shows_its_flow_and_nothing_else(edge: httpx.Client, redis_client: redis.Redis) -> None:
    pages = (a_page(), a_page("flow_b"), a_page(title="Preview of the draft", draft=True, preview=True))
    snapshot = a_snapshot(
        flow_ids=frozenset({"flow_default", "flow_b"}), targeted=(a_targeted_flow("flow_b"),), pages=pages
    )
    publish(redis_client, snapshot)
    ticket = preview_of(snapshot)
    assert "Preview of the draft" in edge.get(page_path(ticket)).text
    assert_is_error_page(edge.get(page_path(ticket, "flow_b")), 404)
    query = {"projectId": snapshot.project_id, "deviceId": "phone"}
    assert edge.get(f"/s/{ticket}/api/onboarding/resolve", params=query).status_code == 401
    assert edge.post(f"/s/{ticket}/api/analytics/events", json=EVENTS).status_code == 401
    assert redis_client.exists(event_stream_of(snapshot.project_id, "phone")) == 0


def test_new_preview_link_is_503_until_its_page_is_published(edge: httpx.Client, snapshot: Snapshot) -> None:
    assert_is_error_page(edge.get(page_path(preview_of(snapshot))), 503)
    assert_is_error_page(edge.get(page_path(preview_of(snapshot, seconds=3600))), 404)


def test_revoked_preview_link_is_401_beside_a_newer_one(edge: httpx.Client, redis_client: redis.Redis) -> None:
    page = a_page(draft=True, preview=True, valid_from=int(time.time()) - 60)
    snapshot = a_snapshot(pages=(a_page(), page))
    publish(redis_client, snapshot)
    assert edge.get(page_path(preview_of(snapshot))).status_code == 200
    assert_is_error_page(edge.get(page_path(preview_of(snapshot, seconds=PREVIEW_SECONDS - 120))), 401)


def test_expired_preview_link_is_401(edge: httpx.Client, snapshot: Snapshot) -> None:
    assert_is_error_page(edge.get(page_path(preview_of(snapshot, seconds=0))), 401)


@pytest.mark.parametrize("ticket", ["x", "A" * 100, "A" * 5000, "%00", "..", "%2e%2e", "é"])
def test_junk_ticket_is_401_or_404_and_html(edge: httpx.Client, snapshot: Snapshot, ticket: str) -> None:
    response = edge.get(page_path(ticket))
    assert_is_error_page(response, 404 if ticket == ".." else 401)
    assert snapshot.project_id not in response.text


def test_ticket_of_an_unknown_or_deleted_project_is_401(edge: httpx.Client, redis_client: redis.Redis) -> None:
    deleted = Snapshot.tombstone(new_id(IdPrefix.PROJECT), 3)
    publish(redis_client, deleted)
    for project in (deleted, a_snapshot()):
        assert_is_error_page(edge.get(page_path(ticket_of(project))), 401)
        assert_is_error_page(edge.get(page_path(preview_of(project))), 401)


def test_ticket_ends_with_its_secret_key(edge: httpx.Client, redis_client: redis.Redis, snapshot: Snapshot) -> None:
    path = page_path(ticket_of(snapshot))
    assert edge.get(path).status_code == 200
    publish(redis_client, next_revision(snapshot, secret_keys=()))
    eventually(lambda: edge.get(path).status_code == 401)


def test_ticket_lives_through_the_grace_of_its_key_and_no_longer(edge: httpx.Client, redis_client: redis.Redis) -> None:
    def project(expires_at: float) -> Snapshot:
        key = SecretKeyDigest(KEY_ID, secret_key_digest(SECRET_KEY), expires_at)
        snapshot = a_snapshot(secret_keys=(key,), pages=(a_page(),))
        publish(redis_client, snapshot)
        return snapshot

    assert edge.get(page_path(ticket_of(project(4_000_000_000.0)))).status_code == 200
    assert_is_error_page(edge.get(page_path(ticket_of(project(1.0)))), 401)


def test_key_id_is_no_secret_key(edge: httpx.Client, snapshot: Snapshot) -> None:
    assert edge.get(page_path(ticket_of(snapshot))).status_code == 200
    assert edge.get("/api/config", headers=sdk_headers(snapshot, KEY_ID)).status_code == 401


def test_events_of_a_ticket_are_stored_with_its_key(
    edge: httpx.Client, redis_client: redis.Redis, snapshot: Snapshot
) -> None:
    response = edge.post(f"/s/{ticket_of(snapshot)}/api/analytics/events", json=EVENTS)
    assert (response.status_code, response.json()["accepted"]) == (200, 1)
    entries: Any = redis_client.xrange(event_stream_of(snapshot.project_id, "phone"))
    ((_, entry),) = entries
    assert KEY_ID.encode() in entry[b"r"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/s/{}/onboarding/flow_default/1", 405),
        ("GET", "/s/{}/onboarding/flow_default", 404),
        ("GET", "/s/{}/onboarding/", 404),
        ("GET", "/s/{}/onboarding/flow_default/1/", 404),
        ("DELETE", "/onboarding/preview", 405),
        ("GET", "/onboarding/", 404),
        ("GET", "/onboarding/assets/..%2f..%2fetc%2fpasswd", 404),
        ("GET", "/onboarding/assets/pages.js", 404),
        ("GET", "/onboarding/assets/unknown.0a1b2c3d.js", 404),
        ("PUT", "/onboarding/assets/unknown.0a1b2c3d.js", 405),
    ],
)
def test_every_error_below_onboarding_is_html(
    edge: httpx.Client, snapshot: Snapshot, method: str, path: str, status: int
) -> None:
    target = httpx.URL(str(edge.base_url)).copy_with(raw_path=path.format(ticket_of(snapshot)).encode())
    assert_is_error_page(edge.request(method, target), status)


@pytest.mark.parametrize("path", ["/s/{}/api/unknown", "/s/{}", "/s/{}/", "/s/{}/api/config"])
def test_other_errors_of_a_ticket_are_json(edge: httpx.Client, snapshot: Snapshot, path: str) -> None:
    response = edge.get(path.format(ticket_of(snapshot)))
    assert (response.status_code, response.json()["code"]) == (404, "NOT_FOUND")


@pytest.mark.parametrize(
    "rest",
    [b"X: " + b"x" * 20_000, b"Host: a\r\nHost: b", b"Transfer-Encoding: strange", b"no header"],
    ids=["too large", "two hosts", "unknown coding", "malformed"],
)
def test_rejected_request_of_a_page_is_html(edge: httpx.Client, rest: bytes) -> None:
    with raw_connection(edge) as connection:
        connection.send(b"POST /s/x/onboarding/flow_1/1 HTTP/1.1\r\nHost: x\r\n" + rest + b"\r\n\r\n")
        response = connection.response()
    assert response.status == 400
    assert b"content-type: text/html; charset=utf-8" in response.headers
    assert b'data-error="400"' in response.body


@pytest.mark.parametrize("content", [b"[]", b"{", b'{"events": []}', b"x" * 1_100_000])
def test_bad_batch_of_a_ticket_is_json(edge: httpx.Client, snapshot: Snapshot, content: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    response = edge.post(f"/s/{ticket_of(snapshot)}/api/analytics/events", content=content, headers=headers)
    assert response.status_code == (413 if len(content) > 1_000_000 else 400)
    assert response.json()["success"] is False


def test_resolve_by_ticket_records_an_exposure_and_serves_qa_devices(
    redis_url: str, redis_client: redis.Redis, edge_http: str
) -> None:
    snapshot = a_snapshot(
        flow_ids=frozenset({"flow_default", "flow_qa"}), overrides=(an_overriding_flow("flow_qa", "tester"),)
    )
    publish(redis_client, snapshot)
    with running_edge(edge_settings(redis_url, edge_http=edge_http)) as edge:
        resolve = f"/s/{ticket_of(snapshot)}/api/onboarding/resolve?projectId={snapshot.project_id}&deviceId="
        assert edge.get(resolve + "tester").json()["flowId"] == "flow_qa"
        assert edge.get(resolve + "phone").json()["flowId"] == "flow_default"
        stream = event_stream_of(snapshot.project_id, "phone")
        eventually(lambda: redis_client.xlen(stream) == 1)
        entries: Any = redis_client.xrange(stream)
        assert b"phone" in entries[0][1][b"r"]
        assert KEY_ID.encode() in entries[0][1][b"r"]


def test_page_and_resolve_have_the_language_that_matches(edge: httpx.Client, redis_client: redis.Redis) -> None:
    screen = PublicScreen(
        id="screen_1",
        type=ScreenType.WELCOME,
        name=None,
        order=0,
        content={"title": "Welcome"},
        settings={},
        localizations={"ar": {"/title": "أهلا"}},
    )
    flow = a_flow(id="flow_default", screens=(screen,))
    project = a_project(flow, default_flow_id=flow.id, locales=("en", "ar"), pages=(PageRecord(flow),))
    known = a_snapshot(revision=7)
    snapshot = msgspec.structs.replace(
        compile_snapshot(project, known.secret_keys, MANIFEST), project_id=known.project_id, revision=7
    )
    publish(redis_client, snapshot)
    path = page_path(ticket_of(snapshot))
    for query, accepted, locale in (
        ("", "fr, ar-EG;q=0.9, en;q=0.8", "ar"),
        ("?locale=en_GB", "ar", "en"),
        ("?locale=junk!", "ar", "en"),
        ("", "", "en"),
    ):
        page = edge.get(path + query, headers={"Accept-Language": accepted})
        assert (page.status_code, page.headers["Content-Language"]) == (200, locale)
        assert page.headers["Vary"] == "Accept-Encoding, Accept-Language"
        direction = "rtl" if locale == "ar" else "ltr"
        assert page.text.startswith(f'<!doctype html><html lang="{locale}" dir="{direction}">')
        assert ("أهلا" in page.text) is (locale == "ar")
    resolve = f"/s/{ticket_of(snapshot)}/api/onboarding/resolve"
    asked = {"projectId": snapshot.project_id, "deviceId": "phone", "locale": "ar_EG"}
    by_ticket = edge.get(resolve, params=asked).json()
    body = {"deviceId": "phone", "locale": "ar_EG"}
    posted = edge.post("/api/onboarding/resolve", json=body, headers=sdk_headers(snapshot)).json()
    assert by_ticket == posted
    assert (posted["locale"], posted["flow"]["locale"], posted["flow"]["direction"]) == ("ar", "ar", "rtl")
    assert posted["flow"]["screens"][0]["content"] == {"title": "أهلا"}
