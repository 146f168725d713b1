"""The digests of erased devices: keyed after a day, and deleted when no entry from before an erasure can come any more.

A digest without a key leads to an id that is an address or a number by trial. Release 0.2.0 finds only such digests,
and so an erasure stores one, which gets its key a day later. The keyed digest is made of the digest, so nothing needs
the id. Only event consumers have the keys.
"""

import hmac
from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any

import psycopg
from pydantic import SecretStr

from common.settings.types import digest_keys_of
from management_api.db.audit import AUDITED_EVERY
from management_api.db.engine import Database
from management_api.db.models.analytics import digest_of_device
from management_api.db.psycopg_connection import driver_cursor
from management_api.rollups.devices import FIND_ERASURES, DeviceErasure, DeviceKey

#: The age of an erasure at which its digest gets a key.
KEYED_AFTER = timedelta(days=1)
#: A digest is kept at least so long, and as long as raw events: a spool of an edge may have older entries.
MIN_KEPT = timedelta(days=30)
PORTION = 1000

#: Uncounted batches find the erasure by the digest without a key.
LOCK_UNKEYED = """
    SELECT project_id, digest FROM erased_devices AS erased
    WHERE NOT is_keyed AND erased_at < now() - %s AND NOT EXISTS (
        SELECT FROM uncounted_batches AS batch
        WHERE batch.project_id = erased.project_id
            AND (erased.last_stored_no IS NULL OR batch.stored_no < erased.last_stored_no)
    )
    LIMIT %s FOR UPDATE OF erased SKIP LOCKED
"""
#: The device was erased before, and its digest has a key already.
_GIVEN = "unnest(%(projects)s::text[], %(digests)s::bytea[], %(keyed)s::bytea[]) AS given (project_id, digest, keyed)"
RAISE_KEYED = f"""
    UPDATE erased_devices AS stored
    SET erased_at = greatest(stored.erased_at, again.erased_at),
        last_stored_no = greatest(stored.last_stored_no, again.last_stored_no)
    FROM {_GIVEN} JOIN erased_devices AS again USING (project_id, digest)
    WHERE stored.project_id = given.project_id AND stored.digest = given.keyed
"""  # noqa: S608 - a constant
DELETE_REPEATED = f"""
    DELETE FROM erased_devices AS again USING {_GIVEN} JOIN erased_devices AS stored
        ON stored.project_id = given.project_id AND stored.digest = given.keyed
    WHERE again.project_id = given.project_id AND again.digest = given.digest
"""  # noqa: S608 - a constant
STORE_KEYED = f"""
    UPDATE erased_devices AS stored SET digest = given.keyed, is_keyed = true FROM {_GIVEN}
    WHERE stored.project_id = given.project_id AND stored.digest = given.digest
"""  # noqa: S608 - a constant
DELETE_OLD = """
    DELETE FROM erased_devices WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM erased_devices WHERE erased_at < now() - %s LIMIT %s
    ))
"""
#: Of the audit log: the digests that stand for devices. An export looks for its entry of the last hour by the digest.
LOCK_PSEUDONYMS = """
    SELECT id, entity_id FROM audit_entries WHERE entity_id ~ '^sha256:[0-9a-f]{64}$' AND at < now() - %s
    LIMIT %s FOR UPDATE SKIP LOCKED
"""
STORE_PSEUDONYMS = """
    UPDATE audit_entries SET entity_id = given.pseudonym FROM unnest(%s::text[], %s::text[]) AS given (id, pseudonym)
    WHERE audit_entries.id = given.id
"""
_UNKEYED, _KEYED = "sha256:", "hmac-sha256:"

Cursor = psycopg.Cursor[Any]


class DeviceDigests:
    """The keys of digests: the first one makes keyed digests, all of them find digests. There may be none."""

    def __init__(self, setting: SecretStr | None = None) -> None:
        self._keys: Sequence[bytes] = digest_keys_of(setting) if setting else ()

    @property
    def has_keys(self) -> bool:
        """Whether digests get a key."""
        return bool(self._keys)

    def keyed(self, digest: bytes) -> bytes:
        """Return the keyed digest of a digest."""
        return hmac.digest(self._keys[0], digest, "sha256")

    def all_of(self, device: DeviceKey) -> list[bytes]:
        """Return each digest by which the erasure of a device may be stored."""
        digest = digest_of_device(*device)
        return [digest, *(hmac.digest(key, digest, "sha256") for key in self._keys)]

    def find_erasures(self, cursor: Cursor, devices: Collection[DeviceKey]) -> dict[DeviceKey, DeviceErasure]:
        """Return the last erasure of each device that was erased, by digests with and without a key."""
        candidates = [(device, digest) for device in devices for digest in self.all_of(device)]
        if not candidates:
            return {}
        projects, digests = [device[0] for device, _ in candidates], [digest for _, digest in candidates]
        cursor.execute(FIND_ERASURES, [projects, digests])
        found: dict[DeviceKey, DeviceErasure] = {}
        for position, *columns in cursor:
            device, erasure = candidates[position][0], DeviceErasure(*columns)
            found[device] = max(erasure, found.get(device, erasure), key=lambda one: one.erased_at)
        return found


def key_digests(database: Database, digests: DeviceDigests) -> None:
    """Key the digests of erasures that are a day old, and those of the audit log, in portions. Without keys: nothing.

    A portion locks its rows only, and skips those that others lock.
    """
    for key_portion in (_key_erased, _key_audit_log):
        while digests.has_keys:
            with database.transaction() as session, driver_cursor(session) as cursor:
                if key_portion(cursor, digests) < PORTION:
                    break


def delete_old_digests(database: Database, keep_days: int) -> None:
    """Delete the digests of erasures that are older than any entry that may still come, in portions."""
    deleted = PORTION
    while deleted == PORTION:
        with database.transaction() as session, driver_cursor(session) as cursor:
            cursor.execute(DELETE_OLD, [max(MIN_KEPT, timedelta(days=keep_days)), PORTION])
            deleted = cursor.rowcount


def _key_erased(cursor: Cursor, digests: DeviceDigests) -> int:
    rows = cursor.execute(LOCK_UNKEYED, [KEYED_AFTER, PORTION]).fetchall()
    values = {
        "projects": [project_id for project_id, _ in rows],
        "digests": [digest for _, digest in rows],
        "keyed": [digests.keyed(digest) for _, digest in rows],
    }
    for statement in (RAISE_KEYED, DELETE_REPEATED, STORE_KEYED):
        cursor.execute(statement.encode(), values)
    return len(rows)


def _key_audit_log(cursor: Cursor, digests: DeviceDigests) -> int:
    rows = cursor.execute(LOCK_PSEUDONYMS, [AUDITED_EVERY, PORTION]).fetchall()
    digest_of = {entry_id: bytes.fromhex(pseudonym.removeprefix(_UNKEYED)) for entry_id, pseudonym in rows}
    pseudonyms = [f"{_KEYED}{digests.keyed(digest).hex()}" for digest in digest_of.values()]
    cursor.execute(STORE_PSEUDONYMS, [list(digest_of), pseudonyms])
    return len(rows)
