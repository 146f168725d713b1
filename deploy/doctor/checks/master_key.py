"""Whether the master key opens what is sealed in the database."""

from collections.abc import Iterator

from cryptography.exceptions import InvalidTag

from common.errors import SettingsError
from deploy.doctor.finding import Finding, unchecked, warning, well, wrong
from deploy.doctor.installation import Installation
from deploy.local.counted_words import counted
from deploy.local.stack_keys import master_key_of
from management_api.database.key_vault import KeyVault
from management_api.resealing.sealed_columns import SEALED_COLUMNS
from management_api.resealing.sealed_rows import SealedRow, SealedRows

#: Of each kind of secret.
_SAMPLE = 50


def look_at_master_key(installation: Installation) -> Iterator[Finding]:
    """Try the key on some secrets of each kind."""
    try:
        vault = KeyVault(master_key_of(installation.settings))
    except SettingsError as error:
        yield unchecked(f"{error}.")
        return
    rows = _sampled_rows(installation)
    closed = [row for row in rows if not _opens(vault, row)]
    tried = counted(len(rows), "secret that was tried", "secrets that were tried")
    former = [row for row in rows if row not in closed and not vault.is_sealed_anew(row.sealed, owner_id=row.owner_id)]
    if closed:
        yield wrong(
            f"The master key opens {len(rows) - len(closed)} of {tried}.",
            "Give the key that sealed them, behind the first one in ONBOARDING_MASTER_KEY if it is a former one;"
            " without it keys cannot be shown, and projects not be published.",
        )
    if former:
        yield warning(
            f"A former master key is still needed for {len(former)} of {tried}.",
            "Run `onboarding keys reseal` when every process has the new key first.",
        )
    if not closed and not former:
        yield well(f"The master key opens {len(rows)} of {tried}.")


def _sampled_rows(installation: Installation) -> list[SealedRow]:
    rows: list[SealedRow] = []
    with installation.database() as database, database.reading_objects() as session:
        for where in SEALED_COLUMNS:
            rows += next(SealedRows(where).pages(session, _SAMPLE), [])
    return rows


def _opens(vault: KeyVault, row: SealedRow) -> bool:
    try:
        vault.open(row.sealed, owner_id=row.owner_id)
    except InvalidTag:
        return False
    return True
