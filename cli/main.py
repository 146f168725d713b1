"""The command `onboarding`: every process and chore of the service, and the local stack that runs them all."""

import signal
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from cli.analytics import analytics_commands
from cli.config import config_commands
from cli.doctor.command import doctor
from cli.events import event_commands
from cli.keys import key_commands
from common.errors import OnboardingError, SettingsError
from common.settings.sources import read_settings
from deploy.local.errors import NotComparedError, StopRequested

_USAGE_ERROR = 2
_NOT_COMPARED = 2
_FAILURE = 1

app = typer.Typer(
    name="onboarding",
    help="Onboarding flows for mobile apps: the service's processes and chores. Settings come from the environment.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(event_commands)
app.add_typer(analytics_commands)
app.add_typer(config_commands)
app.add_typer(key_commands)
app.command()(doctor)


def main() -> None:
    """Run the command line; what is expected to go wrong ends in a line for each cause, never in a traceback."""
    try:
        app(prog_name="onboarding")
    except StopRequested:
        sys.exit(0)
    except SettingsError as error:
        _fail(_USAGE_ERROR, *error.complaints)
    except NotComparedError as error:
        _fail(_NOT_COMPARED, str(error))
    except OnboardingError as error:
        _fail(_FAILURE, str(error))
    except OSError as error:
        _fail(_FAILURE, f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")


def _fail(code: int, *lines: str) -> NoReturn:
    # A signal that arrives now must not turn the lines into a traceback.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    print(*(f"onboarding: {line}" for line in lines), sep="\n", file=sys.stderr, flush=True)
    sys.exit(code)


@app.command()
def up(
    started_at: Annotated[float | None, typer.Option(help="Count the time from this Unix time on.")] = None,
    die_with_parent: Annotated[int | None, typer.Option(help="Stop when the parent, of this id, does.")] = None,
) -> None:
    """Start the whole local stack in the foreground: PostgreSQL, Valkey, all processes and a demo project.

    EDGE_PORT (8080), MANAGEMENT_PORT (8081) and ONBOARDING_STATE_DIR (.local/) tell stacks apart. With
    ONBOARDING_DATABASE_URL or ONBOARDING_REDIS_URL set, that server is used instead of an embedded one.
    """
    from deploy.local.settings import StackSettings
    from deploy.local.shutdown import Shutdown
    from deploy.local.stack import Stack
    from deploy.local.state_folder import StateFolder

    settings = read_settings(StackSettings)
    stop_signals = Shutdown(die_with_parent)
    stop_signals.listen()
    Stack(settings, StateFolder(settings.state_dir), stop_signals).run(started_at)


@app.command()
def edge() -> None:
    """Run the edge: it resolves flows for devices and takes their events."""
    from cli.process_start import start_process
    from edge_api.main import serve
    from edge_api.settings import EdgeSettings

    serve(start_process(EdgeSettings, "edge"))


@app.command()
def management() -> None:
    """Run the management service: the API of dashboards and integrations."""
    from cli.process_start import start_process
    from management_api.main import serve
    from management_api.settings import ManagementSettings

    serve(start_process(ManagementSettings, "management"))


@app.command()
def publisher() -> None:
    """Run the publisher: it brings changed projects to Redis, where the edge finds them."""
    from cli.process_start import start_process
    from publisher.main import run
    from publisher.settings import PublisherSettings

    run(start_process(PublisherSettings, "publisher"))


@app.command()
def consumer() -> None:
    """Run the event consumer: it brings events from Redis to PostgreSQL and counts them."""
    from cli.process_start import start_process
    from management_api.event_consumer.main import run
    from management_api.event_consumer.settings import ConsumerSettings

    run(start_process(ConsumerSettings, "consumer"))


@app.command()
def migrate() -> None:
    """Bring the database to the schema of this release, naming each revision that is applied."""
    from cli.actions import migrate_database
    from common.settings.shared import DirectDatabaseSettings

    migrate_database(read_settings(DirectDatabaseSettings))


@app.command()
def postgresql() -> None:
    """Run the embedded PostgreSQL of ONBOARDING_STATE_DIR alone, in the foreground, and print its URL."""
    from deploy.local.postgres_command import run_postgresql
    from deploy.local.settings import StateSettings
    from deploy.local.shutdown import Shutdown
    from deploy.local.state_folder import StateFolder

    settings = read_settings(StateSettings)
    stop_signals = Shutdown(None)
    stop_signals.listen()
    run_postgresql(StateFolder(settings.state_dir), stop_signals)


@app.command()
def republish(
    *, everything: Annotated[bool, typer.Option("--all", help="Every project; nothing less is offered yet.")] = False
) -> None:
    """Rebuild the snapshots in Redis from the database, for instance after Redis was lost."""
    from cli.actions import republish_projects
    from publisher.settings import PublisherSettings

    if not everything:
        raise SettingsError("say what to republish: --all")
    republish_projects(read_settings(PublisherSettings))


@app.command()
def token(email: Annotated[str, typer.Argument(help="Whose token: an e-mail address.")]) -> None:
    """Print a JWT of the local stack's development identity, and nothing else."""
    from deploy.local.identity import DevelopmentIdentity
    from deploy.local.settings import StateSettings
    from deploy.local.state_folder import StateFolder

    state = StateFolder(read_settings(StateSettings).state_dir)
    state.make()
    print(DevelopmentIdentity(state).token(email))


@app.command("seed-demo")
def seed_demo(
    management_url: Annotated[str | None, typer.Option(help="Default: this machine's, at MANAGEMENT_PORT.")] = None,
    state_dir: Annotated[Path | None, typer.Option(help="Default: ONBOARDING_STATE_DIR.")] = None,
) -> None:
    """Make the demo project through a running management service, where it is missing, and write demo.json."""
    from cli.actions import seed_demo_into
    from deploy.local.settings import StackSettings

    seed_demo_into(read_settings(StackSettings), management_url, state_dir)


if __name__ == "__main__":
    main()
