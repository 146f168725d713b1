"""Settings of the commands that work on an installation."""

from pathlib import Path

from pydantic import Field, SecretStr
from pydantic_settings import SettingsConfigDict

from common.settings.shared import ProcessSettings
from common.settings.types import (
    AssignmentKeys,
    DatabaseUrl,
    EventReplicas,
    MasterKey,
    MediaStoreUrl,
    PublicUrl,
    RedisUrl,
)


class CommandSettings(ProcessSettings):
    """The servers and keys of an installation. For a missing one, the commands use the local stack, if there is one."""

    # Shells and CI files set an empty variable instead of none.
    model_config = SettingsConfigDict(env_ignore_empty=True)

    state_dir: Path = Field(
        default=Path(".local"),
        description="The folder with all data of the local stack. Stacks with different folders are independent.",
    )
    database_url: DatabaseUrl | None = Field(default=None, description="The URL of PostgreSQL.")
    redis_url: RedisUrl | None = Field(
        default=None, description="The URL of Redis: one server, Sentinels or a Cluster."
    )
    edge_event_replicas: EventReplicas
    master_key: MasterKey | None = Field(default=None, description="Encrypts keys in the database.")
    assignment_keys: AssignmentKeys | None = Field(
        default=None, description="Sign the tokens that keep devices in their variants."
    )
    edge_public_url: PublicUrl | None = Field(
        default=None, description="The public URL of the edge, for hosted pages of projects without a custom domain."
    )
    edge_spool_folder: Path | None = Field(
        default=None, description="The folder of the spool of the edges on this machine."
    )
    media_store: MediaStoreUrl = Field(default=None, description="The store of media files.")


class FlowSettings(ProcessSettings):
    """The management service and the user of `onboarding flows`, which needs no server of the installation."""

    model_config = SettingsConfigDict(env_ignore_empty=True)

    management_url: PublicUrl | None = Field(
        default=None, description="The management service that `onboarding flows` calls."
    )
    api_key: SecretStr | None = Field(
        default=None, description="The personal API key that `onboarding flows` calls the management service with."
    )
    edge_public_url: PublicUrl | None = Field(
        default=None, description="The public URL of the edge, which `onboarding bundle` reads the configuration from."
    )
    secret_key: SecretStr | None = Field(
        default=None,
        description="The secret key of the project for `onboarding bundle`. Without it, the personal API key reads it.",
    )
