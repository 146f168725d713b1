"""Which keys a chore works with: those that the settings name, else those of the local stack."""

from pydantic import SecretStr

from common.errors import SettingsError
from deploy.local.settings import StackSettings
from deploy.local.state_folder import ASSIGNMENT_KEY_FILE, MASTER_KEY_FILE, StateFolder


def master_key_of(settings: StackSettings) -> SecretStr:
    """Give the master key. Raises SettingsError where none is named and no local stack has made one."""
    return _key(settings, settings.master_key, "ONBOARDING_MASTER_KEY", MASTER_KEY_FILE)


def assignment_keys_in(settings: StackSettings) -> SecretStr:
    """Give the keys of assignment tokens. Raises SettingsError as above."""
    return _key(settings, settings.assignment_keys, "ONBOARDING_ASSIGNMENT_KEYS", ASSIGNMENT_KEY_FILE)


def _key(settings: StackSettings, named: SecretStr | None, variable: str, file: str) -> SecretStr:
    if named is not None:
        return named
    state = StateFolder(settings.state_dir)
    kept = state.kept(file)
    if kept is None:
        raise SettingsError(f"{variable} is not set, and no local stack has run on {state.path} (ONBOARDING_STATE_DIR)")
    return SecretStr(kept)
