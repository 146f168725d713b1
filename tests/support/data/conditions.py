"""Random conditions of all operators, by the types of their values."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from common.rules.conditions import OPERATORS, Condition, ValueType, condition_error

Values = st.SearchStrategy[Any]


def storable_conditions(
    attributes: Sequence[str], *, scalars: Values, texts: Values, numbers: Values, versions: Values
) -> st.SearchStrategy[Condition]:
    """Return conditions that the service accepts. Each type of values is as likely as the others."""
    values = {
        ValueType.SCALAR: scalars,
        ValueType.LIST: st.lists(scalars, min_size=1, max_size=3),
        ValueType.TEXT: texts,
        ValueType.NUMBER: numbers,
        ValueType.VERSION: versions,
        ValueType.NONE: st.none(),
    }
    names = {takes: [name for name, operator in OPERATORS.items() if operator.takes is takes] for takes in ValueType}
    return st.one_of(
        [
            st.builds(Condition, st.sampled_from(attributes), st.sampled_from(names[takes]), values[takes])
            for takes in ValueType
        ]
    ).filter(lambda condition: condition_error(condition) is None)
