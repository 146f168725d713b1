"""Lottie: JSON animations, checked for what the player draws; the poster is their first frame.

Expressions are scripts, and files that a document names would be loaded from elsewhere, so both are refused.
"""

import re
from collections.abc import Iterator
from typing import Any

import orjson
from PIL import Image
from rlottie_python import LottieAnimation

from management_api.media.facts import KeptFile, MediaFacts, MediaKind, ReadMedia, Role, UnreadableMediaError
from management_api.media.readers.pictures import average_color, encode_webp, still_facts
from management_api.media.readers.pictures import preload as preload_pictures

MAX_VALUES = 200_000
MAX_DEPTH = 60
MAX_SIDE = 4096
MAX_SECONDS = 120
MAX_FRAMES_A_SECOND = 120
_POSTER_WIDTH = 960
#: Layers of the player: compositions, solids, pictures, null objects, shapes, texts.
_LAYERS = {0: "precomposition", 1: "solid", 2: "image", 3: "null", 4: "shape", 5: "text"}
#: A filled rectangle: the renderer starts its threads when it first draws a shape.
_WARM_UP = b"""{"v": "5.5.0", "fr": 1, "ip": 0, "op": 1, "w": 9, "h": 9, "layers": [
  {"ty": 4, "ip": 0, "op": 1, "st": 0, "ks": {}, "shapes": [{"ty": "gr", "it": [
    {"ty": "rc", "p": {"a": 0, "k": [4, 4]}, "s": {"a": 0, "k": [6, 6]}, "r": {"a": 0, "k": 0}},
    {"ty": "fl", "c": {"a": 0, "k": [1, 0, 0, 1]}, "o": {"a": 0, "k": 100}},
    {"ty": "tr", "p": {"a": 0, "k": [0, 0]}, "a": {"a": 0, "k": [0, 0]}, "s": {"a": 0, "k": [100, 100]},
     "r": {"a": 0, "k": 0}, "o": {"a": 0, "k": 100}}]}]}]}"""
_EMBEDDED = re.compile(r"data:image/(?:png|jpeg|webp);base64,[A-Za-z0-9+/=]*")


def preload() -> None:
    """Load the renderer while files may be opened, and threads be started."""
    preload_pictures()
    read(_WARM_UP, "application/json")


def read(data: bytes, _content_type: str) -> ReadMedia:
    """Return the animation as compact JSON, and its poster. Raises UnreadableMediaError."""
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise UnreadableMediaError("is not a Lottie file: it is not JSON") from error
    width, height, seconds = _checked_header(document)
    for values, depth in _objects(document):
        _check_object(values)
        if depth > MAX_DEPTH:
            raise UnreadableMediaError(f"may have at most {MAX_DEPTH} levels")
    content = orjson.dumps(document)
    poster = _first_frame(content, width, height)
    encoded = encode_webp(poster)
    files = [
        KeptFile(role=Role.MAIN, content_type="application/json", size=len(content), width=width, height=height),
        still_facts(poster, Role.POSTER, encoded),
    ]
    facts = MediaFacts(
        kind=MediaKind.LOTTIE,
        files=files,
        width=width,
        height=height,
        duration_seconds=seconds,
        placeholder_color=average_color(poster),
    )
    return ReadMedia(facts, [content, encoded])


def _checked_header(document: object) -> tuple[int, int, float]:
    """Return width, height and duration. Raises UnreadableMediaError."""
    if not isinstance(document, dict) or not isinstance(document.get("layers"), list):
        raise UnreadableMediaError("is not a Lottie file: it must be an object with layers")
    numbers = {name: document.get(name) for name in ("fr", "ip", "op", "w", "h")}
    for name, value in numbers.items():
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise UnreadableMediaError(f"is not a Lottie file: {name} must be a number")
    rate, first, last, width, height = (float(value) for value in numbers.values() if value is not None)
    if not 0 < rate <= MAX_FRAMES_A_SECOND or not 0 < last - first <= MAX_SECONDS * rate:
        raise UnreadableMediaError(
            f"must have 1 to {MAX_FRAMES_A_SECOND} frames a second and last at most {MAX_SECONDS} seconds"
        )
    if not 1 <= width <= MAX_SIDE or not 1 <= height <= MAX_SIDE:
        raise UnreadableMediaError(f"must have sides of 1 to {MAX_SIDE} pixels")
    return round(width), round(height), (last - first) / rate


def _objects(document: dict[str, Any]) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield each object with its depth. Raises UnreadableMediaError for too many values."""
    values: list[tuple[Any, int]] = [(document, 0)]
    count = 0
    while values:
        value, depth = values.pop()
        count += 1
        if count > MAX_VALUES:
            raise UnreadableMediaError(f"may have at most {MAX_VALUES} values")
        if isinstance(value, dict):
            yield value, depth
            values.extend((member, depth + 1) for member in value.values())
        elif isinstance(value, list):
            values.extend((member, depth + 1) for member in value)


def _check_object(values: dict[str, Any]) -> None:
    if isinstance(values.get("x"), str):
        raise UnreadableMediaError("has expressions, which the player does not run")
    if isinstance(values.get("p"), str) and "u" in values and not _EMBEDDED.fullmatch(values["p"]):
        raise UnreadableMediaError("names a file; pictures must be embedded as PNG, JPEG or WebP")
    if isinstance(values.get("layers"), list):
        for layer in values["layers"]:
            _check_layer(layer)


def _check_layer(layer: object) -> None:
    if not isinstance(layer, dict):
        raise UnreadableMediaError("is not a Lottie file: each layer must be an object")
    if layer.get("ty") not in _LAYERS:
        raise UnreadableMediaError(f"has a layer of the type {layer.get('ty')!r:.20}, which the player does not draw")
    if layer.get("ef"):
        raise UnreadableMediaError("has effects of layers, which the player does not draw")


def _first_frame(content: bytes, width: int, height: int) -> Image.Image:
    target = min(width, _POSTER_WIDTH)
    animation = LottieAnimation.from_data(content.decode())
    frame: Image.Image = animation.render_pillow_frame(0, width=target, height=max(1, round(height * target / width)))
    return frame
