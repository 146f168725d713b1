"""The TypeScript module of the operators of conditions for web/flow, from common/rules/conditions.py."""

from common.rules.conditions import OPERATORS

_HEAD = """\
// Generated from common/rules/conditions.py by `make generate`; do not edit.

/** The operators of conditions, with the type of the value that each of them takes. */
export const OPERATORS = {
"""


def operators_module() -> str:
    """Return the module with the table, and the type of its names."""
    rows = "".join(f'  {name}: "{operator.takes}",\n' for name, operator in OPERATORS.items())
    return f"{_HEAD}{rows}}} as const;\nexport type Operator = keyof typeof OPERATORS;\n"
