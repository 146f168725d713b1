"""The measured process has a processor of its own; in the wrong order it would share that of the load generator."""

import json
import subprocess
import sys
from pathlib import Path

from loadtests.measurement.cpu_affinity import processors

_REPOSITORY = Path(__file__).parents[4]
#: A program of its own, since it pins itself too.
_PINS_ITS_CHILD = """
import json, os, subprocess, sys
from loadtests.measurement.cpu_affinity import pin_to_own_processor
child = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE)
has_own = pin_to_own_processor([child.pid])
print(json.dumps([has_own, sorted(os.sched_getaffinity(child.pid)), sorted(os.sched_getaffinity(0))]))
child.communicate(b"\\n")
"""


def test_measured_process_has_a_processor_of_its_own() -> None:
    output = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-c", _PINS_ITS_CHILD], cwd=_REPOSITORY, capture_output=True, check=True
    ).stdout
    first, *others = processors()
    assert json.loads(output) == ([True, [first], others] if others else [False, [first], [first]])
