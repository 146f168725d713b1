"""The rotation of the master key: all is sealed anew while clients read, and nothing that they see changes."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr
from sqlalchemy import LargeBinary

from common.settings.shared import DatabaseSettings
from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.db.models.metadata import metadata
from management_api.key_rotation import (
    ENCRYPTED_TABLES,
    ReencryptionCount,
    count_encrypted,
    reencrypt,
)
from tests.integration.management_api.resealing.encrypted_data import Shown, read_again, seed
from tests.support.clients.management import Management, data_of, management_service
from tests.support.polling import eventually

_STATE = "SELECT id, updated_at FROM projects ORDER BY id"
_AUDITED = "SELECT count(*) FROM audit_entries"


@pytest.fixture
def former_key(master_key: str) -> str:
    return master_key


@pytest.fixture
def both_keys(former_key: str) -> str:
    return f"{'A' * 43}=,{former_key}"


@pytest.fixture
def shown(database_url: str, former_key: str, tmp_path: Path) -> Shown:
    with management_service(database_url, former_key, tmp_path) as service:
        return seed(service)


@pytest.fixture
def management(database_url: str, both_keys: str, tmp_path: Path, shown: Shown) -> Iterator[Management]:
    assert shown
    with management_service(database_url, both_keys, tmp_path) as service:
        yield service


@pytest.fixture
def vault(both_keys: str) -> KeyVault:
    return KeyVault(SecretStr(both_keys))


def in_silence(_done: int, _total: int) -> None:
    """Hear of progress, and do nothing."""


def former(counts: list[ReencryptionCount]) -> dict[str, int]:
    """Return the counts of values under a former key, by kind."""
    return {count.name: count.former for count in counts}


@contextmanager
def reading(management: Management, shown: Shown) -> Iterator[list[Shown]]:
    """Let two clients read continuously; yield the list to which their responses are added."""
    seen: list[Shown] = []
    over = threading.Event()

    def read() -> None:
        while not over.is_set():
            seen.append(read_again(management, shown))

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        try:
            yield seen
        finally:
            over.set()
        for reader in readers:
            reader.result()


def test_every_sealed_column_is_known() -> None:
    columns = {str(column) for table in metadata.tables.values() for column in table.c if "sealed" in column.name}
    assert {f"{where.table}.{where.sealed}" for where in ENCRYPTED_TABLES} == columns
    beside = {f"{where.table}.{where.digest}" for where in ENCRYPTED_TABLES if where.digest is not None}
    of_their_tables = {column for where in ENCRYPTED_TABLES for column in metadata.tables[where.table].c}
    binary = {str(column) for column in of_their_tables if isinstance(column.type, LargeBinary)}
    assert binary - columns - beside == {"idempotency_keys.fingerprint"}


def test_keys_are_re_encrypted_while_clients_read(
    management: Management, vault: KeyVault, shown: Shown, database_url: str, tmp_path: Path
) -> None:
    with psycopg.connect(database_url, autocommit=True) as watch:
        before = watch.execute(_STATE).fetchall(), watch.execute(_AUDITED).fetchall()
        with reading(management, shown) as seen:
            eventually(lambda: len(seen) > 4)
            assert former(count_encrypted(management.database, vault, in_silence)) == {
                "public keys": 2,
                "secret keys": 2,
                "personal API keys": 1,
                "answers of an Idempotency-Key": 1,
            }
            counts = reencrypt(management.database, vault, in_silence)
            reached = len(seen)
            eventually(lambda: len(seen) > reached + 4)
        assert (sum(count.reencrypted for count in counts), sum(former(counts).values())) == (6, 0)
        assert set(map(str, seen)) == {str(shown)}
        assert before == (watch.execute(_STATE).fetchall(), watch.execute(_AUDITED).fetchall())
    with management_service(database_url, f"{'A' * 43}=", tmp_path) as alone:
        assert read_again(alone, shown) == shown
        secret_key = shown.keys["secret_keys"][0]["secret_key"]
        refused = alone.anonymous(**{"X-Project-Id": shown.project_id, "X-Secret-Key": secret_key}).get("/api/projects")
        assert refused.status_code == 403


def test_an_interrupted_run_leaves_all_readable_and_is_ended_by_another(
    management: Management, vault: KeyVault, shown: Shown
) -> None:
    def give_up(done: int, _total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reencrypt(management.database, vault, give_up, page=1)
    assert sum(former(count_encrypted(management.database, vault, in_silence)).values()) == 3
    assert read_again(management, shown) == shown
    assert sum(count.reencrypted for count in reencrypt(management.database, vault, in_silence)) == 3
    assert read_again(management, shown) == shown


def test_locked_keys_are_skipped_and_retried(management: Management, vault: KeyVault, database_url: str) -> None:
    with psycopg.connect(database_url) as other, ThreadPoolExecutor(1) as pool:
        other.execute("SELECT 1 FROM api_keys FOR UPDATE")
        resealing = pool.submit(reencrypt, management.database, vault, in_silence)
        expected = {where.name: int(where.name == "personal API keys") for where in ENCRYPTED_TABLES}
        eventually(lambda: former(count_encrypted(management.database, vault, in_silence)) == expected)
        other.rollback()
        assert sum(former(resealing.result()).values()) == 0


def test_key_rotated_during_re_encryption_stays_the_new_key(management: Management, vault: KeyVault) -> None:
    [where] = [each for each in ENCRYPTED_TABLES if each.name == "personal API keys"]
    with management.database.reading() as session:
        [[read]] = where.pages(session, 10)
    rotated = data_of(management.user().post("/api/user/api-key/rotate"), 201)["api_key"]
    with management.database.transaction() as session:
        assert where.write(session, vault, [(read, "too late")]) == 0
    assert management.user().api_key() == rotated


def test_key_of_an_unknown_master_key_is_counted_and_kept(shown: Shown, database_url: str) -> None:
    assert shown
    database = Database(DatabaseSettings(database_url=SecretStr(database_url)))
    foreign_vault = KeyVault(SecretStr("B" * 43 + "="))
    counts = reencrypt(database, foreign_vault, in_silence)
    database.close()
    assert [(count.reencrypted, count.former) for count in counts] == [(0, 0)] * 4
    assert sum(count.unreadable for count in counts) == 6
