"""Where a journey goes: the base URLs of both services."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Addresses:
    """The base URLs that a journey calls; through the gateway both are the same."""

    edge_url: str
    management_url: str
