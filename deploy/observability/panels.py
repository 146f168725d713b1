"""The rows of the dashboard, in their order."""

from deploy.observability import common_panels, edge_panels, management_panels

ROWS = (
    common_panels.OVERVIEW,
    edge_panels.REQUESTS,
    edge_panels.SNAPSHOTS,
    management_panels.PUBLISHER,
    edge_panels.EVENTS,
    management_panels.CONSUMER,
    management_panels.REQUESTS,
    common_panels.MACHINES,
)
