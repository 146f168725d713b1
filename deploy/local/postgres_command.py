"""The embedded PostgreSQL alone, for benchmarks and for looking at a stack's data while the stack is down."""

import os

from deploy.local.postgresql_server import PostgresqlServer
from deploy.local.shutdown import Shutdown
from deploy.local.state_folder import StateFolder
from deploy.local.supervisor import Supervisor

_READY_SECONDS = 60.0


def run_postgresql(state: StateFolder, stop_signals: Shutdown) -> None:
    """Run it until a stop is asked for, which raises StopRequested; prints its URL, with the password, when ready."""
    state.make()
    lock = state.take()
    server = PostgresqlServer(state)
    supervisor = Supervisor(state, stop_signals)
    try:
        supervisor.add(server.program())
        supervisor.run_until(server.is_ready, server.name, within=_READY_SECONDS)
        print(server.url, flush=True)
        supervisor.run()
    finally:
        supervisor.stop()
        os.close(lock)
