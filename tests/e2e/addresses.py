"""Where a journey goes: straight to each service, or to the gateway in front of both."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Addresses:
    """The base URLs that a journey calls; through the gateway both are the same."""

    edge_url: str
    management_url: str
