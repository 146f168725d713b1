"""Assets of pages and the preview's shell: cached, compressed, kept through outages and restarts."""

import asyncio
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis

from common.wire.page_shell import ERROR_SCRIPT
from common.wire.redis_keys import PAGE_ASSET_NAMES, PAGE_ASSETS, page_asset_key
from edge_api.page_assets import ERROR_SCRIPT_NAME, PageAssets
from edge_api.redis_clients import asset_client
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.support.data.pages import ASSETS, MANIFEST, publish_assets
from tests.support.polling import eventually
from tests.support.servers.running_server import RunningServer

SCRIPT, STYLE, IMAGE = (f"/onboarding/assets/{name}" for name in ASSETS)


@pytest.mark.both_http_ways
@pytest.mark.parametrize(
    ("accepted", "coding"),
    [("br, gzip", "br"), ("gzip, deflate, br", "br"), ("gzip", "gzip"), ("identity", None), ("br;q=0.1, gzip", "gzip")],
)
def test_asset_is_immutable_and_compressed(
    lasting_edge: httpx.Client, redis_client: redis.Redis, accepted: str, coding: str | None
) -> None:
    publish_assets(redis_client)
    response = lasting_edge.get(SCRIPT, headers={"Accept-Encoding": accepted})
    assert (response.status_code, response.headers.get("Content-Encoding")) == (200, coding)
    assert response.content == ASSETS[MANIFEST.js]
    assert (int(response.headers["Content-Length"]) < len(response.content)) is (coding is not None)
    assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert response.headers["Vary"] == "Accept-Encoding"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "X-RateLimit-Limit" not in response.headers


def test_unknown_asset_is_found_once_it_is_published(edge: httpx.Client, redis_client: redis.Redis) -> None:
    assert edge.get(SCRIPT).status_code == 404
    publish_assets(redis_client)
    eventually(lambda: edge.get(SCRIPT).status_code == 200)


def test_unknown_assets_cost_one_read_of_the_names_a_second(private_redis_server: RunningServer) -> None:
    async def request_unknown_assets() -> None:
        client = asset_client(private_redis_server.url)
        assets = PageAssets(client, None)
        try:
            for _ in range(2):
                found = await asyncio.gather(*(assets.get(f"a.{number:08d}.js") for number in range(500)))
                assert found == [None] * 500
            assert await assets.get(MANIFEST.js) is not None
        finally:
            await client.aclose()

    with redis.Redis.from_url(private_redis_server.url) as client:
        publish_assets(client)
        client.config_resetstat()
        asyncio.run(request_unknown_assets())
        statistics: Any = client.info("commandstats")
    assert (statistics["cmdstat_zrevrange"]["calls"], statistics["cmdstat_get"]["calls"]) == (2, 1)


def test_asset_is_found_as_soon_as_its_name_is_published(redis_url: str, redis_client: redis.Redis) -> None:
    publish_assets(redis_client)
    later = "later.0a1b2c3d.js"
    with running_edge(edge_settings(redis_url)) as edge:
        assert edge.get("/onboarding/assets/unknown.0a1b2c3d.js").status_code == 404
        redis_client.copy(page_asset_key(MANIFEST.js), page_asset_key(later))
        redis_client.zadd(PAGE_ASSET_NAMES, {later: 2**32})
        assert edge.get(f"/onboarding/assets/{later}").status_code == 200


def test_asset_of_a_publisher_that_writes_no_names_is_served(edge: httpx.Client, redis_client: redis.Redis) -> None:
    publish_assets(redis_client)
    redis_client.delete(PAGE_ASSET_NAMES)
    redis_client.rename(page_asset_key(MANIFEST.js), page_asset_key("former.0a1b2c3d.js"))
    assert edge.get("/onboarding/assets/former.0a1b2c3d.js").status_code == 200


def test_damaged_asset_is_not_served(edge: httpx.Client, redis_client: redis.Redis) -> None:
    redis_client.set(page_asset_key(MANIFEST.js), b"\xff" * 50)
    redis_client.set(PAGE_ASSETS, b"{}")
    assert edge.get(SCRIPT).status_code == 404
    assert edge.get("/onboarding/preview").status_code == 503


