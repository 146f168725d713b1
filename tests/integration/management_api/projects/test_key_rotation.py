"""Rotation and the event consumer take the keys of a project in one order, so that neither waits in a circle."""

from concurrent.futures import ThreadPoolExecutor

import psycopg

from tests.support.clients.management import Management, data_of
from tests.support.polling import eventually

HOLD = "SELECT 1 FROM secret_keys WHERE id = %s FOR NO KEY UPDATE"
WAITING = """
    SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


def test_a_rotation_waits_for_the_lowest_key_before_it_takes_another(management: Management, database_url: str) -> None:
    alice = management.user()
    path = f"/api/projects/{alice.create_project()['id']}/api-keys"
    keys = data_of(alice.post(f"{path}/rotate"), 201)["secret_keys"]
    lowest, highest = sorted(key["id"] for key in keys)
    with (
        psycopg.connect(database_url) as consumer,
        psycopg.connect(database_url, autocommit=True) as watch,
        ThreadPoolExecutor(1) as pool,
    ):
        consumer.execute(HOLD, [lowest])
        rotation = pool.submit(alice.post, f"{path}/rotate", {"grace_period_seconds": 0})
        eventually(lambda: watch.execute(WAITING).fetchone())
        # Not a lock that anyone else has: this does not wait, or the test ends by PostgreSQL's lock_timeout.
        consumer.execute("SET LOCAL lock_timeout = '2s'")
        consumer.execute(HOLD, [highest])
        consumer.rollback()
        assert [key["expires_at"] for key in data_of(rotation.result(), 201)["secret_keys"]] == [None]
