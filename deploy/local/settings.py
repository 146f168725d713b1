"""Settings of the local stack as a whole; `service_processes.py` passes each process its own."""

from pydantic import AliasChoices, Field, SecretStr

from cli.settings import CommandSettings
from common.settings.types import DigestKeys, Port


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
    rate_limit_digest_key: SecretStr | None = Field(
        default=None, description="The key of the client address digests in Redis."
    )

    device_digest_keys: DigestKeys | None = Field(
        default=None, description="The keys of the digests of erased devices."
    )

    @property
    def edge_url(self) -> str:
        """The URL of the edge on this machine."""
        return f"http://127.0.0.1:{self.edge_port}"

    @property
    def management_url(self) -> str:
        """The URL of the management service on this machine."""
        return f"http://127.0.0.1:{self.management_port}"
