"""What is wrong with this environment for each process, without starting any."""

import os
from collections.abc import Iterable

from cli.process_settings import PROCESSES
from common.errors import SettingsError
from common.settings.shared import DatabaseSettings
from common.settings.sources import read_settings
from common.telemetry.tracing import validate_tracing_config
from management_api.auth.jwt import check_identity_settings
from management_api.db.engine import connection_url
from management_api.settings import ManagementSettings


def complaints_by_process(processes: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Give the complaints of each process, none where it would start; none of them shows a value."""
    return {process: _complaints(process) for process in processes}


def _complaints(process: str) -> tuple[str, ...]:
    try:
        validate_tracing_config(os.environ)
        settings = read_settings(PROCESSES[process])
        if isinstance(settings, DatabaseSettings):
            connection_url(settings.database_url)
        if isinstance(settings, ManagementSettings):
            if settings.analytics_database_url is not None:
                connection_url(settings.analytics_database_url, "ONBOARDING_ANALYTICS_DATABASE_URL")
            check_identity_settings(settings)
    except SettingsError as error:
        return error.complaints
    return ()
