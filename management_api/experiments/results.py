"""Results of an experiment (contract, section 5, Results).

`rollups/experiment_users.py` counts the users and the conversions. The results of a completed experiment are stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy.orm import Session

from management_api.auth.access import Caller, get_for_read
from management_api.db.models.experiments import Experiment
from management_api.experiment_statistics.comparison import NO_COMPARISON, compare, rate_interval
from management_api.experiment_statistics.counts import Counts
from management_api.experiment_statistics.sample_ratio import check_sample_ratio
from management_api.experiments.schemas import (
    ExperimentResultsView,
    ResultDayView,
    ResultsPart,
    SampleRatioView,
    VariantDayView,
    VariantResultView,
)
from management_api.rollups.experiment_users import NO_USERS, VariantUsers, experiment_users
from management_api.rollups.storage import date_of


def experiment_results(
    session: Session, caller: Caller, experiment_id: str, part: ResultsPart | None = None
) -> ExperimentResultsView:
    """Count and compare the variants of an experiment. Raises NotFoundError, ForbiddenError."""
    experiment = get_for_read(session, caller, Experiment, experiment_id)
    by_key = experiment_users(session, experiment)
    users = [by_key.get(variant["key"], NO_USERS) for variant in experiment.variants]
    weights = [variant["weight"] for variant in experiment.variants]
    return ExperimentResultsView(
        experiment_id=experiment.id,
        status=experiment.status,
        primary_event=experiment.primary_event,
        users=sum(variant_users.counts.users for variant_users in users),
        excluded_multiple_variants=by_key.get(None, NO_USERS).counts.users,
        srm=SampleRatioView.model_validate(
            check_sample_ratio([variant_users.recent for variant_users in users], weights)
        ),
        variants=_variant_results(experiment.variants, [variant_users.counts for variant_users in users]),
        days=_days(experiment.variants, users) if part is ResultsPart.SERIES else None,
    )


def _days(variants: Sequence[Mapping[str, Any]], users: Sequence[VariantUsers]) -> list[ResultDayView]:
    return [
        ResultDayView(
            date=date_of(day),
            variants=[
                VariantDayView(key=variant["key"], **asdict(variant_users.days.get(day, NO_USERS.counts)))
                for variant, variant_users in zip(variants, users, strict=True)
            ],
        )
        for day in sorted({day for variant_users in users for day in variant_users.days})
    ]


def _variant_results(variants: Sequence[Mapping[str, Any]], counts: Sequence[Counts]) -> list[VariantResultView]:
    pairs = list(zip(variants, counts, strict=True))
    [control] = [variant_counts for variant, variant_counts in pairs if variant["is_control"]]
    results = []
    for variant, variant_counts in pairs:
        is_control = variant["is_control"]
        comparison = NO_COMPARISON if is_control else compare(control, variant_counts, comparisons=len(pairs) - 1)
        results.append(
            VariantResultView(
                key=variant["key"],
                is_control=is_control,
                users=variant_counts.users,
                conversions=variant_counts.conversions,
                rate=variant_counts.rate,
                rate_interval=rate_interval(variant_counts),
                **asdict(comparison),
            )
        )
    return results
