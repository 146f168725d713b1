"""Runs the tests that failed in the last run of pytest once more, alone, and writes them down.

Tests of timeouts and races share few processors with thousands of others. A race passes alone, and a defect fails
again. A test that needs the second run is a defect of the test, so the names are kept, and more than two fail the run.
"""

import json
import subprocess
import sys
from pathlib import Path

MOST = 2


def main() -> int:
    """Run the failed tests of this clone."""
    return run_failed(Path(__file__).parents[1])


def run_failed(folder: Path) -> int:
    """Return 0 if at most two tests of the folder's last run failed, and all of them pass now.

    Their names are added to `failed-tests.txt` in the folder, one a line, which git ignores.
    """
    last_failed = folder / ".pytest_cache" / "v" / "cache" / "lastfailed"
    failed = sorted(json.loads(last_failed.read_text())) if last_failed.exists() else []
    if not failed:
        print("The run failed without a failed test.")
        return 1
    with (folder / "failed-tests.txt").open("a") as file:
        file.writelines(f"{name}\n" for name in failed)
    print(f"{len(failed)} tests failed at first; failed-tests.txt has their names:", *failed, sep="\n  ")
    if len(failed) > MOST:
        print(f"They do not run again, because they are more than {MOST}.")
        return 1
    print("They run again, alone.", flush=True)
    again = ("-x", "--last-failed", "--last-failed-no-failures", "none", "--durations=0")
    return subprocess.run((sys.executable, "-m", "pytest", *again), cwd=folder, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
