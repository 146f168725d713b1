"""The work of `onboarding keys`."""

from rich.console import Console
from rich.table import Table

from cli.connections import master_key, open_database
from cli.console import progress_bars
from cli.settings import CommandSettings
from management_api.db.key_vault import KeyVault
from management_api.key_rotation import ReencryptionCount, count_encrypted, reencrypt


def reencrypt_secrets(settings: CommandSettings, *, check: bool) -> bool:
    """Encrypt all secrets with the first master key, or with `check` count them; return whether that key is enough."""
    console = Console(stderr=True)
    vault = KeyVault(master_key(settings))
    work, name = (count_encrypted, "counting secrets") if check else (reencrypt, "re-encrypting secrets")
    with open_database(settings) as database, progress_bars(console) as progress:
        task = progress.add_task(name, total=None)
        counts = work(database, vault, lambda done, total: progress.update(task, completed=done, total=total))
    Console().print(_table(counts))
    console.print(_conclusion(counts), highlight=False)
    return not any(count.former or count.unreadable for count in counts)


def _table(counts: list[ReencryptionCount]) -> Table:
    table = Table("secrets", "rows", "re-encrypted now", "under a former key", "under none of these keys")
    for count in counts:
        numbers = (count.rows, count.reencrypted, count.former, count.unreadable)
        table.add_row(count.name, *(f"{number:,}" for number in numbers))
    return table


def _conclusion(counts: list[ReencryptionCount]) -> str:
    if any(count.unreadable for count in counts):
        return "No master key decrypts some of the rows: is one missing in ONBOARDING_MASTER_KEY? Remove none."
    if any(count.former for count in counts):
        return "A former master key is still needed; remove none, run `onboarding keys re-encrypt`."
    return "The first master key decrypts everything; the others can be removed."
