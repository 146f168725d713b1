"""Encrypts all stored keys again under the newest master key."""

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
from management_api.db.models.users import ApiKey, IdempotencyKey, answer_owner

Attribute = InstrumentedAttribute[Any]


@dataclass(frozen=True, slots=True)
class SealedColumn:
    """A column of ciphertexts."""

    name: str
    sealed: Attribute
    #: The primary key, by which pages of rows are read.
    key: tuple[Attribute, ...]
    #: To whom a row is sealed: what `owner_id` makes of these columns.
    owner: tuple[Attribute, ...]
    owner_id: Callable[..., str] = str
    #: The keyed digest of the same secret, where it is found by one.
    digest: Attribute | None = None


SEALED_COLUMNS = (
    SealedColumn("public keys", Project.public_key_sealed, (Project.id,), (Project.id,)),
    SealedColumn("secret keys", SecretKey.sealed, (SecretKey.id,), (SecretKey.project_id,), digest=SecretKey.digest),
    SealedColumn("personal API keys", ApiKey.sealed, (ApiKey.user_id,), (ApiKey.user_id,), digest=ApiKey.digest),
    SealedColumn(
        "answers of an Idempotency-Key",
        IdempotencyKey.body_sealed,
        (IdempotencyKey.user_id, IdempotencyKey.key),
        (IdempotencyKey.user_id, IdempotencyKey.key),
        owner_id=answer_owner,
    ),
)


# The rows of one sealed column: read page by page, and written anew under the master key in use.
# A row is changed only as long as it still has the ciphertext that was read, so that a rotation by its owner
# meanwhile wins; and only when nobody holds it, so that no request ever waits for this, nor this for a request.


@dataclass(frozen=True, slots=True)
class SealedRow:
    """One row as it was read."""

    key: tuple[str, ...]
    owner_id: str
    sealed: bytes


@dataclass(frozen=True, slots=True)
class ResealedRow:
    """What is to take its place; the digest is None where the column has none."""

    before: SealedRow
    sealed: bytes
    digest: bytes | None


class SealedRows:
    """One column, by names alone: to the mapped class this would be a change that moves `updated_at`."""

    def __init__(self, where: SealedColumn) -> None:
        self._where = where
        self._key = [_named(part) for part in where.key]
        self._owner = [_named(part) for part in where.owner]
        self._sealed = _named(where.sealed)
        self._digest = None if where.digest is None else _named(where.digest)
        found = [*self._key, *self._owner, self._sealed, *([] if self._digest is None else [self._digest])]
        columns = {each.name: each for each in found}
        self._table: TableClause = table(where.sealed.class_.__tablename__, *columns.values())

    def count(self, session: Session) -> int:
        """Count the rows."""
        return session.scalar(select(func.count()).select_from(self._table)) or 0

    def pages(self, session: Session, size: int) -> Iterator[list[SealedRow]]:
        """Give all rows in the order of their keys; each page is a statement of its own."""
        wanted = select(*self._key, *self._owner, self._sealed).select_from(self._table).order_by(*self._key)
        page = self._read(session.execute(wanted.limit(size)).all())
        while page:
            yield page
            behind = tuple_(*self._key) > tuple_(*page[-1].key)
            page = self._read(session.execute(wanted.where(behind).limit(size)).all())

    def write(self, session: Session, rows: Sequence[ResealedRow]) -> int:
        """Write the rows that nobody holds and that are still as they were read; gives how many."""
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

    def _free(self, session: Session, rows: Sequence[ResealedRow]) -> set[tuple[str, ...]]:
        wanted = select(*self._key, self._sealed).select_from(self._table)
        wanted = wanted.where(tuple_(*self._key).in_([row.before.key for row in rows])).order_by(*self._key)
        # A digest is unique, so its change wants the whole row; where there is none, whoever refers to a row may go on.
        locked = session.execute(wanted.with_for_update(skip_locked=True, key_share=self._digest is None)).all()
        present = {(tuple(key), sealed) for *key, sealed in locked}
        return {row.before.key for row in rows if (row.before.key, row.before.sealed) in present}

    def _read(self, rows: Sequence[Any]) -> list[SealedRow]:
        keys = len(self._key)
        return [SealedRow(tuple(row[:keys]), self._where.owner_id(*row[keys:-1]), row[-1]) for row in rows]

    def _sent(self, row: ResealedRow) -> dict[str, object]:
        key = {f"key_{part.name}": value for part, value in zip(self._key, row.before.key, strict=True)}
        digest = {} if self._digest is None else {"new_digest": row.digest}
        return {**key, "old_sealed": row.before.sealed, "new_sealed": row.sealed, **digest}


