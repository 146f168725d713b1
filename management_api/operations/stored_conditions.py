"""Conditions as the database holds and the interface shows them."""

from collections.abc import Sequence
from typing import Any

import msgspec

from common.rules.conditions import Condition


def stored_conditions(conditions: Sequence[Condition]) -> list[dict[str, Any]]:
    """Give conditions as JSON; `exists` and its like have no value."""
    shown: list[dict[str, Any]] = [msgspec.to_builtins(condition) for condition in conditions]
    return [{name: value for name, value in condition.items() if value is not None} for condition in shown]
