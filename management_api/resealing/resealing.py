"""Seals everything anew under the master key in use, while the service runs, so that a former key can be dropped.

It may be interrupted anywhere and begun again: each row is either as it was or sealed anew, and both are opened and
found as long as the settings name both keys.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag

from management_api.database.key_vault import KeyVault
from management_api.database.transactions import Database
from management_api.resealing.sealed_columns import SEALED_COLUMNS, SealedColumn
from management_api.resealing.sealed_rows import ResealedRow, SealedRow, SealedRows

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
            if self._vault.is_sealed_anew(row.sealed, owner_id=row.owner_id):
                continue
            try:
                opened = self._vault.open(row.sealed, owner_id=row.owner_id)
            except InvalidTag:
                count.unreadable += 1
                continue
            digest = self._vault.lookup_digest(opened) if has_digest else None
            resealed.append(ResealedRow(row, self._vault.seal(opened, owner_id=row.owner_id), digest))
        return resealed

    def _write(self, rows: SealedRows, resealed: list[ResealedRow]) -> int:
        with self._database.transaction() as session:
            return rows.write(session, resealed)
