"""The command `onboarding`: the processes of the service, their administration, and in a clone the local stack."""

import signal
import sys
from typing import Annotated, Any, NoReturn

import typer
import typer.main
from typer.core import TyperGroup, TyperOption

from cli.data.analytics import analytics_commands
from cli.data.events import event_commands
from cli.data.keys import key_commands
from cli.data.snapshots import snapshot_commands
from cli.demo.command import demo_commands
from cli.doctor.command import doctor
from cli.errors import FAILURE, UNAVAILABLE, USAGE_ERROR, NotComparedError, ServerUnavailableError
from cli.flows.command import bundle, flow_commands
from cli.people.audit import audit_commands
from cli.people.devices import device_commands
from cli.people.projects import project_commands
from cli.people.users import user_commands
from cli.processes.commands import process_commands
from cli.processes.config import config_commands
from cli.processes.local_stack import has_stack, stack_commands
from common.errors import OnboardingError, SettingsError, UnavailableError
from common.version import VERSION

app = typer.Typer(
    name="onboarding",
    help="Onboarding flows for mobile apps: the processes of the service and their administration. Settings come from"
    " the environment. Exit status: 0 success, 1 an error or a finding, 2 a wrong option or setting, or a comparison"
    " that was not possible, 3 a server that does not respond.",
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
app.add_typer(device_commands)
app.add_typer(audit_commands)
app.add_typer(flow_commands)
app.add_typer(demo_commands)
app.command()(bundle)
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


def command_line() -> Any:  # noqa: ANN401 - Typer's type is private
    """Return the command. A flag takes no value, so the help shows no type behind it."""
    command = typer.main.get_command(app)
    _hide_types_of_flags(command)
    return command


def _hide_types_of_flags(command: Any) -> None:  # noqa: ANN401 - Typer's type is private
    for parameter in command.get_params(typer.Context(command)):
        if isinstance(parameter, TyperOption) and parameter.is_flag:
            parameter.metavar = ""
    for part in command.commands.values() if isinstance(command, TyperGroup) else ():
        _hide_types_of_flags(part)


def main() -> None:
    """Run the command line. An expected error is a line for each cause, without a traceback."""
    try:
        command_line()(prog_name="onboarding")
    except SettingsError as error:
        _fail(USAGE_ERROR, *error.messages)
    except NotComparedError as error:
        _fail(USAGE_ERROR, str(error))
    except (ServerUnavailableError, UnavailableError) as error:
        _fail(UNAVAILABLE, str(error))
    except OnboardingError as error:
        _fail(FAILURE, str(error))
    except OSError as error:
        _fail(FAILURE, f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")


def _fail(code: int, *lines: str) -> NoReturn:
    # A signal that arrives now must not turn the lines into a traceback.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    print(*(f"onboarding: {line}" for line in lines), sep="\n", file=sys.stderr, flush=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
