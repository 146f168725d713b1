"""Assets of pages in Redis: written before the pages that link to them, and followed while the publisher runs."""

import gzip
import time
from pathlib import Path
from typing import Any

import msgspec
import redis

from common.telemetry.tracing import NoSpans
from common.wire.page_assets import AssetManifest, PageAsset, decode_asset, decode_manifest
from common.wire.redis_keys import PAGE_ASSET_NAMES, PAGE_ASSETS, SNAPSHOT_FORMAT, page_asset_key
from common.wire.snapshot import CONTENT_VERSION
from management_api.db.engine import Database
from publisher.assets import PageAssetPublisher
from publisher.main import Publisher
from publisher.settings import PublisherSettings
from publisher.snapshot_store import SnapshotStore
from tests.integration.publisher.published import stored_body, stored_snapshot
from tests.integration.publisher.test_running_publisher import running
from tests.support.data.pages import ASSETS, MANIFEST, write_built_assets
from tests.support.data.rows import add_flow, add_project, add_screen
from tests.support.polling import eventually
from tests.support.servers.running_server import RunningServer

LATER = {"pages.ffffffff.js": b"later()", "pages.4e5f6071.css": ASSETS["pages.4e5f6071.css"]}


def add_project_with_flow(database: Database) -> str:
    """Add a project with an active flow, which waits for its publication."""
    with database.transaction() as session:
        project = add_project(session)
        add_screen(session, add_flow(session, project))
        return project.id


def noted(client: redis.Redis) -> AssetManifest | None:
    """Return the manifest in Redis."""
    stored: Any = client.get(PAGE_ASSETS)
    return None if stored is None else decode_manifest(stored)


def stored_asset(client: redis.Redis, name: str) -> PageAsset | None:
    """Return an asset of Redis."""
    stored: Any = client.get(page_asset_key(name))
    return None if stored is None else decode_asset(stored)


def only_page(client: redis.Redis, project_id: str) -> str:
    """Return the HTML of the only page of a project; an empty text without one."""
    if stored_body(client, project_id) is None:
        return ""
    pages = stored_snapshot(client, project_id).pages
    return gzip.decompress(pages[0].gzip).decode() if pages else ""


def test_assets_are_in_redis_with_their_compressed_forms(
    publisher: Publisher, redis_client: redis.Redis, assets_folder: Path
) -> None:
    write_built_assets(assets_folder)
    assert publisher.publish_assets()
    for name, body in ASSETS.items():
        asset = stored_asset(redis_client, name)
        assert asset is not None
        assert (asset.body, gzip.decompress(asset.gzip)) == (body, body)
        remaining: Any = redis_client.ttl(page_asset_key(name))
        assert remaining > 90 * 24 * 60 * 60
    assert set(redis_client.zrange(PAGE_ASSET_NAMES, 0, -1)) == {name.encode() for name in ASSETS}
    assert not publisher.publish_assets()


def test_names_of_assets_expire_and_those_of_the_release_before_are_kept(
    publisher: Publisher, redis_client: redis.Redis, assets_folder: Path
) -> None:
    former = AssetManifest(js="a.0a1b2c3d.js", css="a.0a1b2c3d.css", files=("a.0a1b2c3d.js", "a.0a1b2c3d.css"))
    redis_client.set(PAGE_ASSETS, msgspec.json.encode(former))
    redis_client.zadd(PAGE_ASSET_NAMES, {"expired.0a1b2c3d.js": time.time() - 1})
    write_built_assets(assets_folder)
    publisher.publish_assets()
    assert set(redis_client.zrange(PAGE_ASSET_NAMES, 0, -1)) == {name.encode() for name in (*ASSETS, *former.files)}


def test_pages_appear_when_the_build_ends_after_the_start(
    settings: PublisherSettings, database: Database, redis_client: redis.Redis, assets_folder: Path
) -> None:
    project_id = add_project_with_flow(database)
    with running(settings, assets_folder):
        eventually(lambda: stored_body(redis_client, project_id) is not None)
        before = stored_snapshot(redis_client, project_id)
        assert before.pages is None
        write_built_assets(assets_folder)
        eventually(lambda: MANIFEST.js in only_page(redis_client, project_id))
        after = stored_snapshot(redis_client, project_id)
        # Edges take a snapshot of a higher revision only.
        assert after.revision == before.revision + 1
        eventually(lambda: redis_client.get(SNAPSHOT_FORMAT) == str(CONTENT_VERSION).encode())


def test_pages_follow_a_later_build_and_former_assets_stay(
    settings: PublisherSettings, database: Database, redis_client: redis.Redis, assets_folder: Path
) -> None:
    project_id = add_project_with_flow(database)
    write_built_assets(assets_folder)
    with running(settings, assets_folder):
        eventually(lambda: MANIFEST.js in only_page(redis_client, project_id))
        write_built_assets(assets_folder, LATER)
        eventually(lambda: "pages.ffffffff.js" in only_page(redis_client, project_id))
    assert stored_asset(redis_client, MANIFEST.js) is not None


