"""The master key and the keys of assignment tokens."""

from collections.abc import Iterator

from cryptography.exceptions import InvalidTag

from cli.connections import assignment_keys, master_key
from cli.console import plural
from cli.doctor.installation import Installation, UnreachableError, get_json
from cli.doctor.result import Result
from common.errors import SettingsError
from common.settings.types import assignment_keys_of
from common.wire.assignment_tokens import AssignmentTokens
from management_api.db.key_vault import KeyVault
from management_api.key_rotation import ENCRYPTED_TABLES, EncryptedRow

#: The number of secrets of each kind in the sample.
_SAMPLE = 50


def check_master_key(installation: Installation) -> Iterator[Result]:
    """Decrypt a sample of the secrets in the database."""
    try:
        vault = KeyVault(master_key(installation.settings))
    except SettingsError as error:
        yield Result.not_checked(f"{error}.")
        return
    rows = _sampled_rows(installation)
    unreadable = [row for row in rows if not _decrypts(vault, row)]
    sample = plural(len(rows), "secret in the sample", "secrets in the sample")
    former = [row for row in rows if row not in unreadable and not vault.is_current(row.sealed, owner_id=row.owner_id)]
    if unreadable:
        yield Result.error(
            f"The master key decrypts {len(rows) - len(unreadable)} of {sample}.",
            "Add the key that encrypted them to ONBOARDING_MASTER_KEY, behind the first one if it is a former key;"
            " without it, keys cannot be shown and projects cannot be published.",
        )
    if former:
        yield Result.warning(
            f"A former master key is still needed for {len(former)} of {sample}.",
            "Run `onboarding keys re-encrypt` after every process has the new key in the first place.",
        )
    if not unreadable and not former:
        yield Result.ok(f"The master key decrypts {len(rows)} of {sample}.")


def _sampled_rows(installation: Installation) -> list[EncryptedRow]:
    rows: list[EncryptedRow] = []
    with installation.database() as database, database.reading() as session:
        for where in ENCRYPTED_TABLES:
            rows += next(where.pages(session, _SAMPLE), [])
    return rows


def _decrypts(vault: KeyVault, row: EncryptedRow) -> bool:
    try:
        vault.decrypt(row.sealed, owner_id=row.owner_id)
    except InvalidTag:
        return False
    return True


def check_assignment_keys(installation: Installation) -> Iterator[Result]:
    """Compare the fingerprints of the keys of edges and of this environment. In a rotation their order differs."""
    found = dict(_fingerprints(installation))
    signing = {keys[0] for keys in found.values()}
    mismatches = [
        f"{place} does not accept tokens that {other} signs"
        for place, keys in found.items()
        for other, others in found.items()
        if others[0] not in keys
    ]
    if len(found) < 2:  # noqa: PLR2004 - a comparison needs two
        yield Result.not_checked("A comparison needs two places: name edges with --edge-url.")
    elif mismatches:
        yield Result.error(
            f"The keys of assignment tokens differ: {mismatches[0]}.",
            "Give every edge and management the same ONBOARDING_ASSIGNMENT_KEYS, or devices change their variants.",
        )
    else:
        more = "; a rotation is in progress" if len(signing) > 1 else ""
        yield Result.ok(f"{len(found)} places have the same keys of assignment tokens{more}.")


def _fingerprints(installation: Installation) -> Iterator[tuple[str, list[str]]]:
    try:
        keys = assignment_keys_of(assignment_keys(installation.settings))
        yield "this environment", AssignmentTokens(keys).fingerprints
    except SettingsError:
        # The edges are still compared with each other.
        pass
    for url in installation.edge_urls:
        try:
            _, response = get_json(url, "/health/ready")
        except UnreachableError:
            # The check of services reports it.
            continue
        reported = response.get("assignment_keys")
        if isinstance(reported, list) and reported:
            yield f"the edge at {url}", [str(fingerprint) for fingerprint in reported]
