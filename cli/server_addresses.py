"""Where a chore finds PostgreSQL and Redis: where the settings say, else in the local stack that is running."""

from common.errors import SettingsError
from deploy.local.postgresql_server import PostgresqlServer
from deploy.local.process_specs import Connections
from deploy.local.settings import StackSettings
from deploy.local.state_folder import StateFolder
from deploy.local.valkey_server import ValkeyServer


def server_addresses(settings: StackSettings) -> Connections:
    """Give both addresses. Raises SettingsError where a server is neither named nor known to the state folder."""
    return Connections(database_url=database_address(settings), redis_url=redis_address(settings))


def database_address(settings: StackSettings) -> str:
    """Give PostgreSQL's, whether or not there is a Redis. Raises SettingsError as above."""
    if settings.database_url is not None:
        return settings.database_url.get_secret_value()
    state = StateFolder(settings.state_dir)
    postgresql = PostgresqlServer(state)
    if not postgresql.find():
        raise SettingsError(_nowhere("ONBOARDING_DATABASE_URL", state))
    return postgresql.url


def redis_address(settings: StackSettings) -> str:
    """Give Redis's. Raises SettingsError as above."""
    if settings.redis_url is not None:
        return settings.redis_url.get_secret_value()
    state = StateFolder(settings.state_dir)
    valkey = ValkeyServer(state)
    if not valkey.find():
        raise SettingsError(_nowhere("ONBOARDING_REDIS_URL", state))
    return valkey.url


def _nowhere(variable: str, state: StateFolder) -> str:
    return f"{variable} is not set, and no local stack has run on {state.path} (ONBOARDING_STATE_DIR)"
