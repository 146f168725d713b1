"""Explanations of resolutions as the interface shows them (contract, section 3); the body is that of a resolve."""

from collections.abc import Sequence

from common.rules.resolution import Rule, Source
from management_api.operations.explanations import Explanation
from management_api.schemas.envelope import ResponseModel


class StepView(ResponseModel):
    """A rule that was asked, and how it ended."""

    rule: Rule
    id: str | None
    matched: bool
    reason: str


class ExplanationView(ResponseModel):
    """What the device is given, and why."""

    flow_id: str | None
    source: Source | None
    experiment_id: str | None
    variant: str | None
    steps: Sequence[StepView]

    @classmethod
    def of(cls, explanation: Explanation) -> "ExplanationView":
        """Show an explanation."""
        choice = explanation.choice
        assignment = choice and choice.assignment
        return cls(
            flow_id=choice and choice.flow_id,
            source=choice and choice.source,
            experiment_id=assignment and assignment.experiment_id,
            variant=assignment and assignment.variant,
            steps=[StepView.model_validate(step) for step in explanation.steps],
        )
