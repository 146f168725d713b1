"""The variants of an experiment as the interface takes and shows them (contract, section 5)."""

from typing import Annotated

from pydantic import AfterValidator, model_validator

from management_api.operations.variants import Variant
from management_api.schemas.envelope import ResponseModel
from management_api.schemas.parsing import RequestModel
from management_api.schemas.rules import Rule
from management_api.schemas.texts import REQUIRED, IdText, complaint, text_between, whole_number_between

FEWEST_VARIANTS, MOST_VARIANTS = 2, 10
WHOLE = 100

VariantKey = Annotated[str, text_between(1, 64)]
VariantName = Annotated[str, text_between(1, 100)]


class VariantBody(RequestModel):
    """One variant; without a name of its own it is shown by its key."""

    key: Annotated[VariantKey, REQUIRED]
    name: VariantName | None = None
    flow_id: Annotated[IdText, REQUIRED]
    weight: Annotated[int, whole_number_between(0, WHOLE), REQUIRED]
    is_control: bool = False

    @model_validator(mode="before")
    @classmethod
    def _with_one_spelling(cls, variant: object) -> object:
        """Take the flow's id in the spelling of SDKs as well."""
        if not isinstance(variant, dict) or "flowId" not in variant:
            return variant
        others = {name: value for name, value in variant.items() if name != "flowId"}
        # Two that differ are left for the check that follows, to which this spelling is an unknown member.
        return others if others.setdefault("flow_id", variant["flowId"]) == variant["flowId"] else variant

    def variant(self) -> Variant:
        """Give what the experiment is made of."""
        return Variant(
            key=self.key,
            name=self.name or self.key,
            flow_id=self.flow_id,
            weight=self.weight,
            is_control=self.is_control,
        )


def _are_few(value: object) -> object:
    if not isinstance(value, list) or not FEWEST_VARIANTS <= len(value) <= MOST_VARIANTS:
        raise complaint(f"must be an array of {FEWEST_VARIANTS} to {MOST_VARIANTS} variants")
    return value


def _fit_together(variants: list[VariantBody]) -> list[VariantBody]:
    if len({variant.key for variant in variants}) < len(variants):
        raise complaint("must have a different key each")
    if sum(variant.weight for variant in variants) != WHOLE:
        raise complaint(f"must have weights that sum to {WHOLE}")
    if sum(variant.is_control for variant in variants) != 1:
        raise complaint("must have exactly one that is_control")
    return variants


Variants = Annotated[
    list[VariantBody],
    Rule(_are_few, {"minItems": FEWEST_VARIANTS, "maxItems": MOST_VARIANTS}),
    AfterValidator(_fit_together),
]


class VariantView(ResponseModel):
    """A variant as it is shown."""

    key: str
    name: str
    flow_id: str
    weight: int
    is_control: bool
