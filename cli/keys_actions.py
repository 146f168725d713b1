"""What the commands of `onboarding keys` do: go through what the master key has sealed, and print."""

from contextlib import closing

from pydantic import SecretStr
from rich.console import Console
from rich.table import Table

from cli.progress_bars import progress_bars
from cli.server_addresses import database_address
from cli.server_errors import server_errors_as_one_line
from cli.stack_keys import master_key_of
from common.settings.shared import DatabaseSettings
from deploy.local.settings import StackSettings
from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.key_rotation import ReencryptionCount, count_encrypted, reencrypt


def reseal_everything(settings: StackSettings, *, check: bool) -> bool:
    """Seal everything anew, or with `check` only count; tells whether the first master key alone is enough now."""
    console = Console(stderr=True)
    vault = KeyVault(master_key_of(settings))
    address = SecretStr(database_address(settings))
    work, name = (count_encrypted, "looking") if check else (reencrypt, "resealing")
    with (
        server_errors_as_one_line(),
        closing(Database(DatabaseSettings(database_url=address))) as database,
        progress_bars(console) as progress,
    ):
        task = progress.add_task(name, total=None)
        counts = work(database, vault, lambda done, total: progress.update(task, completed=done, total=total))
    Console().print(_table(counts))
    left = sum(count.former + count.unreadable for count in counts)
    console.print(_conclusion(counts, left), highlight=False)
    return left == 0


def _table(counts: list[ReencryptionCount]) -> Table:
    table = Table("sealed", "rows", "sealed anew now", "under a former key", "under none of these keys")
    for count in counts:
        figures = (count.rows, count.reencrypted, count.former, count.unreadable)
        table.add_row(count.name, *(f"{figure:,}" for figure in figures))
    return table


def _conclusion(counts: list[ReencryptionCount], left: int) -> str:
    if left == 0:
        return "Everything is sealed by the first master key; those behind it can be dropped."
    if any(count.unreadable for count in counts):
        return "Some rows are opened by none of the master keys: is one missing in ONBOARDING_MASTER_KEY? Drop none."
    return "A former master key is still needed; drop none, run `onboarding keys reseal`."
