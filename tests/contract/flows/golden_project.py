"""The project whose snapshot is kept as a golden file: every kind of content, each column given."""

from datetime import UTC, datetime
from typing import Any

from pydantic import SecretStr
from sqlalchemy import update
from sqlalchemy.orm import Session

from management_api.db.key_vault import KeyVault
from management_api.db.models.outbox import Publication
from management_api.db.models.projects import Project, SecretKey
from tests.support.data.rows import add_experiment, add_flow, add_project, add_qa_devices, add_screen, add_theme

PROJECT_ID = "proj_00041061050r3gg28a1c60t3gf"
REVISION = 42


def add_golden_project(session: Session, master_key: str) -> None:
    project = add_project(session, id=PROJECT_ID, name="Café \N{PARTY POPPER}", custom_domain="onboarding.shop.test")
    session.execute(update(Publication).values(wanted_revision=REVISION))
    _add_key(session, project, master_key, 1, expires_at=datetime(2099, 1, 1, tzinfo=UTC))
    _add_key(session, project, master_key, 2, expires_at=None)
    light = {"colors": {"primary_color": "#ff8800"}, "typography": {"fontFamily": "Inter", "base_size": 16}}
    add_theme(session, project, id="theme_light", name="Light", is_default=True, created_at=_day(1), **light)
    add_theme(session, project, id="theme_dark", name="Dark", border_radius={"button": 8.5}, created_at=_day(2))

    add_flow(session, project, id="flow_default", name="Everyone", is_default=True, created_at=_day(1))
    conditions = [
        {"attribute": "appVersion", "operator": "semver_gte", "value": "2.1.0"},
        {"attribute": "attributes.plan", "operator": "in", "value": ["pro", 7, True]},
        {"attribute": "country", "operator": "exists"},
    ]
    targeted: dict[str, Any] = {"priority": 10, "rollout_buckets": 1234, "conditions": conditions}
    flow = add_flow(
        session, project, id="flow_targeted", name="Some", theme_id="theme_dark", created_at=_day(3), **targeted
    )
    add_flow(session, project, id="flow_older", name="Half", priority=10, rollout_buckets=5000, created_at=_day(2))
    draft = add_flow(session, project, id="flow_draft", name="Draft", status="draft", created_at=_day(4))
    add_screen(session, draft, id="screen_3", type="custom")
    variant = add_flow(session, project, id="flow_variant", name="Variant", status="draft", created_at=_day(5))
    add_screen(session, variant, id="screen_4", type="welcome", content={"title": 'Why? "?"'})
    audience = {"conditions": conditions[:1], "traffic_buckets": 2500, "salt_version": 3, "primary_event": "purchase"}
    for number, status in enumerate(("paused", "running", "draft", "completed")):
        add_experiment(
            session,
            flow,
            variant,
            id=f"exp_{status}",
            name=f"Is {status}",
            status=status,
            started_at=None if status == "draft" else _day(9 - number),
            ended_at=_day(9) if status == "completed" else None,
            **(audience if status == "running" else {}),
        )
    add_qa_devices(session, project, {"tester-2": "flow_draft", "tester-1": "flow_draft", "tester-3": "flow_older"})
    content = {"title_text": "Olá", "steps": [{"n": 1}, None, 2.5, True], "huge": 1e30}
    add_screen(session, flow, id="screen_1", type="question_picker", name="Pick", content=content)
    add_screen(session, flow, id="screen_2", type="paywall", settings={"skippable": False})


def _add_key(session: Session, project: Project, master_key: str, number: int, *, expires_at: datetime | None) -> None:
    vault = KeyVault(SecretStr(master_key))
    key = f"obk_sk_golden_{number}"
    session.add(
        SecretKey(
            id=f"key_{number}",
            project_id=project.id,
            digest=vault.lookup_digest(key),
            sealed=vault.encrypt(key, owner_id=project.id),
            created_at=_day(number),
            expires_at=expires_at,
        )
    )
    session.flush()


def _day(number: int) -> datetime:
    return datetime(2026, 1, number, 12, 30, 15, 123456, tzinfo=UTC)
