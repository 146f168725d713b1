"""The events in Redis, the stored events, and a comparison of the rollups with them."""

import httpx
import psycopg
import redis
from sqlalchemy import create_engine
from sqlalchemy.orm import Session

from common.wire.redis_keys import event_streams
from deploy.local.service_processes import Connections
from tests.integration.management_api.event_consumer.stored_tables import expected_rollups, rollups_of


def flow_of(edge_url: str, keys: dict[str, str]) -> str:
    """Return the id of the flow that the demo project shows."""
    body = {"deviceId": "device-1", "platform": "ios"}
    return str(httpx.post(f"{edge_url}/api/onboarding/resolve", json=body, headers=keys).json()["flowId"])


#: Without the history of the demo project, which was not sent.
_COUNT = "SELECT count(*) FROM events WHERE project_id = %s AND event_id NOT LIKE 'demo-%%'"
_IDS = "SELECT event_id FROM events WHERE project_id = %s AND event_id NOT LIKE 'demo-%%'"


def waiting(redis_url: str) -> int:
    """Count the entries of the streams. Raises AssertionError when Redis does not respond."""
    try:
        with redis.Redis.from_url(redis_url) as client:
            return sum(client.xlen(stream) for stream in event_streams())
    except redis.RedisError as error:
        raise AssertionError(str(error)) from error


def stored_count(addresses: Connections, project_id: str) -> int:
    """Count the events of the project. Raises AssertionError while PostgreSQL is unavailable."""
    try:
        with psycopg.connect(addresses.database_url) as connection:
            row = connection.execute(_COUNT, [project_id]).fetchone()
    except psycopg.OperationalError as error:
        raise AssertionError(str(error)) from error
    assert row is not None
    return int(row[0])


def stored_ids(addresses: Connections, project_id: str) -> set[str]:
    """Return the stored ids; none may be there twice."""
    with psycopg.connect(addresses.database_url) as connection:
        rows = connection.execute(_IDS, [project_id]).fetchall()
    ids = [str(row[0]) for row in rows]
    assert len(ids) == len(set(ids))
    return set(ids)


def differing_rollups(addresses: Connections) -> list[str]:
    """Return the tables of rollups that differ from a computation from the raw tables."""
    url = addresses.database_url.replace("postgresql://", "postgresql+psycopg://")
    # Events may be counted meanwhile: all tables are read as of one moment.
    engine = create_engine(url, isolation_level="REPEATABLE READ")
    try:
        with Session(engine) as session:
            kept, recomputed = rollups_of(session), expected_rollups(session)
    finally:
        engine.dispose()
    return [rollup[0] for rollup in kept if rollup not in recomputed] + [
        rollup[0] for rollup in recomputed if rollup not in kept
    ]
