"""The vault under several master keys: the first seals, all open and find."""

import base64

import pytest
from cryptography.exceptions import InvalidTag
from pydantic import SecretStr

from management_api.db.key_vault import KeyVault

_FORMER, _PRESENT = (base64.b64encode(byte * 32).decode() for byte in (b"f", b"p"))
_OWNER = "proj_1"


def vault_of(*keys: str) -> KeyVault:
    return KeyVault(SecretStr(",".join(keys)))


def test_value_encrypted_with_a_former_master_key_is_decrypted() -> None:
    sealed = vault_of(_FORMER).encrypt("obk_sk_1", owner_id=_OWNER)
    both = vault_of(_PRESENT, _FORMER)
    assert both.decrypt(sealed, owner_id=_OWNER) == "obk_sk_1"
    assert not both.is_current(sealed, owner_id=_OWNER)


def test_the_first_master_key_seals() -> None:
    sealed = vault_of(_PRESENT, _FORMER).encrypt("obk_sk_1", owner_id=_OWNER)
    alone = vault_of(_PRESENT)
    assert alone.decrypt(sealed, owner_id=_OWNER) == "obk_sk_1"
    assert alone.is_current(sealed, owner_id=_OWNER)
    with pytest.raises(InvalidTag):
        vault_of(_FORMER).decrypt(sealed, owner_id=_OWNER)


def test_a_key_is_looked_for_by_the_digests_of_all_master_keys() -> None:
    both = vault_of(_PRESENT, _FORMER)
    assert both.lookup_digests("obk_sk_1") == [
        vault_of(_PRESENT).lookup_digest("obk_sk_1"),
        vault_of(_FORMER).lookup_digest("obk_sk_1"),
    ]
    assert both.lookup_digest("obk_sk_1") == both.lookup_digests("obk_sk_1")[0]


@pytest.mark.parametrize("sealed", [b"", b"short", bytes(12), bytes(40)])
def test_value_encrypted_with_an_unknown_master_key_is_rejected(sealed: bytes) -> None:
    both = vault_of(_PRESENT, _FORMER)
    assert not both.is_current(sealed, owner_id=_OWNER)
    with pytest.raises(InvalidTag):
        both.decrypt(sealed, owner_id=_OWNER)
