"""Where a chore finds PostgreSQL and Redis: where the settings say, else in the local stack that is running."""

from common.errors import SettingsError
from deploy.local.postgresql_server import PostgresqlServer
from deploy.local.stack_programs import Connections
from deploy.local.stack_settings import StackSettings
from deploy.local.state_folder import StateFolder
from deploy.local.valkey_server import ValkeyServer


def server_addresses(settings: StackSettings) -> Connections:
    """Give the addresses. Raises SettingsError where a server is neither named nor known to the state folder."""
    state = StateFolder(settings.state_dir)
    postgresql, valkey = PostgresqlServer(state), ValkeyServer(state)
    if settings.database_url is None and not postgresql.find():
        raise SettingsError(_nowhere("ONBOARDING_DATABASE_URL", state))
    if settings.redis_url is None and not valkey.find():
        raise SettingsError(_nowhere("ONBOARDING_REDIS_URL", state))
    return Connections(
        database_url=settings.database_url.get_secret_value() if settings.database_url else postgresql.url,
        redis_url=settings.redis_url.get_secret_value() if settings.redis_url else valkey.url,
    )


def _nowhere(variable: str, state: StateFolder) -> str:
    return f"{variable} is not set, and no local stack has run on {state.path} (ONBOARDING_STATE_DIR)"
