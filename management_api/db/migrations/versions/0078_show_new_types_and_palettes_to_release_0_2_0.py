"""Show release 0.2.0 rows that it can read, while it runs beside this release.

It answers 500 to lists of flows, screens and themes that have a type of screen or a form of colour that it does not
have. A screen of a newer type is a `custom` one in its rows, and keeps its type when 0.2.0 changes it. The palette of
dark devices moves from the colours to the looks, which 0.2.0 does not read.
"""

import sqlalchemy as sa
from alembic import op

revision = "0078"
down_revision = "0077"
branch_labels = None
depends_on = None

_TYPES = (
    "'welcome', 'feature', 'permissions', 'signup', 'question_text', 'question_single_choice',"
    " 'question_multiple_choice', 'question_picker', 'paywall', 'custom'"
)
#: The functions, what changes in each, and what takes its place.
_CHANGES = (
    (
        "write_flow_rows()",
        "screen ->> 'type', screen ->> 'name'",
        f"CASE WHEN screen ->> 'type' IN ({_TYPES}) THEN screen ->> 'type' ELSE 'custom' END, screen ->> 'name'",
    ),
    (
        "record_flow_rows(text)",
        "'type', screens.type,",
        f"""'type', CASE WHEN screens.type = 'custom' AND former -> screens.id ->> 'type' NOT IN ({_TYPES})
                    THEN former -> screens.id ->> 'type' ELSE screens.type END,""",
    ),
    (
        "record_theme_row(text)",
        "'colors', theme.colors,",
        """'colors', theme.colors || CASE WHEN theme.looks ? 'dark'
            THEN jsonb_build_object('dark', theme.looks -> 'dark') ELSE '{}' END,""",
    ),
)


def upgrade() -> None:
    for function, former, present in _CHANGES:
        _replace(function, former, present)
    op.execute(f"UPDATE screens SET type = 'custom' WHERE type NOT IN ({_TYPES})")
    op.execute("""
        UPDATE themes SET looks = looks || jsonb_build_object('dark', colors -> 'dark'), colors = colors - 'dark'
        WHERE jsonb_typeof(colors -> 'dark') = 'object'
    """)


def downgrade() -> None:
    for function, former, present in _CHANGES:
        _replace(function, present, former)
    op.execute("""
        UPDATE themes SET colors = colors || jsonb_build_object('dark', looks -> 'dark'), looks = looks - 'dark'
        WHERE looks ? 'dark'
    """)
    op.execute("""
        UPDATE screens SET type = screen ->> 'type'
        FROM flows
        JOIN flow_versions ON flow_id = flows.id AND number = live_version
        CROSS JOIN jsonb_array_elements(document -> 'screens') AS screen
        WHERE screens.flow_id = flows.id AND screens.id = screen ->> 'id' AND screens.type <> screen ->> 'type'
    """)


def _replace(function: str, former: str, present: str) -> None:
    """Replace a part of the body of a function."""
    statement = sa.text("SELECT pg_get_functiondef(CAST(:name AS regprocedure))")
    definition: str = op.get_bind().scalar(statement, {"name": function})
    if former not in definition:
        raise RuntimeError(f"{function} is not that of the migration before")
    op.get_bind().exec_driver_sql(definition.replace(former, present).replace("%", "%%"))
