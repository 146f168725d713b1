"""The dashboard for Grafana, dashboard.json."""

import json
from collections.abc import Iterator
from typing import Any

from tools.generate_docs import common_panels, edge_panels, management_panels
from tools.generate_docs.panel import Panel

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

_WIDTH, _HEIGHT, _COLUMNS = 8, 8, 3
_SOURCE = {"type": "prometheus", "uid": "${source}"}


def dashboard_text() -> str:
    """Return dashboard.json."""
    return json.dumps(_dashboard(), indent=1) + "\n"


def _dashboard() -> dict[str, Any]:
    return {
        "title": "Onboarding",
        "uid": "onboarding",
        "tags": ["onboarding"],
        "schemaVersion": 39,
        "editable": True,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {
            "list": [{"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus"}],
        },
        "panels": list(_panels()),
    }


def _panels() -> Iterator[dict[str, Any]]:
    number, top = 0, 0
    for row in ROWS:
        number += 1
        yield {
            "id": number,
            "type": "row",
            "title": row.title,
            "collapsed": False,
            "gridPos": {"h": 1, "w": _WIDTH * _COLUMNS, "x": 0, "y": top},
            "panels": [],
        }
        top += 1
        for position, panel in enumerate(row.panels):
            number += 1
            line, column = divmod(position, _COLUMNS)
            yield _panel(panel, number, {"h": _HEIGHT, "w": _WIDTH, "x": column * _WIDTH, "y": top + line * _HEIGHT})
        top += -(-len(row.panels) // _COLUMNS) * _HEIGHT


def _panel(panel: Panel, number: int, place: dict[str, int]) -> dict[str, Any]:
    return {
        "id": number,
        "type": "timeseries",
        "title": panel.title,
        "datasource": _SOURCE,
        "gridPos": place,
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi"}},
        "targets": [
            {"refId": f"Q{position}", "datasource": _SOURCE, "expr": expression, "legendFormat": legend}
            for position, (expression, legend) in enumerate(panel.queries, start=1)
        ],
    }
