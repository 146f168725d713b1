"""The local stack, which only a clone has: its commands, and its servers and keys for the other commands.

Neither the wheel nor the image has `deploy.local`, and no process imports it: the functions of this module do.
"""

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from deploy.local.running_stack import LocalStack

stack_commands = typer.Typer()


def has_stack() -> bool:
    """Return whether this is a clone, from which `deploy.local` can be imported."""
    deploy = importlib.util.find_spec("deploy")
    folders = deploy.submodule_search_locations if deploy is not None else None
    return any(Path(folder, "local", "stack.py").is_file() for folder in folders or ())


def find_local_stack(state_dir: Path) -> "LocalStack | None":
    """Return the stack that keeps its state in a folder; None where this is no clone."""
    if not has_stack():
        return None
    from deploy.local.running_stack import LocalStack

    return LocalStack(state_dir)


@stack_commands.command()
def up(
    started_at: Annotated[float | None, typer.Option(hidden=True)] = None,
    die_with_parent: Annotated[int | None, typer.Option(hidden=True)] = None,
) -> None:
    """Start the local stack in the foreground: PostgreSQL, Valkey, all processes and a demo project.

    EDGE_PORT (8080), MANAGEMENT_PORT (8081) and ONBOARDING_STATE_DIR (.local/) tell stacks apart. Services listen on
    ONBOARDING_STACK_HOST (127.0.0.1); 0.0.0.0 lets phones of the network open pages and this dashboard. With
    ONBOARDING_DATABASE_URL or ONBOARDING_REDIS_URL set, that server is used instead of an embedded one.
    """
    from deploy.local.commands import run_stack

    run_stack(started_at, die_with_parent)


@stack_commands.command()
def postgresql() -> None:
    """Run only the embedded PostgreSQL of ONBOARDING_STATE_DIR, in the foreground, and print its URL."""
    from deploy.local.commands import run_postgresql

    run_postgresql()


@stack_commands.command()
def token(email: Annotated[str, typer.Argument(help="The e-mail address of the user.")]) -> None:
    """Print a JWT of the local stack's development identity, and nothing else."""
    from deploy.local.commands import print_token

    print_token(email)


@stack_commands.command("seed-demo")
def seed_demo(
    management_url: Annotated[str | None, typer.Option(help="Default: this machine, at MANAGEMENT_PORT.")] = None,
    state_dir: Annotated[Path | None, typer.Option(help="Default: ONBOARDING_STATE_DIR.")] = None,
) -> None:
    """Create the demo project through a running management service, unless it exists, and write demo.json."""
    from deploy.local.commands import seed_demo_project

    seed_demo_project(management_url, state_dir)
