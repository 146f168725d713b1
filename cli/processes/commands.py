"""The commands that run the processes of the service, and the one that migrates the database."""

import typer

from common.settings.sources import read_settings

process_commands = typer.Typer()


@process_commands.command()
def edge() -> None:
    """Run the edge, which resolves flows for devices and accepts their events."""
    from cli.processes.start import start_process
    from edge_api.main import serve
    from edge_api.settings import EdgeSettings

    serve(start_process(EdgeSettings, "edge"))


@process_commands.command()
def management() -> None:
    """Run the management service, the API of dashboards and integrations."""
    from cli.processes.start import start_process
    from management_api.main import serve
    from management_api.settings import ManagementSettings

    serve(start_process(ManagementSettings, "management"))


@process_commands.command()
def publisher() -> None:
    """Run the publisher, which writes snapshots of changed projects to Redis."""
    from cli.processes.start import start_process
    from publisher.main import run
    from publisher.settings import PublisherSettings

    run(start_process(PublisherSettings, "publisher"))


@process_commands.command()
def consumer() -> None:
    """Run the event consumer, which moves events from Redis to PostgreSQL and counts them."""
    from cli.processes.start import start_process
    from management_api.event_consumer.main import run
    from management_api.event_consumer.settings import ConsumerSettings

    run(start_process(ConsumerSettings, "consumer"))


@process_commands.command()
def migrate() -> None:
    """Bring the database to the schema of this release, and name each applied revision."""
    from rich.console import Console

    from cli.connections import server_errors_as_one_line
    from cli.console import plural
    from common.settings.shared import DirectDatabaseSettings
    from management_api.db.migrate import SchemaFit
    from management_api.db.migrate import migrate as migrate_database

    settings = read_settings(DirectDatabaseSettings)
    console = Console(stderr=True)
    applied: list[str] = []

    def print_revision(revision: str) -> None:
        applied.append(revision)
        console.print(f"applied {revision}", highlight=False)

    with server_errors_as_one_line(), console.status("Migrating the database"):
        fit = migrate_database(settings, print_revision)
    if fit is SchemaFit.NEWER:
        message = "The schema is of a newer release, which supports this one; nothing was done."
    else:
        message = f"The schema is current; {plural(len(applied), 'revision')} applied."
    console.print(message, highlight=False)
