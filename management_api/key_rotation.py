"""The rotation of the master key: encrypts all stored keys again under the first master key of the setting.

The service runs meanwhile. A run may be interrupted and repeated: each row is encrypted under the former key or under
the first, and both are decrypted and found while the setting has both. A row is written only if it still has the
ciphertext that was read, so a rotation by its owner wins, and only if no transaction locks it, so no request waits.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from sqlalchemy.orm import Session

from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.db.models.users import response_owner
from management_api.db.psycopg_connection import driver_cursor

#: Rows that are read and written at once.
PAGE = 500
#: Attempts for rows that other transactions lock, and the seconds between them.
MAX_PASSES = 10
PAUSE_SECONDS = 0.5

Progress = Callable[[int, int], None]


class EncryptedRow(NamedTuple):
    """One row as it was read: its primary key, the owner of the ciphertext, the ciphertext."""

    key: tuple[str, ...]
    owner_id: str
    sealed: bytes


@dataclass(frozen=True, slots=True)
class EncryptedTable:
    """A table with a column of ciphertexts. Statements name it, because its model would set `updated_at`."""

    #: What the rows are, for people.
    name: str
    table: str
    sealed: str
    #: The primary key, which consists of texts.
    key: tuple[str, ...]
    #: The columns that `owner_id` makes the owner of a ciphertext of.
    owner: tuple[str, ...]
    owner_id: Callable[..., str] = str
    #: The column with the keyed digest of the same secret, if it is looked up by one.
    digest: str | None = None

    def count(self, session: Session) -> int:
        """Count the rows."""
        [(rows,)] = driver_cursor(session).execute(f"SELECT count(*) FROM {self.table}".encode())  # noqa: S608 - a constant
        return int(rows)

    def pages(self, session: Session, size: int) -> Iterator[list[EncryptedRow]]:
        """Yield all rows in the order of their keys; each page is a statement of its own."""
        key = ", ".join(self.key)
        statement = f"""
            SELECT {key}, {", ".join(self.owner)}, {self.sealed} FROM {self.table}
            WHERE ({key}) > ({_places(self.key)}) ORDER BY {key} LIMIT {size}
        """  # noqa: S608 - constants
        after, width = ("",) * len(self.key), len(self.key)
        while True:
            found = driver_cursor(session).execute(statement.encode(), after).fetchall()
            if not found:
                return
            yield [EncryptedRow(row[:width], self.owner_id(*row[width:-1]), row[-1]) for row in found]
            after = found[-1][:width]

    def write(self, session: Session, vault: KeyVault, rows: Sequence[tuple[EncryptedRow, str]]) -> int:
        """Encrypt rows, given with their secrets, that are neither locked nor changed since. Return their number."""
        key = ", ".join(self.key)
        changed = [self.sealed] if self.digest is None else [self.sealed, self.digest]
        # FOR NO KEY UPDATE suffices when no unique column changes: checks of foreign keys are not blocked.
        lock = "NO KEY UPDATE" if self.digest is None else "UPDATE"
        statement = f"""
            UPDATE {self.table} SET {", ".join(f"{column} = %s" for column in changed)}
            WHERE ({key}) = (
                SELECT {key} FROM {self.table} WHERE ({key}) = ({_places(self.key)}) AND {self.sealed} = %s
                FOR {lock} SKIP LOCKED
            )
        """  # noqa: S608 - constants
        values = []
        for row, secret in rows:
            digest = [] if self.digest is None else [vault.lookup_digest(secret)]
            values.append([vault.encrypt(secret, owner_id=row.owner_id), *digest, *row.key, row.sealed])
        with driver_cursor(session) as cursor:
            cursor.executemany(statement.encode(), values)
            return cursor.rowcount


def _places(columns: Sequence[str]) -> str:
    return ", ".join(["%s"] * len(columns))


ENCRYPTED_TABLES = (
    EncryptedTable("public keys", "projects", "public_key_sealed", ("id",), ("id",)),
    EncryptedTable("secret keys", "secret_keys", "sealed", ("id",), ("project_id",), digest="digest"),
    EncryptedTable("personal API keys", "api_keys", "sealed", ("user_id",), ("user_id",), digest="digest"),
    EncryptedTable(
        "answers of an Idempotency-Key",
        "idempotency_keys",
        "body_sealed",
        ("user_id", "key"),
        ("user_id", "key"),
        response_owner,
    ),
)


@dataclass(slots=True)
class ReencryptionCount:
    """The counts of one table."""

    name: str
    rows: int = 0
    reencrypted: int = 0
    #: Still encrypted under a former master key.
    former: int = 0
    #: Decrypted by none of the master keys of the setting.
    unreadable: int = 0


def count_encrypted(database: Database, vault: KeyVault, report_progress: Progress) -> list[ReencryptionCount]:
    """Count the rows by their master key, and change nothing. Raises UnavailableError."""
    return _run(database, vault, report_progress, PAGE, writes=False)


def reencrypt(
    database: Database, vault: KeyVault, report_progress: Progress, *, page: int = PAGE
) -> list[ReencryptionCount]:
    """Encrypt all rows again; locked rows are tried again for some seconds. Raises UnavailableError."""
    reencrypted: dict[str, int] = {}
    for _ in range(MAX_PASSES):
        counts = _run(database, vault, report_progress, page, writes=True)
        for count in counts:
            count.reencrypted = reencrypted[count.name] = reencrypted.get(count.name, 0) + count.reencrypted
        if not any(count.former for count in counts):
            break
        time.sleep(PAUSE_SECONDS)
    return counts


def _run(
    database: Database, vault: KeyVault, report_progress: Progress, size: int, *, writes: bool
) -> list[ReencryptionCount]:
    """Read all tables once."""
    counts = [ReencryptionCount(where.name) for where in ENCRYPTED_TABLES]
    with database.reading() as session:
        total = sum(where.count(session) for where in ENCRYPTED_TABLES)
        report_progress(0, total)
        for where, count in zip(ENCRYPTED_TABLES, counts, strict=True):
            for page in where.pages(session, size):
                found = list(_under_former_key(page, vault, count))
                written = _write(database, vault, where, found) if writes and found else 0
                count.rows += len(page)
                count.reencrypted += written
                count.former += len(found) - written
                done = sum(each.rows for each in counts)
                report_progress(done, max(done, total))
    return counts


def _write(database: Database, vault: KeyVault, where: EncryptedTable, rows: Sequence[tuple[EncryptedRow, str]]) -> int:
    with database.transaction() as session:
        return where.write(session, vault, rows)


def _under_former_key(
    page: Sequence[EncryptedRow], vault: KeyVault, count: ReencryptionCount
) -> Iterator[tuple[EncryptedRow, str]]:
    """Yield rows that need a former master key, with their secrets, and count rows that no key decrypts."""
    for row in page:
        if vault.is_current(row.sealed, owner_id=row.owner_id):
            continue
        try:
            yield row, vault.decrypt(row.sealed, owner_id=row.owner_id)
        except InvalidTag:
            count.unreadable += 1
