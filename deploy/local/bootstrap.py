"""First step of every make target: any Python can read this file; one that is too old looks for a newer one.

Only syntax that Python 2.7 knows. The work is done by `virtual_environment.py`, which needs Python 3.11.
"""

import os
import subprocess
import sys

NEEDED = 0x030B0000  # as sys.hexversion spells 3.11
NEWER_NAMES = ("python3.14", "python3.13", "python3.12", "python3.11")
IS_NEW_ENOUGH = "import sys; sys.exit(sys.version_info < (3, 11))"

if __name__ == "__main__":
    if sys.hexversion >= NEEDED:
        sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        from deploy.local.virtual_environment import main

        sys.exit(main(sys.argv[1:]))
    with open(os.devnull, "w") as nowhere:
        for name in NEWER_NAMES:
            for folder in os.environ.get("PATH", "").split(os.pathsep):
                found = os.path.join(folder, name)
                # Trying it out: version switchers put commands on the path that only say "not installed".
                if os.access(found, os.X_OK) and subprocess.call([found, "-c", IS_NEW_ENOUGH], stderr=nowhere) == 0:
                    os.execv(found, [found] + sys.argv)  # noqa: S606 - no shell is wanted
    sys.stderr.write(
        "setup: Python 3.11 or newer is needed, %s is %s; name another with PYTHON=...\n"
        % (sys.executable, sys.version.split()[0])
    )
    sys.exit(1)
