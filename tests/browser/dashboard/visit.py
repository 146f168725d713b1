"""One user's browser at the dashboard: signing in, and what may never happen on a page."""

from playwright.sync_api import Browser, Page, Request, expect

from tests.support.browser import SCREENS, axe_violations_in_both_schemes, watch

_READS_AT_ONCE = 4


class Visit:
    """A browser context of a user. `page` is Playwright's page."""

    def __init__(
        self,
        browser: Browser,
        origin: str,
        token: str,
        *,
        screen: str = "desktop",
        clock: bool = False,
        preview: str = "",
    ) -> None:
        width, height = SCREENS[screen]
        self._context = browser.new_context(
            viewport={"width": width, "height": height},
            reduced_motion="reduce",
        )
        self.page: Page = self._context.new_page()
        if clock:
            self.page.clock.install()
        self.page.set_default_timeout(15_000)
        self.origin = origin
        #: The origin of the page that the editor shows in a frame.
        self._preview = preview
        self.problems = watch(self.page)
        #: The paths of the requests to the interface, in their order.
        self.requests: list[str] = []
        self._token = token
        self._foreign: list[str] = []
        #: The starts and the ends of the reads of the interface, in their order. Changes wait for no read.
        self._reads: list[Request] = []
        #: Requests that the page has cancelled. Their ends are reported late, after the starts of the next ones.
        self._cancelled: set[Request] = set()
        self.page.on("request", self._on_request)
        self.page.on("requestfinished", self._on_end)
        self.page.on("requestfailed", self._on_failure)

    def sign_in(self, path: str = "/dashboard/") -> None:
        """Open a view by the link that `make run` prints."""
        self.page.goto(f"{self.origin}{path}#token={self._token}")
        # Before, the page has not taken the token.
        self.page.wait_for_url(lambda url: "#" not in url, wait_until="commit")

    def open(self, path: str) -> None:
        """Open a view in the same tab, by a load of the page."""
        self.page.goto(self.origin + path)

    def expect_address(self, path: str) -> None:
        """Wait until the page has an address."""
        expect(self.page).to_have_url(self.origin + path)

    def assert_accessible(self) -> None:
        """Assert that axe finds no violation in the page as it is now, in light and in dark colours."""
        violations = axe_violations_in_both_schemes(self.page)
        assert violations == [], violations

    def forget_problems(self, status: str) -> None:
        """Forget errors of the console about responses with a status that the test has caused."""
        expected = f"status of {status} "
        self.problems[:] = [problem for problem in self.problems if expected not in problem]

    def assert_no_problems(self) -> None:
        """Assert that the pages had no error, violated no policy, and asked only their own origin and the edge.

        The edge has previews and media files.
        """
        # A view that is left cancels its requests.
        problems = [problem for problem in self.problems if not problem.endswith("net::ERR_ABORTED")]
        assert problems == [], problems
        assert self._foreign == [], self._foreign
        assert self.most_at_once() <= _READS_AT_ONCE, self.requests

    def most_at_once(self) -> int:
        """Return the most reads of the interface that were under way at once, without those that were cancelled."""
        under_way: set[Request] = set()
        most = 0
        for request in self._reads:
            if request not in self._cancelled:
                # Each request is in the list twice.
                under_way ^= {request}
                most = max(most, len(under_way))
        return most

    def close(self) -> None:
        """Close the browser context."""
        self._context.close()

    def _on_request(self, request: Request) -> None:
        at_edge = (f"{self._preview}/onboarding/", f"{self._preview}/media/") if self._preview else ()
        if not request.url.startswith(at_edge) and not request.url.startswith((self.origin + "/", "data:")):
            self._foreign.append(request.url)
        if self._is_interface(request):
            self.requests.append(request.url.removeprefix(self.origin).partition("?")[0])
            self._note_read(request)

    def _on_end(self, request: Request) -> None:
        if self._is_interface(request):
            self._note_read(request)

    def _on_failure(self, request: Request) -> None:
        self._on_end(request)
        if request.failure == "net::ERR_ABORTED":
            self._cancelled.add(request)

    def _note_read(self, request: Request) -> None:
        if request.method == "GET":
            self._reads.append(request)

    def _is_interface(self, request: Request) -> bool:
        return request.url.startswith(self.origin + "/api/")
