"""The rotation of the master key: encrypts all stored keys again under the first master key of the setting.

The service runs meanwhile. A run may be interrupted and repeated: each row is encrypted under the former key or under
the first, and both are decrypted and found while the setting has both. A row is written only if it still has the
ciphertext that was read, so a rotation by its owner wins, and only if no transaction locks it, so no request waits.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidTag
from sqlalchemy import BindParameter, ColumnClause, TableClause, bindparam, column, func, select, table, tuple_, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.db.models.projects import Project, SecretKey
from management_api.db.models.users import ApiKey, IdempotencyKey, response_owner

Attribute = InstrumentedAttribute[Any]


@dataclass(frozen=True, slots=True)
class EncryptedColumn:
    """A column of ciphertexts."""

    name: str
    sealed: Attribute
    #: The primary key, by which pages of rows are read.
    key: tuple[Attribute, ...]
    #: `owner_id` makes the owner of a ciphertext of these columns.
    owner: tuple[Attribute, ...]
    owner_id: Callable[..., str] = str
    #: The keyed digest of the same secret, if it is looked up by one.
    digest: Attribute | None = None


ENCRYPTED_COLUMNS = (
    EncryptedColumn("public keys", Project.public_key_sealed, (Project.id,), (Project.id,)),
    EncryptedColumn("secret keys", SecretKey.sealed, (SecretKey.id,), (SecretKey.project_id,), digest=SecretKey.digest),
    EncryptedColumn("personal API keys", ApiKey.sealed, (ApiKey.user_id,), (ApiKey.user_id,), digest=ApiKey.digest),
    EncryptedColumn(
        "answers of an Idempotency-Key",
        IdempotencyKey.body_sealed,
        (IdempotencyKey.user_id, IdempotencyKey.key),
        (IdempotencyKey.user_id, IdempotencyKey.key),
        owner_id=response_owner,
    ),
)


@dataclass(frozen=True, slots=True)
class EncryptedRow:
    """One row as it was read."""

    key: tuple[str, ...]
    owner_id: str
    sealed: bytes


@dataclass(frozen=True, slots=True)
class ReencryptedRow:
    """Its new ciphertext and digest; the digest is None if the column has none."""

    before: EncryptedRow
    sealed: bytes
    digest: bytes | None


class EncryptedRows:
    """The rows of one column, by a plain table: a change by the mapped class would set `updated_at`."""

    def __init__(self, where: EncryptedColumn) -> None:
        self._where = where
        self._key = [_named(part) for part in where.key]
        self._owner = [_named(part) for part in where.owner]
        self._sealed = _named(where.sealed)
        self._digest = None if where.digest is None else _named(where.digest)
        found = [*self._key, *self._owner, self._sealed, *([] if self._digest is None else [self._digest])]
        columns = {part.name: part for part in found}
        self._table: TableClause = table(where.sealed.class_.__tablename__, *columns.values())

    def count(self, session: Session) -> int:
        """Count the rows."""
        return session.scalar(select(func.count()).select_from(self._table)) or 0

    def pages(self, session: Session, size: int) -> Iterator[list[EncryptedRow]]:
        """Yield all rows in the order of their keys; each page is a statement of its own."""
        wanted = select(*self._key, *self._owner, self._sealed).select_from(self._table).order_by(*self._key)
        page = self._read(session.execute(wanted.limit(size)).all())
        while page:
            yield page
            behind = tuple_(*self._key) > tuple_(*page[-1].key)
            page = self._read(session.execute(wanted.where(behind).limit(size)).all())

    def write(self, session: Session, rows: Sequence[ReencryptedRow]) -> int:
        """Write the rows that are neither locked nor changed since they were read. Return their number."""
        free = self._free(session, rows)
        sent = [self._sent(row) for row in rows if row.before.key in free]
        if not sent:
            return 0
        values: dict[str, BindParameter[bytes]] = {self._sealed.name: bindparam("new_sealed")}
        if self._digest is not None:
            values[self._digest.name] = bindparam("new_digest")
        change = update(self._table).where(
            *(part == bindparam(f"key_{part.name}") for part in self._key), self._sealed == bindparam("old_sealed")
        )
        session.connection().execute(change.values(values), sent)
        return len(sent)

    def _free(self, session: Session, rows: Sequence[ReencryptedRow]) -> set[tuple[str, ...]]:
        wanted = select(*self._key, self._sealed).select_from(self._table)
        wanted = wanted.where(tuple_(*self._key).in_([row.before.key for row in rows])).order_by(*self._key)
        # NO KEY UPDATE suffices when no unique column changes: checks of foreign keys are not blocked.
        locked = session.execute(wanted.with_for_update(skip_locked=True, key_share=self._digest is None)).all()
        present = {(tuple(key), sealed) for *key, sealed in locked}
        return {row.before.key for row in rows if (row.before.key, row.before.sealed) in present}

    def _read(self, rows: Sequence[Any]) -> list[EncryptedRow]:
        keys = len(self._key)
        return [EncryptedRow(tuple(row[:keys]), self._where.owner_id(*row[keys:-1]), row[-1]) for row in rows]

    def _sent(self, row: ReencryptedRow) -> dict[str, object]:
        key = {f"key_{part.name}": value for part, value in zip(self._key, row.before.key, strict=True)}
        digest = {} if self._digest is None else {"new_digest": row.digest}
        return {**key, "old_sealed": row.before.sealed, "new_sealed": row.sealed, **digest}


def _named(attribute: Attribute) -> ColumnClause[Any]:
    return column(attribute.key, attribute.type)


#: Rows that are read and written at once.
PAGE = 500
#: Attempts for rows that other transactions lock, and the seconds between them.
MAX_PASSES = 10
PAUSE_SECONDS = 0.5

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class ReencryptionCount:
    """The counts of one column."""

    name: str
    rows: int = 0
    reencrypted: int = 0
    #: Still encrypted under a former master key.
    former: int = 0
    #: Decrypted by none of the master keys of the setting.
    unreadable: int = 0


def count_encrypted(database: Database, vault: KeyVault, report_progress: Progress) -> list[ReencryptionCount]:
    """Count the rows by their master key, and change nothing. Raises UnavailableError."""
    return _Pass(database, vault, report_progress, PAGE).run(writes=False)


def reencrypt(
    database: Database, vault: KeyVault, report_progress: Progress, *, page: int = PAGE
) -> list[ReencryptionCount]:
    """Encrypt all rows again; locked rows are tried again for some seconds. Raises UnavailableError."""
    reencrypted: dict[str, int] = {}
    for _ in range(MAX_PASSES):
        counts = _Pass(database, vault, report_progress, page).run(writes=True)
        for count in counts:
            count.reencrypted = reencrypted[count.name] = reencrypted.get(count.name, 0) + count.reencrypted
        if not any(count.former for count in counts):
            break
        time.sleep(PAUSE_SECONDS)
    return counts


class _Pass:
    """One run through all columns."""

    def __init__(self, database: Database, vault: KeyVault, report_progress: Progress, page: int) -> None:
        self._page = page
        self._database = database
        self._vault = vault
        self._report_progress = report_progress
        self._done = self._total = 0

    def run(self, *, writes: bool) -> list[ReencryptionCount]:
        with self._database.reading() as session:
            self._total = sum(EncryptedRows(where).count(session) for where in ENCRYPTED_COLUMNS)
        self._report_progress(0, self._total)
        return [self._count(where, writes=writes) for where in ENCRYPTED_COLUMNS]

    def _count(self, where: EncryptedColumn, *, writes: bool) -> ReencryptionCount:
        count, rows = ReencryptionCount(where.name), EncryptedRows(where)
        with self._database.reading() as session:
            for page in rows.pages(session, self._page):
                reencrypted = self._reencrypted(page, count, has_digest=where.digest is not None)
                written = self._write(rows, reencrypted) if writes and reencrypted else 0
                count.rows += len(page)
                count.reencrypted += written
                count.former += len(reencrypted) - written
                self._done += len(page)
                self._report_progress(self._done, max(self._done, self._total))
        return count

    def _reencrypted(
        self, page: list[EncryptedRow], count: ReencryptionCount, *, has_digest: bool
    ) -> list[ReencryptedRow]:
        reencrypted: list[ReencryptedRow] = []
        for row in page:
            if self._vault.is_current(row.sealed, owner_id=row.owner_id):
                continue
            try:
                opened = self._vault.decrypt(row.sealed, owner_id=row.owner_id)
            except InvalidTag:
                count.unreadable += 1
                continue
            digest = self._vault.lookup_digest(opened) if has_digest else None
            reencrypted.append(ReencryptedRow(row, self._vault.encrypt(opened, owner_id=row.owner_id), digest))
        return reencrypted

    def _write(self, rows: EncryptedRows, reencrypted: list[ReencryptedRow]) -> int:
        with self._database.transaction() as session:
            return rows.write(session, reencrypted)
