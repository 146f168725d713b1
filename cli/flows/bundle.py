"""`onboarding bundle`: the configuration of a project as a file for an app's build.

The SDKs decide by it at a first start without the service. It is the body of `GET /api/config`, which has no keys. On
request it has a member `media`: the pictures of screens and themes as `data:` addresses, by their own addresses.
"""

import base64
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any

import orjson

from cli.errors import CommandError
from cli.flows.client import ManagementClient, UnreachableError, fetched

MAX_BYTES = 1_048_576
#: The kinds of media that no picture shows; their posters are pictures.
_MOVING = frozenset({"animation", "lottie", "video", "font"})
_LARGEST = 3


@dataclass(frozen=True, slots=True)
class Bundle:
    """The written file."""

    version: int
    flows: int
    themes: int
    pictures: int
    size: int


def secret_key_of(client: ManagementClient, project_id: str) -> str:
    """Return the newest secret key of a project. Raises CommandError."""
    keys = client.get(f"/projects/{project_id}/api-keys").data["secret_keys"]
    if not keys:
        raise CommandError("the project has no secret key")
    return str(keys[0]["secret_key"])


def write_bundle(edge_url: str, project_id: str, secret_key: str, output: Path, *, with_media: bool) -> Bundle:
    """Write the bundle of a project. The file is replaced as a whole, or not at all. Raises CommandError."""
    config = _configuration(edge_url, project_id, secret_key)
    media = {address: _data(edge_url, small) for address, small in sorted(_pictures(config))} if with_media else {}
    document = {**config, "media": media} if with_media else config
    content = orjson.dumps(document) + b"\n"
    if len(content) > MAX_BYTES:
        raise CommandError(_too_large(len(content), config, media))
    new = output.with_name(f"{output.name}.new")
    try:
        new.write_bytes(content)
        os.replace(new, output)  # noqa: PTH105 - the name of what it does
    except OSError as error:
        raise CommandError(f"{output} cannot be written: {error.strerror}") from None
    return Bundle(config["configVersion"], len(config["flows"]), len(config["themes"]), len(media), len(content))


def _configuration(edge_url: str, project_id: str, secret_key: str) -> dict[str, Any]:
    url = f"{edge_url.rstrip('/').removesuffix('/api')}/api/config"
    response = fetched(url, {"X-Project-Id": project_id, "X-Secret-Key": secret_key})
    try:
        document = orjson.loads(response.data)
    except orjson.JSONDecodeError:
        document = None
    if not isinstance(document, dict):
        raise CommandError(f"{url} does not answer as the edge: status {response.status} without its JSON")
    if response.status != HTTPStatus.OK:
        message = f"{edge_url}: {document.get('error') or f'status {response.status}'}"
        is_away = response.status in {HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE}
        raise UnreachableError(message) if is_away else CommandError(message)
    if "configVersion" not in document:
        raise CommandError(f"{url} does not answer as the edge: its JSON is no configuration")
    return document


def _pictures(value: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - JSON
    """Yield the address of each file of the library that is a picture, and that of its smallest rendition."""
    if isinstance(value, list):
        for item in value:
            yield from _pictures(item)
    elif isinstance(value, Mapping):
        url = value.get("url")
        if isinstance(url, str) and "/media/" in url and value.get("kind") not in _MOVING and "placeholder" in value:
            widths = value.get("srcset") or []
            yield url, str(widths[0]["url"] if widths else url)
        for item in value.values():
            yield from _pictures(item)


def _data(edge_url: str, address: str) -> str:
    url = f"{edge_url.rstrip('/')}{address}" if address.startswith("/") else address
    response = fetched(url, {})
    if response.status != HTTPStatus.OK:
        raise CommandError(f"{url} cannot be read: status {response.status}")
    kind = response.headers.get("Content-Type", "application/octet-stream").partition(";")[0]
    return f"data:{kind};base64,{base64.b64encode(response.data).decode()}"


def _too_large(size: int, config: Mapping[str, Any], media: Mapping[str, str]) -> str:
    """Return the message with the largest parts."""
    parts = [(len(orjson.dumps(flow)), f"flow {flow['name']} ({flow['id']})") for flow in config["flows"]]
    parts += [(len(orjson.dumps(theme)), f"theme {theme['name']} ({theme['id']})") for theme in config["themes"]]
    parts += [(len(data), address) for address, data in media.items()]
    largest = ", ".join(f"{name} {_kib(part)}" for part, name in sorted(parts, reverse=True)[:_LARGEST])
    return f"the bundle has {_kib(size)}, at most {_kib(MAX_BYTES)} are allowed; the largest parts: {largest}"


def _kib(size: int) -> str:
    return f"{-(-size // 1024):,} KiB"
