"""Measure the frames of transitions: `make web`, then `.venv/bin/python -m tests.browser.pages.frames`."""

from statistics import median, quantiles

from playwright.sync_api import Browser

from tests.browser.pages.page_server import PageServer, flow_page, running_page_server
from tests.support.browser import running_browser

_LAYOUTS = ("standard", "hero", "cover", "split_top", "centered")
_SLOWER = 4
_TRANSITIONS = 6
#: Presses the button, and returns the milliseconds between frames for the time of a transition and of the picture.
_GAPS = """() => new Promise((done) => {
  const gaps = [];
  let last = performance.now();
  const end = last + 450;
  document.querySelector(".footer .primary").click();
  const tick = (now) => {
    gaps.push(now - last);
    last = now;
    if (now < end) requestAnimationFrame(tick);
    else done(gaps.slice(1));
  };
  requestAnimationFrame(tick);
})"""


def main() -> None:
    """Print the gaps between frames by layout, on a processor that is four times slower."""
    with running_page_server() as pages, running_browser() as browser:
        for layout in _LAYOUTS:
            gaps = _gaps(pages, browser, layout)
            print(f"{layout}: median {median(gaps):.1f} ms, p95 {quantiles(gaps, n=20)[-1]:.1f} ms")  # noqa: T201


def _gaps(pages: PageServer, browser: Browser, layout: str) -> list[float]:
    content = {"title": "A plan", "subtitle": "Four short questions.", "illustration": "plan"}
    pages.html = flow_page([{"type": "welcome", "settings": {"layout": layout}, "content": content}] * 7)
    with browser.new_context(viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        page.goto(pages.url(), wait_until="networkidle")
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})
        gaps: list[float] = []
        for _ in range(_TRANSITIONS):
            # A screen takes no presses in its first moment.
            page.wait_for_timeout(600)
            gaps += page.evaluate(_GAPS)
    return gaps


if __name__ == "__main__":
    main()
