"""Settings of the local stack as a whole; `service_processes.py` passes each process its own."""

from pydantic import AliasChoices, Field, SecretStr

from cli.settings import CommandSettings
from common.settings.types import DigestKeys, Port
from deploy.local.loopback_ports import LOOPBACK, address_in_network


class StackSettings(CommandSettings):
    """The ports and the state folder distinguish stacks. A server that is set is used instead of an embedded one."""

    edge_port: Port = Field(
        default=8080,
        validation_alias=AliasChoices("EDGE_PORT", "ONBOARDING_EDGE_PORT"),
        description="The port that the edge listens on.",
    )
    management_port: Port = Field(
        default=8081,
        validation_alias=AliasChoices("MANAGEMENT_PORT", "ONBOARDING_MANAGEMENT_PORT"),
        description="The port that the service listens on.",
    )
    stack_host: str = Field(
        default=LOOPBACK,
        description="The address that the services of the local stack listen on; `0.0.0.0`: all of this machine.",
    )
    rate_limit_digest_key: SecretStr | None = Field(
        default=None, description="The key of the client address digests in Redis."
    )

    device_digest_keys: DigestKeys | None = Field(
        default=None, description="The keys of the digests of erased devices."
    )

    @property
    def edge_url(self) -> str:
        """The URL of the edge on this machine."""
        return f"http://{self._reachable}:{self.edge_port}"

    @property
    def management_url(self) -> str:
        """The URL of the management service on this machine."""
        return f"http://{self._reachable}:{self.management_port}"

    @property
    def public_edge_url(self) -> str:
        """The URL of the edge for other machines, if it listens in a network."""
        return f"http://{self._public}:{self.edge_port}"

    @property
    def public_management_url(self) -> str:
        """The URL of the management service for other machines, if it listens in a network."""
        return f"http://{self._public}:{self.management_port}"

    @property
    def _reachable(self) -> str:
        return LOOPBACK if self._is_everywhere else self.stack_host

    @property
    def _public(self) -> str:
        return address_in_network() if self._is_everywhere else self.stack_host

    @property
    def _is_everywhere(self) -> bool:
        return self.stack_host == "0.0.0.0"  # noqa: S104 - compared only
