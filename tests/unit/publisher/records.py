"""Contents of projects for tests of the compiler, with defaults for all fields."""

import dataclasses
from datetime import UTC, datetime
from typing import Any

import msgspec

from common.wire.public_responses import ConfiguredTheme, PublicScreen, ScreenType
from publisher.project_records import FlowRecord, ProjectRecord

CREATED_AT = datetime(2026, 5, 1, 12, 0, 0, 123456, tzinfo=UTC)

_SCREEN = PublicScreen(
    id="screen_1",
    type=ScreenType.WELCOME,
    name="Hello",
    order=0,
    content={"title_text": "Welcome", "nested": {"snake_case": [1, 2.5, None, True]}},
    settings={"skippable": False},
)
_THEME = ConfiguredTheme(
    id="theme_1",
    name="Light",
    is_default=False,
    colors={"primary_color": "#ff0000"},
    typography={"font_family": "Inter"},
    border_radius={"button": 8},
)
_FLOW = FlowRecord(
    id="flow_1",
    name="First steps",
    status="active",
    theme_id=None,
    priority=0,
    rollout_buckets=10_000,
    conditions=[],
    created_at=CREATED_AT,
    screens=(_SCREEN,),
)
_PROJECT = ProjectRecord(
    project_id="proj_1",
    revision=7,
    name="Shop",
    platforms=("ios", "android"),
    default_flow_id=None,
    analytics_enabled=True,
    record_answers=False,
    custom_domain=None,
    secret_keys=(),
    themes=(),
    active_flows=(),
    flow_ids=frozenset(),
    overrides=(),
    experiments=(),
    pages=(),
)


def a_theme(**fields: object) -> ConfiguredTheme:
    """Return a theme that is not the default."""
    changes: dict[str, Any] = fields
    return msgspec.structs.replace(_THEME, **changes)


def a_flow(**fields: object) -> FlowRecord:
    """Return an active flow with one screen, for everyone, without a theme of its own."""
    changes: dict[str, Any] = fields
    return dataclasses.replace(_FLOW, **changes)


def a_project(*flows: FlowRecord, **fields: object) -> ProjectRecord:
    """Return a project with these active flows."""
    changes: dict[str, Any] = {"flow_ids": frozenset(flow.id for flow in flows), **fields}
    return dataclasses.replace(_PROJECT, active_flows=flows, **changes)
