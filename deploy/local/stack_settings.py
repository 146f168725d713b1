"""Settings of the local stack as a whole; its processes are given theirs by `stack_programs.py`."""

from pathlib import Path

from pydantic import AliasChoices, Field, SecretStr
from pydantic_settings import SettingsConfigDict

from common.settings import AssignmentKeys, DatabaseUrl, MasterKey, Port, ProcessSettings, RedisUrl


class StateSettings(ProcessSettings):
    """Which state folder is meant."""

    # An empty variable is how a shell or a CI file says "not set".
    model_config = SettingsConfigDict(env_ignore_empty=True)

    state_dir: Path = Path(".local")


class StackSettings(StateSettings):
    """What distinguishes one stack from another; a server that is named here is not embedded."""

    edge_port: Port = Field(default=8080, validation_alias=AliasChoices("EDGE_PORT", "ONBOARDING_EDGE_PORT"))
    management_port: Port = Field(
        default=8081, validation_alias=AliasChoices("MANAGEMENT_PORT", "ONBOARDING_MANAGEMENT_PORT")
    )
    database_url: DatabaseUrl | None = None
    redis_url: RedisUrl | None = None
    master_key: MasterKey | None = None
    assignment_keys: AssignmentKeys | None = None
    rate_limit_digest_key: SecretStr | None = None

    @property
    def edge_url(self) -> str:
        """Where the edge answers on this machine."""
        return f"http://127.0.0.1:{self.edge_port}"

    @property
    def management_url(self) -> str:
        """Where the management service answers on this machine."""
        return f"http://127.0.0.1:{self.management_port}"
