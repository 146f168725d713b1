"""The command `onboarding doctor`; it imports the checks when it runs, because `--help` needs none of them."""

from typing import Annotated

import typer

from common.settings.sources import read_settings

_ERROR = 1

Urls = list[str] | None


def doctor(
    *,
    edge_url: Annotated[Urls, typer.Option(help="The URL of an edge; may be repeated.")] = None,
    management_url: Annotated[Urls, typer.Option(help="The URL of a management service; may be repeated.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="Run this check alone; may be repeated.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output, for programs.")] = False,
) -> None:
    """Report problems of a running installation, with remedies. It changes nothing.

    The installation is that of the environment, else the local stack of ONBOARDING_STATE_DIR. Exits with 1 on an error;
    warnings and checks that were not possible do not count.
    """
    from cli.doctor.report import show_reports
    from cli.settings import CommandSettings

    settings = read_settings(CommandSettings)
    if not show_reports(settings, edge_url or [], management_url or [], only or [], as_json=as_json):
        raise typer.Exit(_ERROR)
