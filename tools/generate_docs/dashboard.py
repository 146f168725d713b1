"""The dashboard for Grafana, dashboard.json."""

import json
import re
from collections.abc import Iterator
from typing import Any

from tools.generate_docs import common_panels, edge_panels, management_panels
from tools.generate_docs.panel import Panel, PanelRow

ROWS = (
    common_panels.NOW,
    common_panels.OBJECTIVES,
    common_panels.OVERVIEW,
    edge_panels.REQUESTS,
    edge_panels.SNAPSHOTS,
    management_panels.PUBLISHER,
    edge_panels.EVENTS,
    edge_panels.PAGES,
    management_panels.CONSUMER,
    management_panels.REQUESTS,
    common_panels.MACHINES,
)

_WIDTH = 24
#: Width and height of the panels of a row.
_CHART_SIZE, _STAT_SIZE = (8, 8), (4, 4)
_SOURCE = {"type": "prometheus", "uid": "${source}"}
_SERIES = re.compile(r"\b(onboarding_\w+)(\{)?")


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
            "list": [
                {"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus"},
                _variable("job", "Process", 'label_values(up{job=~"onboarding-.*"}, job)'),
                _variable("instance", "Instance", 'label_values(up{job=~"$job"}, instance)'),
            ],
        },
        "panels": list(_panels()),
    }


def _variable(name: str, label: str, query: str) -> dict[str, Any]:
    return {
        "name": name,
        "label": label,
        "type": "query",
        "datasource": _SOURCE,
        "query": {"query": query, "refId": name},
        "refresh": 2,  # when the time range changes
        "sort": 1,
        "multi": True,
        "includeAll": True,
        "current": {"text": "All", "value": "$__all"},
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
            "gridPos": {"h": 1, "w": _WIDTH, "x": 0, "y": top},
            "panels": [],
        }
        top += 1
        width, height = _size(row)
        columns = _WIDTH // width
        for position, panel in enumerate(row.panels):
            number += 1
            line, column = divmod(position, columns)
            yield _panel(panel, number, {"h": height, "w": width, "x": column * width, "y": top + line * height})
        top += -(-len(row.panels) // columns) * height


def _size(row: PanelRow) -> tuple[int, int]:
    return _STAT_SIZE if all(panel.type == "stat" for panel in row.panels) else _CHART_SIZE


def _panel(panel: Panel, number: int, place: dict[str, int]) -> dict[str, Any]:
    defaults: dict[str, Any] = {"unit": panel.unit, "min": 0}
    if panel.thresholds is not None:
        steps = [{"color": color, "value": value} for color, value in panel.thresholds.steps]
        defaults["thresholds"] = {"mode": "absolute", "steps": steps}
        if panel.type == "timeseries":
            defaults["custom"] = {"thresholdsStyle": {"mode": "dashed"}}
    return {
        "id": number,
        "type": panel.type,
        "title": panel.title,
        "datasource": _SOURCE,
        "gridPos": place,
        "fieldConfig": {"defaults": defaults, "overrides": []},
        "options": _stat_options() if panel.type == "stat" else _chart_options(),
        "targets": [
            {
                "refId": f"Q{position}",
                "datasource": _SOURCE,
                "expr": _of_selected_instances(expression),
                "legendFormat": legend,
            }
            for position, (expression, legend) in enumerate(panel.queries, start=1)
        ],
    }


def _chart_options() -> dict[str, Any]:
    return {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi"}}


def _stat_options() -> dict[str, Any]:
    return {
        "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False},
        "colorMode": "background",
        "graphMode": "area",
        "textMode": "auto",
    }


def _of_selected_instances(expression: str) -> str:
    """Return the query with every series restricted to the variables of the dashboard."""
    return _SERIES.sub(
        lambda series: f'{series[1]}{{job=~"$job", instance=~"$instance"{", " if series[2] else "}"}', expression
    )
