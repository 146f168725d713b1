"""The releases whose processes a test runs: that of the sources, and one of the history of git."""

import io
import os
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Self

_ROOT = Path(__file__).parents[3]


@dataclass(frozen=True, slots=True)
class Release:
    """The sources of a release, and the interpreter of an environment with its packages."""

    sources: Path
    python: str

    @classmethod
    def from_history(cls, commit: str, folder: Path) -> Self:
        """Write the sources of a commit into a folder, with an environment by its own lock file."""
        archive = subprocess.run(["git", "archive", commit], cwd=_ROOT, capture_output=True, check=True)  # noqa: S603, S607 - git of the machine
        sources, environment = folder / "sources", folder / "environment"
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
            # Python before 3.11.4 has no filters. The archive is one of this repository.
            files.extraction_filter = getattr(tarfile, "data_filter", None)
            files.extractall(sources)  # noqa: S202
        bootstrap = sources / "tools" / "bootstrap.py"
        subprocess.run([sys.executable, bootstrap, "--venv", environment, "runtime"], check=True)  # noqa: S603 - our own program
        return cls(sources, str(environment / "bin" / "python"))

    def environment(self, variables: dict[str, str]) -> dict[str, str]:
        """Return the environment of a process: that of the test without settings, the sources, the variables."""
        own = {name: value for name, value in os.environ.items() if not name.startswith("ONBOARDING_")}
        return {**own, "PYTHONPATH": str(self.sources), **variables}


THIS_RELEASE = Release(_ROOT, sys.executable)
