"""Builds and checks the TypeScript SDK. It has a lock file of its own, so that `make web` does not install its tools.

The engine of the hosted pages is bundled from `web/flow`, whose packages must be installed.
"""

from pathlib import Path

from tools.node import ROOT, install_packages, shown, workspace_lock

SDK = ROOT / "sdks" / "typescript"
_WEB = ROOT / "web"


def install() -> None:
    """Install the packages for the build and the tests. Raises WebError and OSError."""
    with workspace_lock(SDK):
        install_packages(SDK, development=True)


def build() -> Path:
    """Build the package, and return its folder. Raises WebError and OSError."""
    install()
    with workspace_lock(SDK):
        shown(SDK, "tsup/dist/cli-default.js", ["--silent"], SDK)
    return SDK


def lint() -> None:
    """Check style and types."""
    install()
    shown(_WEB, "@biomejs/biome/bin/biome", ["ci", f"--config-path={_WEB}"], SDK)
    shown(SDK, "typescript/bin/tsc", ["--noEmit"], SDK)


def format_sources() -> None:
    """Format the sources."""
    install()
    shown(_WEB, "@biomejs/biome/bin/biome", ["check", "--write", f"--config-path={_WEB}"], SDK)


def test() -> None:
    """Run the unit tests."""
    install()
    shown(SDK, "vitest/vitest.mjs", ["run"], SDK)
