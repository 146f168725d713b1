"""The URL of a database, as libpq takes it: several hosts, TLS and timeouts by the parameters that libpq documents."""

import psycopg
from psycopg.conninfo import conninfo_to_dict
from pydantic import SecretStr

from common.errors import SettingsError


def connection_url(url: SecretStr, variable: str = "ONBOARDING_DATABASE_URL") -> str:
    """Give the URL. Raises SettingsError for one that libpq does not take; `variable` is where it comes from."""
    try:
        conninfo_to_dict(url.get_secret_value())
    except psycopg.ProgrammingError:
        # What libpq says may quote the password.
        raise SettingsError(f"{variable}: is no connection URI that libpq understands") from None
    return url.get_secret_value()
