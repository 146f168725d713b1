"""`onboarding doctor`: what is wrong with a running installation, and what to do about it."""

from typing import Annotated

import typer

from common.settings.sources import read_settings

_WRONG = 1

Urls = list[str] | None


def doctor(
    *,
    edge_url: Annotated[Urls, typer.Option(help="An edge to ask; may be given again.")] = None,
    management_url: Annotated[Urls, typer.Option(help="A management service to ask; may be given again.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output, for programs.")] = False,
) -> None:
    """Say in plain sentences what is wrong with a running installation, and what to do. It changes nothing.

    Looks at what the environment names, else at the local stack of ONBOARDING_STATE_DIR. Exits with 1 when something is
    wrong; warnings, and what could not be looked at, are no reason.
    """
    from cli.doctor.report import show_reports
    from deploy.local.settings import StackSettings

    settings = read_settings(StackSettings)
    if not show_reports(settings, edge_url or [], management_url or [], as_json=as_json):
        raise typer.Exit(_WRONG)
