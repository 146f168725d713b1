"""A phone with the app."""

import random
from dataclasses import dataclass, field

_PLATFORMS = {"ios": ("17.6", "18.1", "18.2"), "android": ("13", "14", "15")}
_APP_VERSIONS = ("4.0.3", "4.1.0", "4.2.0", "4.2.1")
_LOCALES = ("en-US", "en-GB", "de-DE", "pt-BR", "ja-JP")


@dataclass(slots=True)
class Phone:
    """The device as the SDK describes it, and the state that the SDK keeps between sessions."""

    device_id: str
    #: On the loopback all of 127.0.0.0/8 is this machine, so that each phone comes from an address of its own.
    address: str
    platform: str
    os_version: str
    app_version: str
    locale: str
    config_tag: str | None = field(default=None)
    assignment_token: str | None = field(default=None)

    @classmethod
    def new(cls, rng: random.Random) -> "Phone":
        """Return a new phone with a random id."""
        platform = rng.choice(list(_PLATFORMS))
        return cls(
            device_id=f"load-{rng.getrandbits(64):016x}",
            address=f"127.{rng.randint(1, 254)}.{rng.randint(0, 255)}.{rng.randint(1, 254)}",
            platform=platform,
            os_version=rng.choice(_PLATFORMS[platform]),
            app_version=rng.choice(_APP_VERSIONS),
            locale=rng.choice(_LOCALES),
        )