def _named(attribute: Attribute) -> ColumnClause[Any]:
    return column(attribute.key, attribute.type)


# Seals everything anew under the master key in use, while the service runs, so that a former key can be dropped.
# It may be interrupted anywhere and begun again: each row is either as it was or sealed anew, and both are opened and
# found as long as the settings name both keys.

#: Rows that are read and written at once.
PAGE = 500
#: How often what others held is tried again, and the seconds before each time.
MOST_PASSES = 10
PAUSE_SECONDS = 0.5

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class SealedCount:
    """What was found, and done, in one column."""

    name: str
    rows: int = 0
    resealed: int = 0
    #: Under a former master key, still.
    former: int = 0
    #: Opened by none of the master keys that the settings name.
    unreadable: int = 0


def count_sealed(database: Database, vault: KeyVault, note_progress: Progress) -> list[SealedCount]:
    """Count what stands under which key, and change nothing. Raises UnavailableError."""
    return _Pass(database, vault, note_progress, PAGE).run(writes=False)


def reseal(database: Database, vault: KeyVault, note_progress: Progress, *, page: int = PAGE) -> list[SealedCount]:
    """Seal everything anew; what others hold is tried again, for some seconds. Raises UnavailableError."""
    resealed: dict[str, int] = {}
    for _ in range(MOST_PASSES):
        counts = _Pass(database, vault, note_progress, page).run(writes=True)
        for count in counts:
            count.resealed = resealed[count.name] = resealed.get(count.name, 0) + count.resealed
        if not any(count.former for count in counts):
            break
        time.sleep(PAUSE_SECONDS)
    return counts


class _Pass:
    """Goes through all columns once."""

    def __init__(self, database: Database, vault: KeyVault, note_progress: Progress, page: int) -> None:
        self._page = page
        self._database = database
        self._vault = vault
        self._note_progress = note_progress
        self._done = self._total = 0

    def run(self, *, writes: bool) -> list[SealedCount]:
        with self._database.reading() as session:
            self._total = sum(SealedRows(where).count(session) for where in SEALED_COLUMNS)
        self._note_progress(0, self._total)
        return [self._count(where, writes=writes) for where in SEALED_COLUMNS]

    def _count(self, where: SealedColumn, *, writes: bool) -> SealedCount:
        count, rows = SealedCount(where.name), SealedRows(where)
        with self._database.reading() as session:
            for page in rows.pages(session, self._page):
                resealed = self._resealed(page, count, has_digest=where.digest is not None)
                written = self._write(rows, resealed) if writes and resealed else 0
                count.rows += len(page)
                count.resealed += written
                count.former += len(resealed) - written
                self._done += len(page)
                self._note_progress(self._done, max(self._done, self._total))
        return count

    def _resealed(self, page: list[SealedRow], count: SealedCount, *, has_digest: bool) -> list[ResealedRow]:
        resealed: list[ResealedRow] = []
        for row in page:
            if self._vault.is_current(row.sealed, owner_id=row.owner_id):
                continue
            try:
                opened = self._vault.decrypt(row.sealed, owner_id=row.owner_id)
            except InvalidTag:
                count.unreadable += 1
                continue
            digest = self._vault.lookup_digest(opened) if has_digest else None
            resealed.append(ResealedRow(row, self._vault.encrypt(opened, owner_id=row.owner_id), digest))
        return resealed

    def _write(self, rows: SealedRows, resealed: list[ResealedRow]) -> int:
        with self._database.transaction() as session:
            return rows.write(session, resealed)
