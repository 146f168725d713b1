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
        default=Path(".local"), description="Where the local stack keeps everything; tells stacks apart."
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
    database_url: DatabaseUrl | None = Field(
        default=None, description="Where PostgreSQL is: user, password, host, port, database."
    )
    redis_url: RedisUrl | None = Field(default=None, description="Where Redis is: one server, Sentinels or a Cluster.")
    edge_event_replicas: EventReplicas
    master_key: MasterKey | None = Field(default=None, description="Seals keys in the database.")
    assignment_keys: AssignmentKeys | None = Field(
        default=None, description="Sign the tokens that keep devices in their variants."
    )
    rate_limit_digest_key: SecretStr | None = Field(
        default=None, description="Redis sees client addresses as digests under this key."
    )

    @property
    def edge_url(self) -> str:
        """Where the edge answers on this machine."""
        return f"http://127.0.0.1:{self.edge_port}"

    @property
    def management_url(self) -> str:
        """Where the management service answers on this machine."""
        return f"http://127.0.0.1:{self.management_port}"
