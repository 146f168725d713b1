"""`onboarding keys`: the rotation of the master key."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import SecretStr
from typer.testing import CliRunner, Result

from cli.main import app
from common.settings.shared import DatabaseSettings
from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.db.models.projects import Project
from tests.support.data.rows import add_project, add_secret_key

_NEW = "A" * 43 + "="

Reencrypt = Callable[..., Result]


@pytest.fixture
def reencrypt(database_url: str, tmp_path: Path) -> Reencrypt:
    """Return a function that runs the command with master keys and options."""

    def run(keys: str, *options: str) -> Result:
        environment = {
            "ONBOARDING_DATABASE_URL": database_url,
            "ONBOARDING_MASTER_KEY": keys,
            "ONBOARDING_STATE_DIR": str(tmp_path),
        }
        result = CliRunner().invoke(app, ["keys", "re-encrypt", *options], env=environment)
        assert [key for key in keys.split(",") if key and key in result.output] == []
        return result

    return run


def test_check_reports_the_end_of_a_rotation(reencrypt: Reencrypt, database_url: str, master_key: str) -> None:
    database = Database(DatabaseSettings(database_url=SecretStr(database_url)))
    with database.transaction() as session:
        project = add_project(session)
        sealed = KeyVault(SecretStr(master_key)).encrypt("obk_pk_public", owner_id=project.id)
        session.get_one(Project, project.id).public_key_sealed = sealed
        add_secret_key(session, project, master_key)
    database.close()
    both = f"{_NEW},{master_key}"
    missing = reencrypt(_NEW, "--check")
    assert (missing.exit_code, "Remove none" in missing.output) == (1, True)
    before = reencrypt(both, "--check")
    assert (before.exit_code, "A former master key is still needed" in before.output) == (1, True)
    done = reencrypt(both)
    assert (done.exit_code, "the others can be removed" in done.output) == (0, True)
    assert reencrypt(_NEW, "--check").exit_code == 0


def test_missing_master_key_is_named(reencrypt: Reencrypt) -> None:
    assert "ONBOARDING_MASTER_KEY" in str(reencrypt("").exception)
