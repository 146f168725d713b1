"""What members of answers mean, where names and types do not say it (contract, section 3, Statistics, defined)."""

from collections.abc import Mapping
from typing import Any, Final

from management_api.db.models.experiments import ExperimentStatus
from management_api.db.models.flows import FlowStatus, ScreenType
from management_api.db.models.projects import Role
from management_api.screens.templates import TemplateCategory
from tools.openapi.components import Json

_FRACTION: Json = {"minimum": 0, "maximum": 1}
_COUNT: Json = {"minimum": 0}
_STARTED: Json = {**_COUNT, "description": "Users with a flow_started of the flow; a user is a distinct device id."}
_COMPLETED: Json = {**_COUNT, "description": "Users with a flow_completed of the flow."}
_SCREEN_TYPE: Json = {"enum": [kind.value for kind in ScreenType]}

#: By the name of the member alone, or of its schema and it. The more exact one wins.
MEMBER_NOTES: Final[Mapping[str, Json]] = {
    "active_flows": {**_COUNT, "description": "Flows whose status is active."},
    "avg_completion_time": {
        **_COUNT,
        "description": "Seconds from a device's first start of a flow to its first completion after that, on average.",
    },
    "completion_rate": {**_FRACTION, "description": "Users who completed per user who started; 0 when nobody started."},
    "completions": {**_COUNT, "description": "Users who completed a flow on that day."},
    "default_flow_id": {
        "description": "The flow of devices that get none of an experiment or a targeted flow; null when there is none."
    },
    "expires_at": {"description": "When the key dies; null while nothing has replaced it."},
    "last_used_at": {
        "description": "The time of the last use of the key, at most a minute behind; null before the first. "
        "Every public request that a secret key opens is a use."
    },
    "new_users": {**_COUNT, "description": "Users who were first seen inside the period."},
    "order": {**_COUNT, "description": "The place in its flow: 0..n-1 without gaps."},
    "public_key": {"description": "Names the project in an app; it opens nothing."},
    "secret_key": {"description": "What an SDK sends as `X-Secret-Key`."},
    "secret_keys": {"description": "The living secret keys, the newest first."},
    "total": {**_COUNT, "description": "How many items there are on all pages."},
    "totalPages": {**_COUNT, "description": "How many pages there are; 0 when there is nothing."},
    "total_flows": {**_COUNT, "description": "Flows of any status."},
    "total_views": {**_COUNT, "description": "Its flow_started events; a device may start it again."},
    "total_users": {**_COUNT, "description": "Users ever seen, by an event or a resolution."},
    "users": {**_COUNT, "description": "Distinct device ids."},
    "users_today": {**_COUNT, "description": "Users seen today, in UTC."},
    "OverviewView.total_users": {**_COUNT, "description": "Users with any event or exposure in the period."},
    "DayView.date": {"description": "A UTC day. The days ascend, zeros included; events count on their own day."},
    "FlowPerformanceView.users": {
        **_COUNT,
        "description": "Users of the flow in the period, by which the list descends.",
    },
    "FlowView.status": {
        "enum": [status.value for status in FlowStatus],
        "description": "Only active flows are given out.",
    },
    "FlowView.is_default": {"description": "Whether it is the project's default flow."},
    "FlowView.priority": {"description": "Flows with a higher priority are evaluated first."},
    "FlowView.theme_id": {"description": "How it looks; null for the app's own looks."},
    "FlowViewWithContent.status": {"enum": [status.value for status in FlowStatus]},
    "ScreenSummary.type": _SCREEN_TYPE,
    "ScreenWithContent.type": _SCREEN_TYPE,
    "ScreenView.type": _SCREEN_TYPE,
    "ScreenTemplateView.type": _SCREEN_TYPE,
    "ScreenTemplateView.category": {"enum": [category.value for category in TemplateCategory]},
    "ThemeView.colors": {"description": "CSS hex colours by names of yours."},
    "TargetingView.percentage": {
        "minimum": 0,
        "maximum": 100,
        "description": "How many per cent of devices it is for.",
    },
    "MemberView.role": {"enum": [role.value for role in Role]},
    "AuditEntryView.action": {"description": "What was done, as `flow.update`."},
    "AuditEntryView.before": {"description": "The members that changed, as they were; null for what was made."},
    "AuditEntryView.after": {"description": "The same members as they are; null for what was deleted. Never a key."},
    "ExperimentView.status": {
        "enum": [status.value for status in ExperimentStatus],
        "description": "Only running experiments let devices in; paused ones keep those that send their token.",
    },
    "ExperimentView.traffic_percentage": {
        "minimum": 0,
        "maximum": 100,
        "description": "How many per cent of its audience take part; raising it moves nobody who does.",
    },
    "ExperimentView.primary_event": {"description": "The event type that counts as a conversion."},
    "ExperimentView.winner": {"description": "The key of the variant that was made the default; null when none was."},
    "ExperimentView.started_at": {"description": "When it was first started; null for a draft."},
    "VariantView.weight": {"minimum": 0, "maximum": 100, "description": "Per cent; those of all variants sum to 100."},
    "ExperimentResultsView.status": {"enum": [status.value for status in ExperimentStatus]},
    "ExperimentResultsView.users": {**_COUNT, "description": "Devices that were given one variant, and no other."},
    "excluded_multiple_variants": {
        **_COUNT,
        "description": "Devices that were given more than one variant; they count nowhere else.",
    },
    "SampleRatioView.p_value": {
        **_FRACTION,
        "description": "Of a chi-square test of the users against the weights; null below 100 users.",
    },
    "SampleRatioView.mismatch": {"description": "Whether it is below 0.001: then no figure here can be trusted."},
    "VariantResultView.users": {**_COUNT, "description": "Devices that were given this variant, and no other."},
    "VariantResultView.conversions": {
        **_COUNT,
        "description": "Users with an event of the experiment's primary_event at or after their exposure.",
    },
    "VariantResultView.rate": {**_FRACTION, "description": "Conversions per user."},
    "VariantResultView.rate_interval": {"description": "Low and high end of the 95 % interval (Wilson)."},
    "VariantResultView.lift": {
        "description": "The rate over the control's, minus 1; null when nobody of the control converted."
    },
    "VariantResultView.lift_interval": {"description": "Low and high end of the 95 % interval (Koopman's, by scores)."},
    "VariantResultView.p_value": {
        **_FRACTION,
        "description": "Of a two-proportion z-test, two-sided: right for one look at a moment chosen beforehand.",
    },
    "VariantResultView.sequential_p_value": {
        **_FRACTION,
        "description": "Always valid: right however often it is looked at, and for all variants together.",
    },
    "VariantResultView.probability_to_beat_control": {
        **_FRACTION,
        "description": "That the true rate is above the control's, with uniform priors (Beta-Binomial).",
    },
    "FunnelView.started": _STARTED,
    "FunnelView.completed": _COMPLETED,
    "FunnelScreenView.reached": {
        **_COUNT,
        "description": "Users with a screen_viewed or screen_completed of the screen.",
    },
    "FunnelScreenView.completed": {**_COUNT, "description": "Users with a screen_completed of the screen."},
    "FunnelScreenView.drop_off": {**_COUNT, "description": "Users who reached and did not complete it."},
    "FunnelScreenView.drop_off_rate": {**_FRACTION, "description": "The same per user who reached it."},
    "FunnelScreenView.median_seconds": {"description": "From first view to first completion; null when there is none."},
    "StepView.matched": {"description": "Whether the rule chose the flow."},
    "StepView.reason": {"description": "Why it did, or why it did not, for people."},
}


def with_notes(schemas: Mapping[str, Json]) -> dict[str, Json]:
    """Give the schemas of answers with the notes in them. Raises ValueError for a note that is about nothing."""
    used: set[str] = set()
    noted = {name: _noted(name, schema, used) for name, schema in schemas.items()}
    idle = MEMBER_NOTES.keys() - used
    if idle:
        raise ValueError(f"tools/openapi/member_notes.py: no answer has {', '.join(sorted(idle))}")
    return noted


def _noted(name: str, schema: Json, used: set[str]) -> Json:
    properties: dict[str, Any] = {}
    for member, described in schema.get("properties", {}).items():
        keys = [key for key in (f"{name}.{member}", member) if key in MEMBER_NOTES]
        used.update(keys)
        properties[member] = {**described, **MEMBER_NOTES[keys[0]]} if keys else described
    return {**schema, "properties": properties} if properties else schema
