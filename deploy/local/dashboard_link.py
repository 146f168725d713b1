"""The line with the link to the dashboard, which is built beside the start of the stack."""

import threading
import time
from collections.abc import Callable

from deploy.local.settings import StackSettings
from management_api.dashboard.development import sign_in_path
from management_api.dashboard.files import DashboardFiles

_POLL_SECONDS = 0.5


def dashboard_line(settings: StackSettings, token: str) -> str:
    """Return the line with a short link that signs in."""
    return f"Open {settings.public_management_url}{sign_in_path(token)}"


def report_when_built(files: DashboardFiles, report: Callable[[], None]) -> None:
    """Call a function in another thread, once the dashboard can be opened."""

    def wait() -> None:
        while not files.is_built:
            time.sleep(_POLL_SECONDS)
        report()

    threading.Thread(target=wait, name="dashboard link", daemon=True).start()
