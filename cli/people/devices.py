"""`onboarding devices`: the data of one device of a project, for the request of a person."""

from typing import Annotated

import typer

from common.settings.sources import read_settings

device_commands = typer.Typer(name="devices", help="The data of one device of a project.", no_args_is_help=True)

_Project = Annotated[str, typer.Argument(help="The id of the project.")]
_Device = Annotated[str, typer.Argument(help="The device's own id.")]


@device_commands.command("export")
def export(project: _Project, device: _Device) -> None:
    """Write all data of a device to standard output, as one JSON document.

    Data that waits for its erasure is left out. The audit log of the project has the export.
    """
    from cli.people.devices_actions import export_to_stdout
    from cli.settings import CommandSettings

    export_to_stdout(read_settings(CommandSettings), project, device.strip())


@device_commands.command("erase")
def erase(project: _Project, device: _Device) -> None:
    """Erase a device, for good: its events, exposures, statistics and QA override.

    Assignments go at once. A consumer removes the rest in the background, within minutes in a large project. The audit
    log of the project has the erasure.
    """
    from cli.people.devices_actions import erase_for_operator
    from cli.settings import CommandSettings

    places = erase_for_operator(read_settings(CommandSettings), project, device.strip())
    print("erased; a consumer removes the stored events in the background")
    if places:
        print(f"conditions still name the device: {', '.join(places)}")
