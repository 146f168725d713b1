"""Builds and tests the Kotlin SDK with the compiler of npm, on the Java of the machine.

A machine without Java leaves it out, and a line says so.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from tools.node import ROOT, WebError, install_packages, report, workspace_lock

SDK = ROOT / "sdks" / "kotlin"
_COMPILER = SDK / "node_modules" / "kotlin-compiler" / "lib"
_CLASSES = SDK / "build" / "classes"
_STAMP = SDK / "build" / "classes.stamp"
_TESTS = ("doorstep/tests/", "doorstep/documented/")
#: The compiler starts in half of the time with them.
_QUICK = ["-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
#: Java 8 is the nearest thing to the API of Android.
_OPTIONS = ["-jvm-target", "1.8", "-Xjdk-release=8", "-Xexplicit-api=strict", "-Werror", "-module-name", "doorstep"]


def find_java() -> str | None:
    """Return the program java, which must start; None without one."""
    java = shutil.which("java")
    if java is None:
        return None
    return java if subprocess.run([java, "-version"], capture_output=True, check=False).returncode == 0 else None


def compiled() -> list[str] | None:
    """Compile what has changed, and return the command that runs a class; None without Java.

    Raises WebError and OSError.
    """
    java = find_java()
    if java is None:
        report("no java here: the Kotlin SDK is not compiled and not tested")
        return None
    with workspace_lock(SDK):
        install_packages(SDK, development=True)
        sources = sorted((SDK / "core").rglob("*.kt"))
        digest = hashlib.sha256(b"".join(file.read_bytes() for file in [Path(__file__), *sources])).hexdigest()
        if not _STAMP.is_file() or _STAMP.read_text() != digest:
            _compile(java)
            _STAMP.write_text(digest)
    return [java, *_QUICK, "-cp", os.pathsep.join((str(_CLASSES), str(_COMPILER / "kotlin-stdlib.jar")))]


def _compile(java: str) -> None:
    shutil.rmtree(_CLASSES, ignore_errors=True)
    _STAMP.unlink(missing_ok=True)
    program = ["-cp", str(_COMPILER / "kotlin-compiler.jar"), "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"]
    arguments = [*_OPTIONS, "-kotlin-home", str(_COMPILER.parent), "-d", str(_CLASSES), "core/src"]
    if subprocess.run([java, *_QUICK, *program, *arguments], cwd=SDK, check=False).returncode != 0:
        raise WebError("the Kotlin SDK cannot be compiled")


def build() -> None:
    """Write the library without its tests as `sdks/kotlin/build/doorstep.jar`. Raises WebError and OSError."""
    if compiled() is None:
        raise WebError("the Kotlin SDK needs java")
    with zipfile.ZipFile(SDK / "build" / "doorstep.jar", "w", zipfile.ZIP_DEFLATED) as jar:
        for file in sorted(_CLASSES.rglob("*")):
            name = file.relative_to(_CLASSES).as_posix()
            if file.is_file() and not name.startswith(_TESTS):
                jar.write(file, name)
    report("built sdks/kotlin/build/doorstep.jar")


def test() -> None:
    """Run the tests of the SDK. Raises WebError and OSError."""
    command = compiled()
    if command is None:
        return
    sys.stdout.flush()
    if subprocess.run([*command, "doorstep.tests.MainKt", str(ROOT / "docs")], check=False).returncode != 0:
        raise WebError("tests of the Kotlin SDK failed")
