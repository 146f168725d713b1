"""`onboarding config`: the settings of this environment, checked and printed."""

from enum import StrEnum
from typing import Annotated

import typer

from cli.console import print_json

config_commands = typer.Typer(name="config", help="The settings of this environment.", no_args_is_help=True)

_INVALID = 1


class Process(StrEnum):
    """A process of the service, or all."""

    EDGE = "edge"
    MANAGEMENT = "management"
    PUBLISHER = "publisher"
    CONSUMER = "consumer"
    ALL = "all"

    def names(self) -> list[str]:
        """Return the name of the process, or all names."""
        return [process.value for process in Process if self in {process, Process.ALL} and process is not Process.ALL]


ProcessOption = Annotated[Process, typer.Option("--process", help="Only the settings of this process.")]


@config_commands.command()
def check(process: ProcessOption = Process.ALL) -> None:
    """Report for each process whether it would start, without showing values.

    A host often has the settings of some processes only. Without `--process`, missing settings are an error if no
    process would start. Exits with 1 on an error.
    """
    from cli.processes.config_actions import is_only_incomplete, messages_by_process
    from cli.processes.start import unknown_variables

    messages_of = messages_by_process(process.names())
    states: list[str] = []
    for name, messages in messages_of.items():
        is_incomplete = process is Process.ALL and is_only_incomplete(messages)
        states.append("ok" if not messages else "incomplete" if is_incomplete else "wrong")
        print(f"{name}: {states[-1]}", *(f"  {message}" for message in messages), sep="\n")
    for unknown in unknown_variables():
        print(f"warning: {unknown}")
    if "wrong" in states or "ok" not in states:
        raise typer.Exit(_INVALID)


@config_commands.command()
def show(
    process: ProcessOption = Process.ALL,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output, for programs.")] = False,
) -> None:
    """Print the effective settings and the variable that each comes from; secrets are masked.

    A setting that is missing or wrong has the reason instead.
    """
    from cli.processes.config_actions import effective_settings

    settings_of = {name: effective_settings(name) for name in process.names()}
    if as_json:
        print_json(settings_of)
        return
    for name, settings in settings_of.items():
        print(f"[{name}]")
        for setting in settings:
            print(f"{setting.variable}={setting.value}  # {setting.error or setting.source or 'default'}")
        print()
