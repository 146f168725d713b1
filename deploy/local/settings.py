"""Settings of the local stack as a whole; its processes are given theirs by `stack_programs.py`."""

from pathlib import Path

from pydantic import AliasChoices, Field, SecretStr
from pydantic_settings import SettingsConfigDict

from common.settings.shared import ProcessSettings
from common.settings.types import AssignmentKeys, DatabaseUrl, EventReplicas, MasterKey, Port, RedisUrl


class StateSettings(ProcessSettings):
    """Which state folder is meant."""

    # An empty variable is how a shell or a CI file says "not set".
    model_config = SettingsConfigDict(env_ignore_empty=True)

    state_dir: Path = Field(
        default=Path(".local"),
        description="The folder with all data of the local stack. Stacks with different folders are independent.",
    )


class StackSettings(StateSettings):
    """What distinguishes one stack from another; a server that is named here is not embedded."""

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
    database_url: DatabaseUrl | None = Field(default=None, description="The URL of PostgreSQL.")
    redis_url: RedisUrl | None = Field(
        default=None, description="The URL of Redis: one server, Sentinels or a Cluster."
    )
    edge_event_replicas: EventReplicas
    master_key: MasterKey | None = Field(default=None, description="Encrypts keys in the database.")
    assignment_keys: AssignmentKeys | None = Field(default=None, description="Keys that sign assignment tokens.")
    rate_limit_digest_key: SecretStr | None = Field(
        default=None, description="Secret key of the client address digests in Redis."
    )

    @property
    def edge_url(self) -> str:
        """Where the edge answers on this machine."""
        return f"http://127.0.0.1:{self.edge_port}"

    @property
    def management_url(self) -> str:
        """Where the management service answers on this machine."""
        return f"http://127.0.0.1:{self.management_port}"