def test_projects_are_published_while_the_server_of_the_assets_is_away(
    settings: PublisherSettings,
    database: Database,
    redis_client: redis.Redis,
    private_redis_server: RunningServer,
    assets_folder: Path,
) -> None:
    write_built_assets(assets_folder)
    with redis.Redis.from_url(private_redis_server.url) as of_assets:
        assets = PageAssetPublisher(of_assets, assets_folder)
        publisher = Publisher(settings, database, SnapshotStore(redis_client), assets, NoSpans())
        assert publisher.publish_assets()
        private_redis_server.kill()
        project_id = add_project_with_flow(database)
        assert not publisher.publish_assets()
        assert publisher.publish_batch() == 1
    assert MANIFEST.js in only_page(redis_client, project_id)


def test_later_build_beside_a_loss_of_redis_reaches_running_edges(
    publisher: Publisher, database: Database, redis_client: redis.Redis, assets_folder: Path
) -> None:
    project_id = add_project_with_flow(database)
    assert publisher.publish_batch() == 1
    redis_client.flushall()
    write_built_assets(assets_folder, LATER)
    assert publisher.publish_assets()
    assert [progress.failed for progress in publisher.rebuild()] == [0]
    # An edge has revision 1, and takes a higher one only.
    assert stored_snapshot(redis_client, project_id).revision == 2
    redis_client.flushall()
    assert not publisher.publish_assets()
    assert noted(redis_client) is not None


def test_incomplete_build_is_not_used(publisher: Publisher, redis_client: redis.Redis, assets_folder: Path) -> None:
    write_built_assets(assets_folder)
    (assets_folder / f"{MANIFEST.js}.br").unlink()
    assert not publisher.publish_assets()
    (assets_folder / "manifest.json").write_text(
        '{"js": "../x.js", "css": "../x.css", "files": ["../x.js", "../x.css"]}'
    )
    assert not publisher.publish_assets()
    assert noted(redis_client) is None
    write_built_assets(assets_folder)
    assert publisher.publish_assets()


def test_older_release_leaves_a_newer_manifest_and_links_to_its_own_assets(
    redis_client: redis.Redis, tmp_path: Path
) -> None:
    write_built_assets(tmp_path / "new", LATER)
    write_built_assets(tmp_path / "old")
    newer = PageAssetPublisher(redis_client, tmp_path / "new", "0.10.0")
    older = PageAssetPublisher(redis_client, tmp_path / "old", "0.9.0")
    assert older.publish()
    older.note()
    assert newer.publish()
    newer.note()
    assert not older.publish()
    assert older.manifest is not None
    assert older.manifest.js == MANIFEST.js
    manifest = noted(redis_client)
    assert manifest is not None
    assert manifest.js == "pages.ffffffff.js"
    assert stored_asset(redis_client, MANIFEST.js) is not None


def test_publishers_of_one_release_with_other_builds_do_not_alternate(
    redis_client: redis.Redis, tmp_path: Path
) -> None:
    write_built_assets(tmp_path / "a")
    write_built_assets(tmp_path / "b", LATER)
    publishers = [PageAssetPublisher(redis_client, tmp_path / name) for name in ("a", "b")]
    rounds = []
    for _ in range(4):
        for publisher in publishers:
            is_new = publisher.publish()
            if is_new:
                publisher.note()
            rounds.append(is_new)
    assert rounds == [True, True, *[False] * 6]


def test_assets_return_after_redis_has_lost_its_data(
    settings: PublisherSettings, database: Database, redis_client: redis.Redis, assets_folder: Path
) -> None:
    project_id = add_project_with_flow(database)
    write_built_assets(assets_folder)
    with running(settings, assets_folder):
        eventually(lambda: MANIFEST.js in only_page(redis_client, project_id))
        redis_client.flushall()
        eventually(lambda: MANIFEST.js in only_page(redis_client, project_id))
        eventually(lambda: noted(redis_client) is not None)
        assert stored_asset(redis_client, MANIFEST.js) is not None


def test_publisher_without_assets_links_to_those_in_redis(
    publisher: Publisher, redis_client: redis.Redis, tmp_path: Path, database: Database
) -> None:
    write_built_assets(tmp_path / "other")
    other = PageAssetPublisher(redis_client, tmp_path / "other")
    assert other.publish()
    other.note()
    project_id = add_project_with_flow(database)
    assert not publisher.publish_assets()
    assert publisher.publish([project_id]) == []
    assert MANIFEST.js in only_page(redis_client, project_id)


def test_rebuild_is_repeated_after_a_crash_in_the_middle(
    settings: PublisherSettings,
    database: Database,
    redis_client: redis.Redis,
    assets_folder: Path,
    publisher: Publisher,
) -> None:
    project_id = add_project_with_flow(database)
    assert publisher.publish([project_id]) == []
    write_built_assets(assets_folder)
    # The process ends after it has noted the assets.
    assert publisher.publish_assets()
    with running(settings, assets_folder):
        eventually(lambda: MANIFEST.js in only_page(redis_client, project_id))
