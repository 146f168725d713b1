"""`onboarding config`: whether the processes would start in this environment, and with which settings."""

import json
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated

import typer

config_commands = typer.Typer(name="config", help="The settings of this environment.", no_args_is_help=True)

_WRONG = 1


class Process(StrEnum):
    """Whose settings are meant."""

    EDGE = "edge"
    MANAGEMENT = "management"
    PUBLISHER = "publisher"
    CONSUMER = "consumer"
    ALL = "all"

    def names(self) -> list[str]:
        """Name the process, or all of them."""
        return [each.value for each in Process if each is not Process.ALL] if self is Process.ALL else [self.value]


OfProcess = Annotated[Process, typer.Option("--process", help="Whose settings.")]


@config_commands.command()
def check(process: OfProcess = Process.ALL) -> None:
    """Say for each process whether it would start, or what is wrong; exits with 1 if anything is. Shows no values."""
    from cli.process_settings import unknown_variables
    from cli.validate import complaints_by_process

    found = complaints_by_process(process.names())
    for name, complaints in found.items():
        print(f"{name}: {'wrong' if complaints else 'ok'}", *(f"  {complaint}" for complaint in complaints), sep="\n")
    for unknown in unknown_variables():
        print(f"warning: {unknown}")
    if any(found.values()):
        raise typer.Exit(_WRONG)


@config_commands.command()
def show(
    process: OfProcess = Process.ALL,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output, for programs.")] = False,
) -> None:
    """Print the settings in effect and the variable that each comes from; secrets are masked."""
    from cli.effective_settings import effective_settings

    found = {name: effective_settings(name) for name in process.names()}
    if as_json:
        print(json.dumps({name: [asdict(each) for each in settings] for name, settings in found.items()}, indent=2))
        return
    for name, settings in found.items():
        print(f"[{name}]")
        for each in settings:
            print(f"{each.variable}={each.value}  # {each.source or 'default'}")
        print()
