"""A project with ten languages, for the row of its resolves."""

import json
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

LOCALES = ("en", "de", "fr", "es", "it", "nl", "pt-BR", "sv", "zh-Hans", "zh-Hant")
#: The tags of the devices, which take turns.
TAGS = ("de-AT", "fr-CA", "es-419", "it", "nl-BE", "pt-PT", "sv-SE", "zh-CN", "zh_TW", "en-US")
_TEXT = "A few words that each language has for itself."


def add_project_with_languages(management_url: str, api_key: str) -> tuple[str, str]:
    """Make a project whose default flow is translated into all languages; return its id and its secret key."""

    def send(method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - JSON
        headers = {"Authorization": f"Bearer {api_key}", "Content-Type": "application/json"}
        content = None if body is None else json.dumps(body).encode()
        request = Request(f"{management_url}/api{path}", content, headers, method=method)  # noqa: S310 - our own stack
        with urlopen(request) as response:  # noqa: S310 - our own stack
            return json.loads(response.read())["data"]

    project_id = send("POST", "/projects", {"name": "Languages"})["id"]
    send("PUT", f"/projects/{project_id}", {"settings": {"locales": LOCALES}})
    texts = {"title": _TEXT, "subtitle": _TEXT * 2, "primary_button": {"label": _TEXT, "action": "next"}}
    pointers = ("/title", "/subtitle", "/primary_button/label")
    translated = {locale: dict.fromkeys(pointers, f"{locale} {_TEXT}") for locale in LOCALES[1:]}
    screens = [{"type": "welcome", "content": texts, "localizations": translated}] * 5
    flow = {"projectId": project_id, "name": "Welcome", "status": "active", "is_default": True, "screens": screens}
    send("POST", "/flows", flow)
    return project_id, send("GET", f"/projects/{project_id}/api-keys")["secret_keys"][0]["secret_key"]


def is_served(edge_port: int, headers: dict[str, str], body: str) -> bool:
    """Return whether the edge resolves a device in its language."""
    url = f"http://127.0.0.1:{edge_port}/api/onboarding/resolve"
    try:
        with urlopen(Request(url, body.encode(), headers, method="POST")) as response:
            return "locale" in json.loads(response.read())
    except HTTPError:
        return False
