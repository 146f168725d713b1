"""Digests of erased devices get a key, are found under it, and are deleted when nothing older can come."""

import base64
import hmac
from datetime import timedelta

import pytest
from pydantic import SecretStr
from sqlalchemy import text

from common.ids import IdPrefix, new_id
from common.timestamps import utc_now
from common.wire.stream_records import encode_record
from management_api.db.engine import Database
from management_api.db.models.analytics import digest_of_device
from management_api.db.models.audit_log import AuditEntry
from management_api.db.psycopg_connection import driver_cursor
from management_api.event_consumer.store import BatchStore
from management_api.event_consumer.stream import StreamEntry
from management_api.rollups.device_digests import DeviceDigests, delete_old_digests, key_digests
from management_api.rollups.erasure import begin_erasure, pseudonym_of
from tests.integration.management_api.event_consumer.stored_tables import count
from tests.integration.management_api.event_consumer.stream_records import an_event

OLD_KEY, NEW_KEY = b"o" * 32, b"n" * 32


def with_keys(*keys: bytes) -> DeviceDigests:
    """Return digests under these keys, the first one in use."""
    return DeviceDigests(SecretStr(",".join(base64.b64encode(key).decode() for key in keys)))


def erase(database: Database, project_id: str, *, days_ago: float) -> None:
    with database.transaction() as session:
        begin_erasure(driver_cursor(session), project_id, "device", utc_now() - timedelta(days=days_ago))


def stored_digests(database: Database) -> list[tuple[bytes, bool]]:
    """Return the digests, and whether each has a key."""
    with database.transaction() as session:
        rows = session.execute(text("SELECT digest, is_keyed FROM erased_devices ORDER BY is_keyed"))
        return [(bytes(digest), is_keyed) for digest, is_keyed in rows]


def store_entry(database: Database, project_id: str, digests: DeviceDigests, *, days_ago: float) -> int:
    """Store an event that an edge accepted so long ago; return the number of events."""
    accepted_at_ms = int((utc_now() - timedelta(days=days_ago)).timestamp() * 1000)
    entry = StreamEntry("stream", f"{accepted_at_ms}-0", encode_record(an_event(project_id)))
    store = BatchStore(database, digests=digests)
    store.store([entry])
    store.store_dead_letter(entry, "Odd: it could not be stored")
    with database.transaction() as session:
        assert count(session, "dead_letters") == count(session, "events")
        return count(session, "events")


def test_digest_gets_a_key_after_a_day(database: Database, project_id: str) -> None:
    plain = digest_of_device(project_id, "device")
    erase(database, project_id, days_ago=0.9)
    key_digests(database, with_keys(OLD_KEY))
    assert stored_digests(database) == [(plain, False)]
    with database.transaction() as session:
        session.execute(text("UPDATE erased_devices SET erased_at = erased_at - interval '1 day'"))
    key_digests(database, DeviceDigests())
    assert stored_digests(database) == [(plain, False)]
    key_digests(database, with_keys(OLD_KEY))
    assert stored_digests(database) == [(hmac.digest(OLD_KEY, plain, "sha256"), True)]


@pytest.mark.parametrize("keys", [(OLD_KEY,), (NEW_KEY, OLD_KEY)])
@pytest.mark.parametrize(("days_ago", "expected"), [(4, 0), (2, 1), (0, 1)])
def test_entry_from_before_the_erasure_is_dropped_by_a_keyed_digest(
    database: Database, project_id: str, keys: tuple[bytes, ...], days_ago: float, expected: int
) -> None:
    erase(database, project_id, days_ago=3)
    key_digests(database, with_keys(OLD_KEY))
    assert store_entry(database, project_id, with_keys(*keys), days_ago=days_ago) == expected


def test_repeated_erasure_moves_the_keyed_digest_forward(database: Database, project_id: str) -> None:
    digests = with_keys(OLD_KEY)
    for days_ago in (6, 3):
        erase(database, project_id, days_ago=days_ago)
        assert store_entry(database, project_id, digests, days_ago=days_ago + 0.5) == 0
        key_digests(database, digests)
    assert [is_keyed for _, is_keyed in stored_digests(database)] == [True]
    assert store_entry(database, project_id, digests, days_ago=3.5) == 0
    assert store_entry(database, project_id, digests, days_ago=2.5) == 1


def test_digest_stays_without_a_key_while_a_batch_of_the_device_is_uncounted(
    database: Database, project_id: str
) -> None:
    BatchStore(database).store([StreamEntry("stream", "1-0", encode_record(an_event(project_id)))])
    erase(database, project_id, days_ago=3)
    key_digests(database, with_keys(OLD_KEY))
    assert [is_keyed for _, is_keyed in stored_digests(database)] == [False]


@pytest.mark.parametrize(("keep_days", "age", "expected"), [(400, 399, 1), (400, 401, 0), (1, 29, 1), (1, 31, 0)])
def test_digest_is_deleted_when_no_older_entry_can_come(
    database: Database, project_id: str, keep_days: int, age: float, expected: int
) -> None:
    erase(database, project_id, days_ago=age)
    delete_old_digests(database, keep_days)
    assert len(stored_digests(database)) == expected


def test_audit_log_names_devices_by_keyed_digests_after_an_hour(database: Database, project_id: str) -> None:
    pseudonym, recent = pseudonym_of(project_id, "device"), pseudonym_of(project_id, "recent")
    other = "sha256:the id that a tester's device may have"
    an_hour_ago = utc_now() - timedelta(hours=1)
    with database.transaction() as session:
        for entity_id, at in ((pseudonym, an_hour_ago), (other, an_hour_ago), (recent, utc_now())):
            session.add(
                AuditEntry(
                    id=new_id(IdPrefix.AUDIT_ENTRY), project_id=project_id, user_id="user_1", action="device.erase",
                    entity_type="device", entity_id=entity_id, at=at,
                )
            )  # fmt: skip
    key_digests(database, with_keys(OLD_KEY))
    keyed = hmac.digest(OLD_KEY, digest_of_device(project_id, "device"), "sha256").hex()
    with database.transaction() as session:
        assert set(session.scalars(text("SELECT entity_id FROM audit_entries"))) == {
            f"hmac-sha256:{keyed}",
            other,
            recent,
        }
