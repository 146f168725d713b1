"""A server of hosted pages for the browser: documents of the tests in the publisher's shell, and the built assets."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import orjson

from common.media_names import MEDIA_TYPES
from common.wire.page_assets import AssetManifest, decode_manifest
from common.wire.page_document import PageProject, page_document, page_parts
from common.wire.page_shell import ROOT_OF_PAGE, content_security_policy, page_html
from common.wire.public_responses import PublicRule, PublicScreen, PublicTheme, PublicVariable, ResolvedFlow, ScreenType
from publisher.locales import direction_of
from publisher.words import page_words

ASSETS = Path(__file__).parents[3] / "publisher" / "page_assets"
FLOW_ID = "flow_01h455vb4pex5vsknk084sn02q"
DEVICE_ID = "6c1f7a9e-0000-4000-8000-000000000001"
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def manifest() -> AssetManifest:
    """Return the manifest of the built assets."""
    return decode_manifest((ASSETS / "manifest.json").read_bytes())


def flow_page(
    screens: list[dict[str, Any]],
    *,
    theme: dict[str, Any] | None = None,
    project_name: str = "Demo app",
    record_answers: bool = True,
    analytics_enabled: bool = True,
    variables: dict[str, str] | None = None,
    locale: str = "",
) -> str:
    """Return the HTML of a flow as the publisher makes it; a screen may leave out all but its type."""
    flow = ResolvedFlow(
        id=FLOW_ID,
        name="Welcome",
        theme=None
        if theme is None
        else PublicTheme(id="theme", name="Theme", **{"border_radius": {}, "typography": {}, **theme}),
        screens=tuple(
            PublicScreen(
                id=f"screen_{index}",
                type=ScreenType(screen["type"]),
                name=screen.get("name"),
                order=index,
                content=screen.get("content", {}),
                settings=screen.get("settings", {}),
                show_if=screen.get("showIf", []),
                next=msgspec.convert(screen.get("next", []), list[PublicRule]),
            )
            for index, screen in enumerate(screens)
        ),
        variables=tuple(PublicVariable(name, formula) for name, formula in (variables or {}).items()),
    )
    project = PageProject("proj_1", project_name, record_answers, analytics_enabled)
    document = page_document(project, flow, is_preview=False, manifest=manifest(), root=ROOT_OF_PAGE)
    body = '<div id="app"></div>'
    of_locale = {"locale": locale, "direction": direction_of(locale), "words": address_of(locale)} if locale else {}
    return page_html(
        project_name, body, manifest(), ROOT_OF_PAGE, document=document, parts=page_parts(flow), **of_locale
    )


def address_of(locale: str) -> str:
    """Return the address of the words of a locale."""
    return page_words(manifest()).addresses((locale,))[locale]


class PageServer:
    """Serves one page at a time, and keeps the events that it receives; `status` and `headers` are its answer."""

    def __init__(self, port: int) -> None:
        self.origin = f"http://127.0.0.1:{port}"
        self.html = ""
        self.status = 200
        self.headers: dict[str, str] = {}
        self.events: list[dict[str, Any]] = []
        self.requests: list[str] = []
        #: The contents of media files by their paths.
        self.media: dict[str, bytes] = {}

    def url(self, number: int = 1, query: str = "") -> str:
        """Return the address of a screen."""
        return f"{self.origin}/s/ticket/onboarding/{FLOW_ID}/{number}?deviceId={DEVICE_ID}{query}"

    def event_types(self) -> list[str]:
        """Return the types of the different events, in the order of their arrival."""
        return [str(event["eventType"]) for event in {event["eventId"]: event for event in self.events}.values()]


@contextmanager
def running_page_server() -> Iterator[PageServer]:
    """Run a server while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            pages.requests.append(path)
            if path.startswith("/onboarding/assets/"):
                file = ASSETS / path.rsplit("/", 1)[1]
                self._send(200, file.read_bytes(), _TYPES[file.suffix], {"Cache-Control": "max-age=31536000"})
            elif path in pages.media:
                kind = MEDIA_TYPES[path.rpartition(".")[2]]
                self._send(200, pages.media[path], kind, {"Access-Control-Allow-Origin": "*"})
            elif path == "/favicon.ico":
                self._send(204, b"", "image/png", {})
            else:
                policy = content_security_policy("'none'")
                self._send(200, pages.html.encode(), "text/html; charset=utf-8", {"Content-Security-Policy": policy})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if pages.status == 200:
                pages.events += orjson.loads(body)["events"]
            self._send(pages.status, b'{"success":true}', "application/json", pages.headers)

        def _send(self, status: int, body: bytes, media_type: str, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in {"Content-Type": media_type, "Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        pages = PageServer(server.server_port)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield pages
        finally:
            server.shutdown()
            thread.join()
