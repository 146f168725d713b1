"""A browser for tests: Chromium without root, its start, and checks of the pages that it shows."""

import fcntl
import io
import os
import shutil
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import brotli
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright

from tests.support.media_files import ARIAL_WIDTHS, font

_NODE_MODULES = Path(__file__).parents[2] / "web" / "node_modules"
_PACKED = _NODE_MODULES / "@sparticuz" / "chromium" / "bin"
_UNPACKED = _NODE_MODULES / ".cache" / "chromium"
_AXE = _NODE_MODULES / "axe-core" / "axe.min.js"
#: The rules of axe that depend on colours.
_RULES_OF_COLOURS = ("color-contrast", "link-in-text-block")
#: Resolves when the page has been drawn again.
_NEXT_FRAME = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
#: An installed browser is preferred to the one of the npm package.
_INSTALLED = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--font-render-hinting=none"),
    # Documents from routes of a test have no IP address, so Chromium would block their requests to this machine.
    "--disable-features=LocalNetworkAccessChecks",
]

#: The fonts of the package before those of the machine, so that texts have the same widths everywhere.
_FONTS = """<?xml version="1.0"?>
<fontconfig>
  <dir>{folder}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>{folder}/fonts-cache</cachedir>
  <alias><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
"""

#: Screens in CSS pixels: a small phone, a phone, a tablet, a desktop.
SCREENS = {"small": (320, 640), "phone": (390, 844), "tablet": (768, 1024), "desktop": (1440, 900)}

#: A script for the start of pages: `shifts` has the shifts of the layout that no press has caused.
OBSERVE_SHIFTS = """window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts.push(entry.value);
}).observe({type: "layout-shift", buffered: true});"""


@contextmanager
def running_browser() -> Iterator[Browser]:
    """Run a browser while the block runs.

    Playwright's event loop runs in this thread meanwhile: other code in the thread cannot start one.
    """
    executable, environment = _executable()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=_ARGUMENTS, env=environment)
        try:
            yield browser
        finally:
            browser.close()


def watch(page: Page) -> list[str]:
    """Return a list that collects errors of scripts, of the console and of the network, as they happen.

    A violation of the content security policy is an error of the console.
    """
    problems: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            problems.append(f"{message.type}: {message.text}")

    def on_failed_request(request: Request) -> None:
        # A reload or the end of a page cancels requests.
        if request.failure != "net::ERR_ABORTED":
            problems.append(f"request: {request.method} {request.url} {request.failure}")

    page.on("console", on_console)
    page.on("pageerror", lambda error: problems.append(f"script: {error}"))
    page.on("requestfailed", on_failed_request)
    return problems


def in_sight(page: Page, selector: str) -> bool:
    """Return whether the first such element is in the window, and nothing covers its middle."""
    return bool(
        page.evaluate(
            """selector => {
              const element = document.querySelector(selector);
              const {left, top, right, bottom} = element.getBoundingClientRect();
              const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
              return top >= 0 && left >= 0 && right <= innerWidth && bottom <= innerHeight && element.contains(found);
            }""",
            selector,
        )
    )


def axe_violations_in_both_schemes(page: Page) -> list[str]:
    """Return the violations in a page as it is and in the other scheme, which changes nothing but colours."""
    violations = axe_violations(page)
    is_dark = bool(page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches"))
    page.emulate_media(color_scheme="light" if is_dark else "dark")
    page.evaluate(_NEXT_FRAME)
    violations += axe_violations(page, _RULES_OF_COLOURS)
    page.emulate_media(color_scheme="dark" if is_dark else "light")
    page.evaluate(_NEXT_FRAME)
    return violations


def axe_violations(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """Return the violations that axe finds in a page without its frames, one line each; `rules` limits the rules."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE.read_text())
    only = {"runOnly": list(rules)} if rules else {}
    options = {"resultTypes": ["violations"], "iframes": False, **only}
    found: dict[str, Any] = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


def _executable() -> tuple[str, dict[str, str | float | bool]]:
    """Return the program of a browser, and its environment."""
    installed = next(filter(None, map(shutil.which, _INSTALLED)), None)
    if installed is not None:
        return installed, {**os.environ}
    folder = _unpack()
    libraries = [str(folder / "al2023" / "lib"), os.environ.get("LD_LIBRARY_PATH", "")]
    return str(folder / "chromium"), {
        **os.environ,
        "LD_LIBRARY_PATH": os.pathsep.join(filter(None, libraries)),
        "FONTCONFIG_FILE": str(folder / "fonts.conf"),
    }


def _unpack() -> Path:
    """Unpack the browser of the npm package, unless that is done, and return its folder."""
    if not _PACKED.is_dir():
        raise FileNotFoundError("there is no browser for the tests: run `make web`")
    _UNPACKED.mkdir(parents=True, exist_ok=True)
    with (_UNPACKED / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        program = _UNPACKED / "chromium"
        if not program.exists():
            for name in ("al2023", "fonts"):
                content = brotli.decompress((_PACKED / f"{name}.tar.br").read_bytes())
                with tarfile.open(fileobj=io.BytesIO(content)) as archive:
                    # Python before 3.11.4 has no filters. The archives are those of a pinned package.
                    archive.extraction_filter = getattr(tarfile, "data_filter", None)
                    archive.extractall(_UNPACKED / name)  # noqa: S202
            (_UNPACKED / "fonts.conf").write_text(_FONTS.format(folder=_UNPACKED))
            # Pages give their stand-ins of fonts to Arial, which is not free.
            (_UNPACKED / "fonts" / "arial.ttf").write_bytes(font("Arial", 400, widths=ARIAL_WIDTHS))
            partial = program.with_name("chromium.partial")
            partial.write_bytes(brotli.decompress((_PACKED / "chromium.br").read_bytes()))
            partial.chmod(0o755)
            partial.rename(program)
    return _UNPACKED
