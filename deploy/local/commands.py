"""The commands of the local stack: `up`, `postgresql`, `token`, `seed-demo`."""

import os
from contextlib import suppress
from pathlib import Path

from rich.console import Console

from cli.demo import project as demo_project
from cli.demo.identity import DevelopmentIdentity
from cli.settings import CommandSettings
from common.settings.sources import read_settings
from deploy.local.errors import StopRequested
from deploy.local.postgresql_server import PostgresqlServer
from deploy.local.settings import StackSettings
from deploy.local.stack import Stack
from deploy.local.startup_summary import write_demo_file
from deploy.local.state_folder import StateFolder
from deploy.local.supervision.shutdown import Shutdown
from deploy.local.supervision.supervisor import Supervisor

_READY_SECONDS = 60.0


def run_stack(started_at: float | None, parent: int | None) -> None:
    """Run the whole stack until a stop is requested, by a signal or by the death of the parent process."""
    settings = read_settings(StackSettings)
    shutdown = Shutdown(parent)
    shutdown.listen()
    with suppress(StopRequested):
        Stack(settings, StateFolder(settings.state_dir), shutdown).run(started_at)


def run_postgresql() -> None:
    """Run PostgreSQL until a stop is requested, and print its URL, with the password, when it is ready."""
    state = StateFolder(read_settings(CommandSettings).state_dir)
    shutdown = Shutdown(None)
    shutdown.listen()
    state.make()
    lock = state.lock()
    server = PostgresqlServer(state)
    supervisor = Supervisor(state, shutdown)
    try:
        with suppress(StopRequested):
            supervisor.add(server.spec())
            supervisor.run_until(server.is_ready, server.name, within=_READY_SECONDS)
            print(server.url, flush=True)
            supervisor.run()
    finally:
        supervisor.stop()
        os.close(lock)


def print_token(email: str) -> None:
    """Print a JWT of the development identity."""
    print(DevelopmentIdentity(_state_folder(None).subfolder("identity")).token(email))


def seed_demo_project(management_url: str | None, state_dir: Path | None) -> None:
    """Create the demo project unless it exists, and write `demo.json`."""
    settings = read_settings(StackSettings)
    state = _state_folder(state_dir)
    token = DevelopmentIdentity(state.subfolder("identity")).token(demo_project.DEMO_EMAIL)
    demo = demo_project.seed_demo_project(management_url or settings.management_url, token)
    write_demo_file(state, settings, demo, token)
    Console(stderr=True).print(f"Demo project {demo.project_id}; its keys are in {state.demo_file}", highlight=False)


def _state_folder(path: Path | None) -> StateFolder:
    state = StateFolder(path or read_settings(CommandSettings).state_dir)
    state.make()
    return state
