"""The running stack that is loaded: the one that wrote `demo.json` into the state folder."""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

_HINT = "start one with `make run` in another terminal"
_TIMEOUT_SECONDS = 5


class NoStackError(Exception):
    """No stack runs; the message is one line."""


@dataclass(frozen=True, slots=True)
class RunningStack:
    """The edge, and the demo project's credentials."""

    edge_url: str
    project_id: str
    secret_key: str = field(repr=False)

    @property
    def is_on_this_machine(self) -> bool:
        """Whether it listens on the loopback interface, which has millions of client addresses."""
        return (urlsplit(self.edge_url).hostname or "").startswith("127.")


def find_running_stack() -> RunningStack:
    """Return the stack of ONBOARDING_STATE_DIR. Raises NoStackError if it does not respond."""
    file = Path(os.environ.get("ONBOARDING_STATE_DIR") or ".local") / "demo.json"
    try:
        demo = json.loads(file.read_text())
        stack = RunningStack(demo["edge_url"], demo["project_id"], demo["secret_key"])
    except FileNotFoundError:
        raise NoStackError(f"no stack is running: there is no {file}; {_HINT}") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NoStackError(f"{file} cannot be used ({type(error).__name__}); {_HINT}") from error
    try:
        with urlopen(f"{stack.edge_url}/health/ready", timeout=_TIMEOUT_SECONDS):  # noqa: S310 - the stack's own
            return stack
    except HTTPError as error:
        raise NoStackError(f"the edge at {stack.edge_url} is not ready (status {error.code})") from error
    except OSError as error:
        raise NoStackError(f"no response from {stack.edge_url}; {_HINT}") from error
