"""Migrations are one chain, and the names of revisions ascend along it."""

from alembic.config import Config
from alembic.script import ScriptDirectory

from management_api.db import migrations


def test_migrations_are_one_ascending_chain() -> None:
    config = Config()
    config.set_main_option("script_location", migrations.__path__[0])
    scripts = ScriptDirectory.from_config(config)
    assert len(scripts.get_heads()) == 1
    revisions = [script.revision for script in scripts.walk_revisions()]
    # The names tell a newer schema from an older one.
    assert revisions == sorted(revisions, reverse=True)
