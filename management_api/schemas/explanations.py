"""Response of an explanation (contract, section 3); the body of the request is that of a resolve."""

from collections.abc import Sequence

from common.rules.resolution import Rule, Source
from management_api.operations.explanations import Explanation
from management_api.schemas.envelope import ResponseModel


class StepView(ResponseModel):
    """A rule that was evaluated, and its result."""

    rule: Rule
    id: str | None
    matched: bool
    reason: str


class ExplanationView(ResponseModel):
    """The device's flow, and the rules that led to it."""

    flow_id: str | None
    source: Source | None
    experiment_id: str | None
    variant: str | None
    steps: Sequence[StepView]

    @classmethod
    def from_explanation(cls, explanation: Explanation) -> "ExplanationView":
        """Return the response of an explanation."""
        choice = explanation.choice
        assignment = choice and choice.assignment
        return cls(
            flow_id=choice and choice.flow_id,
            source=choice and choice.source,
            experiment_id=assignment and assignment.experiment_id,
            variant=assignment and assignment.variant,
            steps=[StepView.model_validate(step) for step in explanation.steps],
        )
