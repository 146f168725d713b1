"""The command `onboarding`: the processes of the service, their administration, and in a clone the local stack."""

import signal
import sys
from typing import Annotated, NoReturn

import typer

from cli.analytics import analytics_commands
from cli.audit import audit_commands
from cli.config import config_commands
from cli.demo.command import demo_commands
from cli.doctor.command import doctor
from cli.errors import NotComparedError
from cli.events import event_commands
from cli.flows.command import flow_commands
from cli.keys import key_commands
from cli.local_stack import has_stack, stack_commands
from cli.processes import process_commands
from cli.projects import project_commands
from cli.snapshots import snapshot_commands
from cli.users import user_commands
from common.errors import OnboardingError, SettingsError
from common.version import VERSION

_USAGE_ERROR = 2
_NOT_COMPARED = 2
_FAILURE = 1

app = typer.Typer(
    name="onboarding",
    help="Onboarding flows for mobile apps: the processes of the service and their administration. Settings come from"
    " the environment. Exit status: 0 success, 1 an error or a finding, 2 a wrong option or setting, or a comparison"
    " that was not possible.",
    no_args_is_help=True,
    add_completion=False,
    # It joins the lines of a paragraph of a docstring.
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
if has_stack():
    app.add_typer(stack_commands)
app.add_typer(process_commands)
app.add_typer(event_commands)
app.add_typer(snapshot_commands)
app.add_typer(analytics_commands)
app.add_typer(config_commands)
app.add_typer(key_commands)
app.add_typer(project_commands)
app.add_typer(user_commands)
app.add_typer(audit_commands)
app.add_typer(flow_commands)
app.add_typer(demo_commands)
app.command()(doctor)


def _print_version(is_wanted: bool) -> None:  # noqa: FBT001 - typer calls it with the value of the option
    if is_wanted:
        print(f"onboarding {VERSION}")
        raise typer.Exit


@app.callback()
def options(
    *,
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Take the options of the command itself."""


def main() -> None:
    """Run the command line. An expected error is a line for each cause, without a traceback."""
    try:
        app(prog_name="onboarding")
    except SettingsError as error:
        _fail(_USAGE_ERROR, *error.messages)
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


if __name__ == "__main__":
    main()
