"""The snapshot format is a contract between releases: the same rows always produce the bytes of the golden files.

A test that fails has written what it got to its own folder. If the change is meant, raise FORMAT_VERSION unless old
edges read the new bytes, and put the new files in place of the old ones.
"""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import brotli
import msgspec
import orjson
import pytest
import redis
from pydantic import SecretStr

from common.rules.resolution import Choice, Source
from common.telemetry.tracing import NoSpans
from common.wire.redis_keys import snapshot_key
from common.wire.snapshot import Snapshot, decode_snapshot, encode_snapshot
from edge_api.snapshots.loaded import LoadedSnapshot
from management_api.db.engine import Database
from publisher.assets import PageAssetPublisher
from publisher.main import Publisher
from publisher.settings import PublisherSettings
from publisher.snapshot_store import SnapshotStore
from tests.contract.flows.golden_project import PROJECT_ID, REVISION, add_golden_project
from tests.support.data.pages import write_built_assets
from tests.support.databases.recycled_databases import RecycledDatabases
from tests.support.servers.running_server import RunningServer

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="module")
def published(
    recycled_databases: RecycledDatabases, redis_server: RunningServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[bytes]:
    master_key, tmp_path = "A" * 43 + "=", tmp_path_factory.mktemp("golden")
    with recycled_databases.database() as database_url, redis.Redis.from_url(redis_server.url, protocol=2) as client:
        client.flushall()
        settings = PublisherSettings(
            database_url=SecretStr(database_url),
            redis_url=SecretStr(redis_server.url),
            master_key=SecretStr(master_key),
        )
        database = Database(settings)
        with database.transaction() as session:
            add_golden_project(session, master_key)
        write_built_assets(tmp_path / "assets")
        assets = PageAssetPublisher(client, tmp_path / "assets")
        publisher = Publisher(settings, database, SnapshotStore(client), assets, NoSpans())
        assert assets.publish()
        assert publisher.publish([PROJECT_ID]) == []
        stored: Any = client.hget(snapshot_key(PROJECT_ID), "body")
        database.close()
        yield bytes(stored)


def uncompressed(snapshot: Snapshot) -> Snapshot:
    """Leave out what differs between builds of zlib and of brotli."""
    config = msgspec.structs.replace(snapshot.config, gzip=b"", brotli=b"")
    if snapshot.pages is None:
        return msgspec.structs.replace(snapshot, config=config)
    pages = tuple(
        msgspec.structs.replace(page, gzip=gzip.decompress(page.gzip) if page.gzip[:1] == b"\x1f" else page.gzip)
        for page in snapshot.pages
    )
    return msgspec.structs.replace(snapshot, config=config, pages=pages)


def equals_golden_file(actual: bytes, name: str, folder: Path) -> None:
    """Write the bytes into a folder, and compare them with a golden file."""
    (folder / name).write_bytes(actual)
    assert actual == (GOLDEN / name).read_bytes(), f"see {folder / name}"


def test_snapshot_equals_the_golden_file(published: bytes, tmp_path: Path) -> None:
    snapshot = decode_snapshot(published)
    assert snapshot.revision == REVISION
    equals_golden_file(encode_snapshot(uncompressed(snapshot)), "snapshot.msgpack", tmp_path)


def test_stored_bytes_equal_the_snapshot(published: bytes) -> None:
    assert encode_snapshot(decode_snapshot(published)) == published


def test_compressed_config_is_the_config(published: bytes) -> None:
    config = decode_snapshot(published).config
    assert gzip.decompress(config.gzip) == brotli.decompress(config.brotli) == config.body


def test_golden_snapshot_is_read_by_this_release(published: bytes) -> None:
    assert decode_snapshot((GOLDEN / "snapshot.msgpack").read_bytes()) == uncompressed(decode_snapshot(published))


def responses_of(snapshot: Snapshot) -> dict[Choice, bytes]:
    """Return the responses that an edge sends, with a token in those of variants."""
    answers = LoadedSnapshot.from_snapshot(snapshot).answers
    rules = answers.rules
    choices = [*rules.overrides.values(), *(flow.choice for flow in (*rules.targeted, *rules.for_everyone))]
    if rules.default_flow_id is not None:
        choices.append(Choice(Source.DEFAULT, rules.default_flow_id))
    responses = {choice: answers.response(choice).body + answers.response(choice).tail for choice in choices}
    for experiment in rules.experiments:
        for choice in experiment.choices.values():
            part, head, tail = answers.variant_response(choice)
            responses[choice] = b"".join((part, head, b"(token)", tail))
    return responses


def names_of(choice: Choice) -> Iterator[str]:
    yield choice.source.value
    yield choice.flow_id
    if choice.is_draft:
        yield "draft"
    if choice.assignment is not None:
        yield from (choice.assignment.experiment_id, choice.assignment.variant)


def test_snapshot_of_the_release_before_has_the_same_responses(published: bytes) -> None:
    former = decode_snapshot((GOLDEN / "snapshot-format-4.msgpack").read_bytes())
    assert former.flow_parts == ()
    assert responses_of(former) == responses_of(decode_snapshot(published))


def test_answers_are_the_golden_ones(published: bytes, tmp_path: Path) -> None:
    snapshot = decode_snapshot(published)
    responses = responses_of(snapshot)
    answers = {" ".join(names_of(choice)): orjson.loads(response) for choice, response in responses.items()}
    answers["config"] = orjson.loads(snapshot.config.body)
    # Indented, so that a change of an answer can be read in a review; the exact bytes are in the snapshot.
    equals_golden_file(orjson.dumps(answers, option=orjson.OPT_INDENT_2), "answers.json", tmp_path)
