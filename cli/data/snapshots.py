"""`onboarding snapshots`: the compiled projects in Redis."""

from typing import Annotated

import typer

from cli.console import plural, progress_bars
from cli.errors import CommandError
from common.settings.sources import read_settings

snapshot_commands = typer.Typer(name="snapshots", help="The snapshots of projects in Redis.", no_args_is_help=True)


@snapshot_commands.callback()
def snapshots() -> None:
    """Keep `rebuild` a subcommand, although it is the only one."""


@snapshot_commands.command()
def rebuild(
    *,
    adopt_redis: Annotated[
        bool,
        typer.Option(
            "--adopt-redis",
            help="Give a Redis with the snapshots of another database to this one. Its projects are deleted there.",
        ),
    ] = False,
) -> None:
    """Write the snapshots of all projects to Redis again, for instance after Redis was lost."""
    from rich.console import Console

    from cli.connections import server_errors_as_one_line
    from publisher.main import rebuild_all
    from publisher.settings import PublisherSettings

    settings = read_settings(PublisherSettings)
    console = Console(stderr=True)
    attempts = 0
    with server_errors_as_one_line(), progress_bars(console) as progress:
        task = progress.add_task("rebuilding snapshots", total=None)

        def show_progress(done: int, total: int) -> None:
            nonlocal attempts
            attempts = done
            progress.update(task, completed=done, total=total)

        count = rebuild_all(settings, show_progress, adopt_redis=adopt_redis)
    console.print(f"{plural(count, 'snapshot')} rebuilt.", highlight=False)
    if attempts > count:
        failed = plural(attempts - count, "snapshot")
        raise CommandError(f"{failed} could not be rebuilt; `publication.failed` above names each project and reason")
