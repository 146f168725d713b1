"""How a worker learns where to leave its figures: uvicorn makes it from an import path and the environment alone."""

import os
from pathlib import Path

from common.telemetry.multiprocess_store import WorkerMetricsWriter

#: Not a setting: the supervisor makes the folder for its own workers.
_VARIABLE = "_ONBOARDING_FIGURES_FOLDER"


def leave_figures_in(folder: Path | None) -> None:
    """Have the workers that are started from now on leave their figures there; None: nowhere."""
    os.environ.pop(_VARIABLE, None)
    if folder is not None:
        os.environ[_VARIABLE] = str(folder)


def desk_of_worker() -> WorkerMetricsWriter | None:
    """Give this worker its desk, if anybody shows what is on it."""
    folder = os.environ.get(_VARIABLE)
    return None if folder is None else WorkerMetricsWriter(Path(folder))
