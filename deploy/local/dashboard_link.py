"""The line with the link to the dashboard, which is built beside the start of the stack."""

import threading
import time
from collections.abc import Callable

from management_api.dashboard.files import DashboardFiles

_POLL_SECONDS = 0.5


def dashboard_line(management_url: str, token: str) -> str:
    """Return the line with a link that signs in."""
    return f"dashboard   {management_url}/dashboard/#token={token}"


def report_when_built(files: DashboardFiles, report: Callable[[], None]) -> None:
    """Call a function in another thread, once the dashboard can be opened."""

    def wait() -> None:
        while not files.is_built:
            time.sleep(_POLL_SECONDS)
        report()

    threading.Thread(target=wait, name="dashboard link", daemon=True).start()
