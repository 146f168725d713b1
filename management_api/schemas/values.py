"""The annotated types of what is neither text nor number: choices, and lists with an end."""

from enum import StrEnum
from typing import Any

from management_api.schemas.rules import Rule
from management_api.schemas.texts import complaint


def one_of(choices: type[StrEnum]) -> Rule:
    """Make the rule of a choice; the client reads what there is to choose from."""
    known = {choice.value: choice for choice in choices}

    def check(value: object) -> StrEnum:
        if not isinstance(value, str) or value not in known:
            raise complaint(f"must be one of {', '.join(known)}")
        return known[value]

    return Rule(check, {"type": "string", "enum": list(known)})


def list_up_to(longest: int) -> Rule:
    """Make the rule that bounds a list before its items are looked at."""

    def check(value: object) -> list[Any]:
        if not isinstance(value, list) or len(value) > longest:
            raise complaint(f"must be an array of at most {longest} items")
        return value

    return Rule(check, {"maxItems": longest})
