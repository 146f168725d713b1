"""Where the database holds what the master key has sealed; a test finds every such column here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import InstrumentedAttribute

from management_api.database.idempotency_keys import IdempotencyKey, answer_owner
from management_api.database.projects import Project, SecretKey
from management_api.database.users import ApiKey

Attribute = InstrumentedAttribute[Any]


@dataclass(frozen=True, slots=True)
class SealedColumn:
    """A column of ciphertexts."""

    name: str
    sealed: Attribute
    #: The primary key, by which pages of rows are read.
    key: tuple[Attribute, ...]
    #: To whom a row is sealed: what `owner_id` makes of these columns.
    owner: tuple[Attribute, ...]
    owner_id: Callable[..., str] = str
    #: The keyed digest of the same secret, where it is found by one.
    digest: Attribute | None = None


SEALED_COLUMNS = (
    SealedColumn("public keys", Project.public_key_sealed, (Project.id,), (Project.id,)),
    SealedColumn("secret keys", SecretKey.sealed, (SecretKey.id,), (SecretKey.project_id,), digest=SecretKey.digest),
    SealedColumn("personal API keys", ApiKey.sealed, (ApiKey.user_id,), (ApiKey.user_id,), digest=ApiKey.digest),
    SealedColumn(
        "answers of an Idempotency-Key",
        IdempotencyKey.body_sealed,
        (IdempotencyKey.user_id, IdempotencyKey.key),
        (IdempotencyKey.user_id, IdempotencyKey.key),
        owner_id=answer_owner,
    ),
)
