"""Pages of an app that has the web SDK, and a service that the browser's router plays."""

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route

from common.wire.page_assets import PageAsset
from common.wire.page_shell import content_security_policy
from edge_api.api.stored_page import StoredPages
from tests.browser.pages.page_server import ASSETS, flow_page, manifest
from tools import sdk
from tools.node import shown

APP = "https://app.example.com"
EDGE = "https://edge.example.com"
_HERE = Path(__file__).parent
# The strictest policy that an app with the SDK may have.
_POLICY = f"default-src 'none'; script-src 'self'; connect-src {EDGE}; img-src data: https:; base-uri 'none'"
_PAGE = """<!doctype html><html lang="en"><title>Shop</title><body><button id="before">Before</button>
<div id="inline" style="height: 640px"></div><div id="root"></div><script type="module" src="/app.js"></script>"""


@dataclass
class App:
    """An app with the SDK, in a browser of its own."""

    context: BrowserContext
    dist: Path
    """The built package, and bundles of apps."""
    flow: dict[str, Any]
    script: str = ""
    policy: str = _POLICY
    is_online: bool = True
    events: list[dict[str, Any]] = field(default_factory=list)

    def open(self, script: str) -> Page:
        """Open the page of the app, whose script has `client`, `showOnboarding` and `mountOnboarding`."""
        return self.open_bundle(_SCRIPT + script)

    def open_bundle(self, script: str, address: str = "/") -> Page:
        """Open the page of the app, or a file of the package, with a whole script."""
        self.script = script
        page = self.context.new_page()
        page.goto(f"{APP}{address}")
        return page

    def types(self) -> list[str]:
        return [event["eventType"] for event in self.events]

    def serve(self, route: Route) -> None:
        """Reply to a request of the page."""
        url = route.request.url
        path = url.split("?")[0].removeprefix(APP).removeprefix(EDGE)
        if url.startswith(EDGE):
            self._reply(route, path)
        elif path == "/":
            policy = {"Content-Security-Policy": self.policy}
            route.fulfill(body=_PAGE, content_type="text/html", headers=policy)
        elif path == "/app.js":
            route.fulfill(body=self.script, content_type="text/javascript")
        elif (self.dist / path[1:]).is_file():
            route.fulfill(path=self.dist / path[1:], content_type="text/javascript")
        elif (self.dist.parent / path[1:]).is_file():
            route.fulfill(path=self.dist.parent / path[1:])
        else:
            route.fulfill(status=404)

    def _reply(self, route: Route, path: str) -> None:
        allowed = {"Access-Control-Allow-Origin": APP, "Access-Control-Allow-Headers": "*"}
        if not self.is_online:
            route.abort()
        elif route.request.method == "OPTIONS":
            route.fulfill(status=204, headers=allowed)
        elif path == "/api/onboarding/resolve":
            assignment = {"source": "default", "experimentId": None, "variant": None, "token": None}
            body = {"flowId": self.flow["id"], "flow": self.flow, "assignment": assignment, "configVersion": 1}
            route.fulfill(json=body, headers=allowed)
        elif path.endswith("/api/analytics/events"):
            events = json.loads(route.request.post_data or "{}")["events"]
            self.events.extend(events)
            results = [{"eventId": event["eventId"], "status": "accepted"} for event in events]
            counts = {"success": True, "accepted": len(events), "rejected": 0}
            route.fulfill(json={**counts, "results": results}, headers=allowed)
        elif path == "/api/global-config":
            route.fulfill(json={"backendDomain": f"{EDGE}/s/ticket"}, headers=allowed)
        elif path.startswith("/s/ticket/onboarding/") and "&stored=1" in route.request.url:
            pages = StoredPages(manifest, lambda name: PageAsset((ASSETS / name).read_bytes(), b"", b""))
            page = pages.page(gzip.compress(flow_page(self.flow["screens"]).encode()))
            route.fulfill(body=gzip.decompress(page), content_type="text/html", headers=allowed)
        elif path.startswith("/s/ticket/onboarding/"):
            policy = {"Content-Security-Policy": content_security_policy(APP)}
            route.fulfill(body=flow_page(self.flow["screens"]), content_type="text/html", headers=policy)
        elif path.startswith("/onboarding/assets/"):
            route.fulfill(path=ASSETS / path.rsplit("/", 1)[1])
        else:
            route.fulfill(status=404, json={"success": False}, headers=allowed)


_SCRIPT = f"""
import {{ createOnboarding }} from "/index.js";
import {{ mountOnboarding, showOnboarding }} from "/web.js";
const client = createOnboarding({{ baseUrl: "{EDGE}", projectId: "p", secretKey: "s", locale: "en" }});
const inline = document.getElementById("inline");
const ended = (result) => {{ document.title = JSON.stringify(result); return client.flush(); }};
"""


@pytest.fixture(scope="package")
def dist() -> Path:
    return sdk.build() / "dist"


@pytest.fixture(scope="package")
def react_app(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the bundle of an app that draws flows with React in Strict Mode."""
    return _bundle(dist, tmp_path_factory.mktemp("react"), _HERE / "react_app.jsx", {})


@pytest.fixture(scope="package")
def react_example(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the bundle of the example for React."""
    return _bundle(dist, tmp_path_factory.mktemp("example"), sdk.SDK / "examples" / "react" / "App.tsx", {})


@pytest.fixture(scope="package")
def react_native_app(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the bundle of the Expo example by react-native-web, in Strict Mode, with a frame as web view."""
    packages = {
        "react-native": dist.parent / "node_modules/react-native-web",
        "react-native-webview": _HERE / "web_view.jsx",
        "@react-native-async-storage/async-storage": _HERE / "async_storage.js",
    }
    return _bundle(dist, tmp_path_factory.mktemp("react_native"), _HERE / "react_native_app.jsx", packages)


def _bundle(dist: Path, folder: Path, source: Path, packages: dict[str, Path]) -> str:
    """Return the bundle of an app with the built SDK."""
    bundle = folder / "app.js"
    modules = dist.parent / "node_modules"
    packages |= {
        "doorstep/react-native": dist / "react-native.js",
        "doorstep/react": dist / "react.js",
        "doorstep": dist / "index.js",
        "react-dom/server": modules / "react-dom/server.browser.js",
        "react-dom": modules / "react-dom",
        "react": modules / "react",
    }
    environment = {"EDGE_URL": EDGE, "PROJECT_ID": "p", "SECRET_KEY": "s"}
    options = ["--bundle", "--format=esm", "--jsx=automatic", f"--outfile={bundle}", "--log-level=error"]
    options += [f"--alias:{name}={folder}" for name, folder in packages.items()]
    options += [f'--define:process.env.EXPO_PUBLIC_{name}="{value}"' for name, value in environment.items()]
    options += ['--define:process.env.NODE_ENV="development"', "--define:global=globalThis"]
    shown(sdk.SDK, "esbuild/bin/esbuild", [str(source), *options], sdk.SDK)
    return bundle.read_text("utf-8")


@pytest.fixture
def start_app(browser: Browser, dist: Path) -> Iterator[Callable[[dict[str, Any]], App]]:
    """Return a function that starts an app with a flow."""
    contexts: list[BrowserContext] = []

    def start(flow: dict[str, Any]) -> App:
        context = browser.new_context(viewport={"width": 390, "height": 760})
        contexts.append(context)
        app = App(context, dist, flow)
        context.route("**/*", app.serve)
        return app

    yield start
    for context in contexts:
        context.close()
