"""The results of an experiment as they are shown (contract, sections 3 and 5)."""

from collections.abc import Sequence

from management_api.operations.experiment_results import ExperimentResults, VariantResult
from management_api.schemas.envelope import ResponseModel


class SampleRatioView(ResponseModel):
    """Whether the users are shared out by the weights."""

    p_value: float | None
    mismatch: bool


class VariantResultView(ResponseModel):
    """The figures of one variant; those of the control that compare, and those over no users, are null."""

    key: str
    is_control: bool
    users: int
    conversions: int
    rate: float | None
    rate_interval: tuple[float, float] | None
    lift: float | None
    lift_interval: tuple[float, float] | None
    p_value: float | None
    sequential_p_value: float | None
    probability_to_beat_control: float | None

    @classmethod
    def of(cls, variant: VariantResult) -> "VariantResultView":
        """Show the figures of a variant."""
        compared = variant.comparison
        return cls(
            key=variant.key,
            is_control=variant.is_control,
            users=variant.counts.users,
            conversions=variant.counts.conversions,
            rate=variant.counts.rate,
            rate_interval=variant.rate_interval,
            lift=compared.lift,
            lift_interval=compared.lift_interval,
            p_value=compared.p_value,
            sequential_p_value=compared.sequential_p_value,
            probability_to_beat_control=compared.probability_to_beat_control,
        )


class ExperimentResultsView(ResponseModel):
    """The figures of an experiment; variants in its own order."""

    experiment_id: str
    status: str
    primary_event: str
    users: int
    excluded_multiple_variants: int
    srm: SampleRatioView
    variants: Sequence[VariantResultView]

    @classmethod
    def of(cls, results: ExperimentResults) -> "ExperimentResultsView":
        """Show the figures of an experiment."""
        return cls(
            experiment_id=results.experiment_id,
            status=results.status,
            primary_event=results.primary_event,
            users=results.users,
            excluded_multiple_variants=results.excluded_multiple_variants,
            srm=SampleRatioView.model_validate(results.sample_ratio),
            variants=[VariantResultView.of(variant) for variant in results.variants],
        )
