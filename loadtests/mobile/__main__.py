"""Loads the running stack as phones do: `python -m loadtests.mobile`, in the environment that `make load` makes."""

import os
import sys
import time
from pathlib import Path

from loadtests.mobile.running_stack import NoStackError, find_running_stack

_REPORTS = Path("load-reports")


def main() -> None:
    """Check that there is something to load, and become locust."""
    try:
        stack = find_running_stack()
    except NoStackError as error:
        sys.exit(f"load: {error}")
    _REPORTS.mkdir(exist_ok=True)
    report = _REPORTS / f"{time.strftime('%Y%m%d-%H%M%S')}.html"
    print(f"loading {stack.edge_url}; the report will be {report}", flush=True)
    locust = Path(sys.executable).with_name("locust")
    arguments = [
        *(str(locust), "--locustfile", str(Path(__file__).with_name("locustfile.py"))),
        *("--headless", "--only-summary", "--loglevel", "WARNING", "--html", str(report), *sys.argv[1:]),
    ]
    os.execv(locust, arguments)  # noqa: S606 - no shell is wanted


if __name__ == "__main__":
    main()
