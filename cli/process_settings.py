"""Which settings each process of the service takes."""

import os
from collections.abc import Mapping
from types import MappingProxyType

from common.settings.shared import DirectDatabaseSettings, ProcessSettings
from common.settings.sources import UnknownName, known_names, unknown_names
from deploy.local.settings import StackSettings
from edge_api.settings import EdgeSettings
from management_api.event_consumer.settings import ConsumerSettings
from management_api.settings import ManagementSettings
from publisher.settings import PublisherSettings

#: The processes that serve, by the commands that run them.
PROCESSES: Mapping[str, type[ProcessSettings]] = MappingProxyType(
    {
        "edge": EdgeSettings,
        "management": ManagementSettings,
        "publisher": PublisherSettings,
        "consumer": ConsumerSettings,
    }
)
#: All that read settings: beside them the chores, which find a local stack where nothing is set, and the stack itself.
READERS: Mapping[str, type[ProcessSettings]] = MappingProxyType(
    {**PROCESSES, "migrate": DirectDatabaseSettings, "local stack and chores": StackSettings}
)


def unknown_variables() -> list[UnknownName]:
    """Find the variables of this environment that begin like ours and that nobody reads."""
    return unknown_names(os.environ, known_names(READERS.values()))
