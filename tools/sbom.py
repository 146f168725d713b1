"""Writes the bill of materials: every package that the image installs, with its hashes, as CycloneDX JSON."""

import json
import subprocess
import sys
from pathlib import Path

from common.version import VERSION

_ROOT = Path(__file__).parents[1]
#: The warning is that a lock file has no dependencies between packages.
_PROGRAM = ("-W", "ignore::UserWarning", "-m", "cyclonedx_py", "requirements")
_OPTIONS = ("--mc-type", "application", "--spec-version", "1.6", "--output-reproducible", "--validate")


def main() -> None:
    """Write it to the file that is named."""
    write_bill_of_materials(Path(sys.argv[1]))


def write_bill_of_materials(target: Path) -> None:
    """Write what requirements/image.txt pins. Raises CalledProcessError when the program that makes it fails."""
    inputs = ("--pyproject", str(_ROOT / "pyproject.toml"), str(_ROOT / "requirements" / "image.txt"))
    subprocess.run((sys.executable, *_PROGRAM, *_OPTIONS, "--output-file", str(target), *inputs), check=True)
    # The version stands in the code, where the program does not look.
    bill = json.loads(target.read_text())
    bill["metadata"]["component"]["version"] = VERSION
    target.write_text(json.dumps(bill, indent=2) + "\n")


if __name__ == "__main__":
    main()
