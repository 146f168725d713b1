"""Request headers that differ from client to client and from request to request, as a load balancer passes them on."""

import random
from uuid import UUID

_APPS = ("Shop", "Fitness", "Travel", "News")
_SYSTEMS = (
    "iPhone; iOS 17.6.1",
    "iPhone; iOS 18.1",
    "iPad; iPadOS 18.0",
    "Pixel 8; Android 15",
    "SM-S921B; Android 14",
)
_LIBRARIES = ("CFNetwork/1568.200.51 Darwin/24.1.0", "okhttp/4.12.0", "Dart/3.5 (dart:io)")


def client_headers(count: int) -> list[str]:
    """Return the User-Agent, X-Request-Id and X-Forwarded-For of as many clients, always the same ones."""
    rng = random.Random(count)  # noqa: S311 - no secret is made of it
    return [_headers(rng) for _ in range(count)]


def same_headers(count: int) -> list[str]:
    """Return the headers of one client `count` times."""
    return client_headers(1) * count


def _headers(rng: random.Random) -> str:
    version = f"{rng.randint(1, 9)}.{rng.randint(0, 30)}.{rng.randint(0, 999)}"
    user_agent = f"{rng.choice(_APPS)}/{version} ({rng.choice(_SYSTEMS)}) {rng.choice(_LIBRARIES)}"
    request_id = UUID(int=rng.getrandbits(128), version=4)
    address = f"{rng.randint(128, 191)}.{rng.randint(1, 254)}.{rng.randint(0, 255)}.{rng.randint(1, 254)}"
    return f"User-Agent: {user_agent}\r\nX-Request-Id: {request_id}\r\nX-Forwarded-For: {address}"