def test_assets_are_served_after_a_restart_without_redis(private_redis_server: RunningServer, tmp_path: Path) -> None:
    settings = edge_settings(private_redis_server.url, edge_snapshot_folder=tmp_path)
    with redis.Redis.from_url(private_redis_server.url) as client:
        publish_assets(client)
    with running_edge(settings) as edge:
        # No request has asked for them: the manifest names them.
        eventually(lambda: {*ASSETS, "manifest.json"} <= {file.name for file in (tmp_path / "page-assets").glob("*")})
        assert edge.get("/onboarding/preview").status_code == 200
    private_redis_server.kill()
    with running_edge(settings) as edge:
        assert edge.get(SCRIPT).content == ASSETS[MANIFEST.js]
        assert edge.get("/onboarding/preview").status_code == 200
        # Whether there is another one cannot be determined.
        assert edge.get("/onboarding/assets/other.0a1b2c3d.js").status_code == 503


def test_folder_that_cannot_be_written_costs_the_copies_only(
    redis_url: str, redis_client: redis.Redis, tmp_path: Path
) -> None:
    publish_assets(redis_client)
    (tmp_path / "page-assets").write_text("a file in the place of the folder")
    with running_edge(edge_settings(redis_url, edge_snapshot_folder=tmp_path)) as edge:
        assert edge.get(SCRIPT).content == ASSETS[MANIFEST.js]


def test_asset_is_loaded_once_for_all_requests_that_wait(private_redis_server: RunningServer) -> None:
    async def load_together() -> None:
        client = asset_client(private_redis_server.url)
        assets = PageAssets(client, None)
        try:
            found = await asyncio.gather(*(assets.get(MANIFEST.js) for _ in range(50)))
        finally:
            await client.aclose()
        assert len({id(asset) for asset in found}) == 1

    with redis.Redis.from_url(private_redis_server.url) as client:
        publish_assets(client)
        client.config_resetstat()
        asyncio.run(load_together())
        statistics = client.info("commandstats")
    assert isinstance(statistics, dict)
    assert statistics["cmdstat_get"]["calls"] == 1


@pytest.mark.both_http_ways
def test_preview_shell_is_for_the_dashboard_alone(redis_url: str, redis_client: redis.Redis, edge_http: str) -> None:
    publish_assets(redis_client)
    settings = edge_settings(redis_url, edge_http=edge_http, dashboard_url="https://admin.example.com/dashboard/")
    with running_edge(settings) as edge:
        eventually(lambda: edge.get("/onboarding/preview").status_code == 200)
        response = edge.get("/onboarding/preview")
    assert response.headers["Content-Security-Policy"].endswith("frame-ancestors https://admin.example.com")
    assert "X-Frame-Options" not in response.headers
    assert "X-RateLimit-Limit" not in response.headers
    assert '<body data-dashboard-origin="https://admin.example.com" data-illustrations="' in response.text
    assert "{&quot;welcome&quot;:&quot;../onboarding/assets/welcome.8293a4b5.svg&quot;}" in response.text
    assert re.findall(r'(?:href|src)="([^"]+)"', response.text) == [
        f"../onboarding/assets/{MANIFEST.css}",
        f"../onboarding/assets/{MANIFEST.js}",
    ]
    assert 'id="flow"' not in response.text


def test_preview_shell_is_for_the_origin_of_the_public_url_by_default(
    redis_url: str, redis_client: redis.Redis, edge_http: str
) -> None:
    publish_assets(redis_client)
    settings = edge_settings(redis_url, edge_http=edge_http, edge_public_url="https://onboarding.example.com/base")
    with running_edge(settings) as edge:
        eventually(lambda: edge.get("/onboarding/preview").status_code == 200)
        policy = edge.get("/onboarding/preview").headers["Content-Security-Policy"]
    assert policy.endswith("frame-ancestors https://onboarding.example.com")


def test_preview_shell_without_a_public_url_is_for_the_origin_of_the_request(
    lasting_edge: httpx.Client, redis_client: redis.Redis
) -> None:
    publish_assets(redis_client)
    eventually(lambda: lasting_edge.get("/onboarding/preview").status_code == 200)
    policy = lasting_edge.get("/onboarding/preview").headers["Content-Security-Policy"]
    assert policy.endswith(f"frame-ancestors http://127.0.0.1:{lasting_edge.base_url.port}")


def test_error_without_assets_has_a_script_that_closes_the_page(edge: httpx.Client) -> None:
    page = edge.get("/s/x/onboarding/flow_1/1")
    (script,) = re.findall(r'<script type="module" src="([^"]+)">', page.text)
    loaded = edge.get(page.url.join(script))
    assert (loaded.url.path, loaded.text) == (f"/onboarding/assets/{ERROR_SCRIPT_NAME}", ERROR_SCRIPT)
