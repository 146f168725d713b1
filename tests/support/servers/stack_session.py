"""One local stack for the tests of a whole run that change only projects of their own."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.servers.local_stack import RunningStack
from tests.support.servers.shared_server import own_server, shared_server
from tools import web
from tools.node import WebError

#: A test may come through a gateway on this machine.
_ENVIRONMENT = {"ONBOARDING_TRUSTED_PROXIES": "127.0.0.1"}


def shared_local_stack(run_folder: Path) -> RunningStack:
    """Return the run's stack; the first call starts it. Its users neither kill nor stop it."""
    address = json.loads(shared_server(run_folder, "tests.support.servers.stack_session"))
    return RunningStack(Path(address["folder"]), _ENVIRONMENT, address["ports"])


@contextmanager
def _serve(log_file: Path) -> Iterator[str]:
    try:
        # Before the start: the services read the built files once.
        web.build()
    except (WebError, OSError) as error:
        sys.stderr.write(f"without the web parts: {error}\n")
    folder = log_file.parent / "stack"
    folder.mkdir()
    with RunningStack(folder, _ENVIRONMENT) as stack:
        yield json.dumps({"folder": str(folder), "ports": stack.ports})


if __name__ == "__main__":
    own_server(_serve)
