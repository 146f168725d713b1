"""`onboarding audit`: the audit logs of all projects and of the installation."""

import sys
from contextlib import closing
from datetime import datetime
from typing import Annotated

import typer

from common.errors import SettingsError
from common.settings.sources import read_settings
from common.timestamps import parse_timestamp

audit_commands = typer.Typer(name="audit", help="The audit logs of the installation.", no_args_is_help=True)


@audit_commands.callback()
def audit() -> None:
    """Keep `export` a subcommand, although it is the only one."""


@audit_commands.command("export")
def export(
    *,
    since: Annotated[str, typer.Option(help="The first time, as 2026-11-01T00:00:00Z, or the first day in UTC.")],
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV instead of JSON lines.")] = False,
) -> None:
    """Write the entries of all projects and of the installation to standard output, the oldest first.

    An entry may appear up to a minute behind its time. A collector asks for the last minute again, and drops entries by
    their ids.
    """
    from cli.connections import open_database
    from cli.settings import CommandSettings
    from management_api.audit.export import AuditFormat, export_all_logs

    first = _time_of(since)
    file_format = AuditFormat.CSV if as_csv else AuditFormat.JSON_LINES
    with open_database(read_settings(CommandSettings)) as database, closing(database.column_reader()) as reader:
        for lines in export_all_logs(reader, first, file_format):
            sys.stdout.buffer.write(lines)


def _time_of(since: str) -> datetime:
    """Return a time, or the start of a day. Raises SettingsError."""
    try:
        return parse_timestamp(f"{since}T00:00:00Z" if len(since) == len("2026-11-01") else since)
    except ValueError:
        raise SettingsError("--since: must be a time, as 2026-11-01T00:00:00Z, or a day, as 2026-11-01") from None
