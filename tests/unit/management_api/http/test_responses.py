"""What is shown as plain objects has the members and values of the models that document it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import orjson
import pytest
from sqlalchemy import Row

from management_api.flows.queries import FlowStats, WholeFlow
from management_api.flows.schemas import FlowView, FlowViewWithContent
from management_api.http.responses import PlainView, ResponseModel, envelope

#: As PostgreSQL keeps it; the wire has milliseconds.
MOMENT = datetime(2026, 11, 20, 19, 12, 3, 123456, tzinfo=UTC)
CONDITION = {"attribute": "platform", "operator": "eq", "value": "ios"}


def row_of(columns: Mapping[str, object]) -> Row[*tuple[Any, ...]]:
    """Give what reads like a row of the database."""
    return cast("Row[*tuple[Any, ...]]", SimpleNamespace(**columns))


SCREEN = row_of(
    {
        "id": "screen_1",
        "type": "welcome",
        "name": None,
        "order": 0,
        "content": {"title": "Hello", "at": [1, 2.5, None]},
        "settings": {},
    }
)


def flow(rollout_buckets: int) -> WholeFlow:
    return WholeFlow(
        id="flow_1",
        project_id="proj_1",
        name="First",
        description="Seen first",
        status="active",
        is_default=True,
        theme_id=None,
        priority=-1,
        rollout_buckets=rollout_buckets,
        conditions=[CONDITION],
        created_at=MOMENT,
        updated_at=MOMENT,
        screens=[SCREEN, SCREEN],
        stats=FlowStats(12, 0.25),
    )


class Shown(NamedTuple):
    """A view, and the model that documents it."""

    model: type[ResponseModel]
    view: PlainView


SHOWN = [
    Shown(FlowView, FlowView.of(flow(10_000))),
    Shown(FlowView, FlowView.of(flow(1234))),
    Shown(FlowViewWithContent, FlowViewWithContent.of(flow(0))),
]


@pytest.mark.parametrize("shown", SHOWN)
def test_a_plain_view_is_what_its_model_would_send(shown: Shown) -> None:
    sent = orjson.loads(envelope(shown.view))["data"]
    assert sent == orjson.loads(envelope(shown.model.model_validate(sent)))["data"]
