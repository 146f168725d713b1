"""`onboarding demo`: the parts of the profile `demo` of compose beside the processes."""

from pathlib import Path
from typing import Annotated

import typer

demo_commands = typer.Typer(name="demo", help="A demo, without an identity provider.", no_args_is_help=True)

Folder = Annotated[Path, typer.Option(help="The folder of the key pair and of the token.")]


@demo_commands.command("prepare")
def prepare(folder: Folder) -> None:
    """Make the development identity: the public key and the token that management is given."""
    from cli.demo.files import replace_file
    from cli.demo.identity import DevelopmentIdentity
    from cli.demo.project import DEMO_EMAIL

    identity = DevelopmentIdentity(folder)
    identity.write_jwks()
    replace_file(folder / "token", identity.token(DEMO_EMAIL).encode())


@demo_commands.command("seed")
def seed(
    folder: Folder,
    management_url: Annotated[str, typer.Option(help="The management service.")],
    published: Annotated[str, typer.Option(help="The address for browsers, as HOST:PORT or PORT of this machine.")],
) -> None:
    """Make the demo project unless it exists, and print the link that signs in to its dashboard.

    With ONBOARDING_DATABASE_URL the project gets thirty days of users.
    """
    from cli.demo.history import store_demo_history
    from cli.demo.project import seed_demo_project
    from cli.settings import CommandSettings
    from common.settings.sources import read_settings
    from management_api.dashboard.development import sign_in_path

    token = (folder / "token").read_text()
    demo = seed_demo_project(management_url, token)
    database_url = read_settings(CommandSettings).database_url
    if database_url is not None:
        store_demo_history(management_url, token, demo.project_id, database_url.get_secret_value())
    address = published if ":" in published else f"127.0.0.1:{published}"
    print(f"Demo project {demo.project_id}; secret key {demo.secret_key}")
    print(f"Open http://{address}{sign_in_path(token)}")
