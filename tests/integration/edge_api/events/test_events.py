"""Events over HTTP are durable in the streams of a real Valkey before they are acknowledged."""

import concurrent.futures
from typing import Any

import httpx
import redis

from common.wire.redis_keys import EVENT_FIELD, event_streams
from common.wire.stream_records import EventRecord, ExposureRecord, StreamRecord, decode_record
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.support.data.snapshots import KEY_ID, a_snapshot, publish, sdk_headers
from tests.support.polling import eventually
from tests.support.servers.running_server import RunningServer

EVENT = {"eventType": "flow_started", "deviceId": "phone"}


def records(client: redis.Redis) -> list[StreamRecord]:
    streams: list[Any] = [client.xrange(stream) for stream in event_streams()]
    return [decode_record(entry[EVENT_FIELD.encode()]) for stream in streams for _, entry in stream]


def test_acknowledged_event_is_in_the_stream(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    event = {
        **EVENT,
        "eventId": "mine",
        "flowId": "flow_default",
        "timestamp": "2026-01-02T03:04:05.678Z",
        "properties": {"step": 1},
    }
    response = edge.post("/api/analytics/event", headers=sdk_headers(snapshot), json=event)
    assert (response.status_code, response.json()) == (201, {"success": True, "eventId": "mine"})
    (record,) = records(redis_client)
    assert isinstance(record, EventRecord)
    assert (record.project_id, record.event_id, record.occurred_at_ms, record.properties, record.secret_key_id) == (
        snapshot.project_id,
        "mine",
        1767323045678,
        {"step": 1},
        KEY_ID,
    )


def used_streams(client: redis.Redis) -> list[int]:
    """Return the number of entries of each stream that has any."""
    return [length for stream in event_streams() if (length := int(client.xlen(stream)))]


def test_batch_of_several_devices_is_stored_in_one_stream(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    events = [{**EVENT, "deviceId": f"device {number}"} for number in range(40)]
    response = edge.post("/api/analytics/events", headers=sdk_headers(snapshot), json={"events": events})
    assert response.status_code == 200
    assert used_streams(redis_client) == [40]


def test_batch_is_stored_in_one_transaction(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    redis_client.config_resetstat()
    response = edge.post("/api/analytics/events", headers=sdk_headers(snapshot), json={"events": [EVENT] * 500})
    assert (response.status_code, response.json()["accepted"]) == (200, 500)
    assert redis_client.info("commandstats")["cmdstat_exec"]["calls"] == 1
    assert len(records(redis_client)) == 500


def test_resolve_is_recorded_once_as_exposure(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    for device in ("phone", "phone", "tablet"):
        edge.post("/api/onboarding/resolve", headers=sdk_headers(snapshot), json={"deviceId": device})
    eventually(lambda: len(records(redis_client)) == 2)
    devices = [record.device_id for record in records(redis_client) if isinstance(record, ExposureRecord)]
    assert sorted(devices) == ["phone", "tablet"]


def test_disabled_exposures_are_not_recorded(redis_url: str, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    with running_edge(edge_settings(redis_url, record_exposures=False)) as edge:
        edge.post("/api/onboarding/resolve", headers=sdk_headers(snapshot), json={"deviceId": "phone"})
    assert records(redis_client) == []


def test_waiting_records_are_stored_before_the_edge_ends(redis_url: str, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    with running_edge(edge_settings(redis_url)) as edge:
        edge.post("/api/onboarding/resolve", headers=sdk_headers(snapshot), json={"deviceId": "phone"})
    assert len(records(redis_client)) == 1


def test_acknowledged_events_of_concurrent_clients_are_stored(edge: httpx.Client, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)

    def post(number: int) -> str:
        event = {**EVENT, "eventId": f"event-{number}"}
        response = edge.post("/api/analytics/event", headers=sdk_headers(snapshot), json=event)
        assert response.status_code == 201
        return str(response.json()["eventId"])

    with concurrent.futures.ThreadPoolExecutor(16) as threads:
        acknowledged = set(threads.map(post, range(200)))
    stored = [record.event_id for record in records(redis_client) if isinstance(record, EventRecord)]
    assert len(stored) == 200
    assert set(stored) == acknowledged


def test_event_that_redis_rejects_is_not_acknowledged(private_redis_server: RunningServer) -> None:
    with redis.Redis.from_url(private_redis_server.url) as client:
        snapshot = a_snapshot()
        publish(client, snapshot)
        with running_edge(edge_settings(private_redis_server.url, record_exposures=False)) as edge:
            assert edge.post("/api/analytics/event", headers=sdk_headers(snapshot), json=EVENT).status_code == 201
            client.config_set("maxmemory", 1)
            single = edge.post("/api/analytics/event", headers=sdk_headers(snapshot), json=EVENT)
            batch = edge.post("/api/analytics/events", headers=sdk_headers(snapshot), json={"events": [EVENT] * 3})
            client.config_set("maxmemory", 0)
            assert (single.status_code, single.json()["code"]) == (503, "UNAVAILABLE")
            assert batch.status_code == 503
            assert edge.post("/api/analytics/event", headers=sdk_headers(snapshot), json=EVENT).status_code == 201
            assert len(records(client)) == 2


def test_events_are_rejected_while_redis_is_unavailable(private_redis_server: RunningServer) -> None:
    with redis.Redis.from_url(private_redis_server.url) as client:
        snapshot = a_snapshot()
        publish(client, snapshot)
        with running_edge(edge_settings(private_redis_server.url)) as edge:

            def post() -> httpx.Response:
                return edge.post("/api/analytics/event", headers=sdk_headers(snapshot), json=EVENT)

            assert post().status_code == 201
            private_redis_server.kill()
            rejected = post()
            assert (rejected.status_code, rejected.headers["Retry-After"]) == (503, "1")
            private_redis_server.start()
            eventually(lambda: post().status_code == 201, within=5)
            assert len(records(client)) == 2
