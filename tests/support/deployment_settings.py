"""The settings of a deployment, read as the processes read them."""

from collections.abc import Mapping

import pytest

from common.settings.shared import DirectDatabaseSettings, ProcessSettings
from common.settings.sources import known_names, read_settings, unknown_names
from edge_api.settings import EdgeSettings
from management_api.event_consumer.settings import ConsumerSettings
from management_api.settings import ManagementSettings
from publisher.settings import PublisherSettings

#: By the subcommand of `onboarding` that reads them.
SETTINGS_OF: dict[str, type[ProcessSettings]] = {
    "edge": EdgeSettings,
    "management": ManagementSettings,
    "publisher": PublisherSettings,
    "consumer": ConsumerSettings,
    "migrate": DirectDatabaseSettings,
}


def settings_at_start(process: str, environment: Mapping[str, str]) -> ProcessSettings:
    """Read the settings of a process from this environment; raise AssertionError for an unknown variable."""
    kind = SETTINGS_OF[process]
    assert unknown_names(environment, known_names([kind])) == []
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        return read_settings(kind)
