"""Types of settings with validation of their own."""

import base64
import binascii
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr
from pydantic_settings import NoDecode

from common.client_address import TrustedProxies
from common.redis.url import Topology, parse_redis_url
from common.settings.group_roles import parse_group_roles

MASTER_KEY_BYTES = 32
SHARED_SECRET_BYTES = 32
ASSIGNMENT_KEY_BYTES = 32
DIGEST_KEY_BYTES = 32
_STORE_SCHEMES = ("file", "s3", "gs", "az")


def master_keys_of(value: SecretStr) -> tuple[bytes, ...]:
    """Return the master keys, the first of which encrypts. Raises ValueError."""
    keys = _keys_in(value)
    if any(len(key) != MASTER_KEY_BYTES for key in keys):
        raise ValueError(f"must be {MASTER_KEY_BYTES} bytes in base64, several separated by commas")
    return keys


def assignment_keys_of(value: SecretStr) -> tuple[bytes, ...]:
    """Return the signing keys of assignment tokens, the one in use first. Raises ValueError."""
    keys = _keys_in(value)
    if any(len(key) < ASSIGNMENT_KEY_BYTES for key in keys):
        raise ValueError(f"must be keys of at least {ASSIGNMENT_KEY_BYTES} bytes in base64, separated by commas")
    return keys


def digest_keys_of(value: SecretStr) -> tuple[bytes, ...]:
    """Return the keys of the digests of devices, the one in use first; none of an empty text. Raises ValueError."""
    keys = _keys_in(value) if value.get_secret_value() else ()
    if any(len(key) < DIGEST_KEY_BYTES for key in keys):
        raise ValueError(f"must be keys of at least {DIGEST_KEY_BYTES} bytes in base64, separated by commas")
    return keys


def can_fail_over(redis_url: SecretStr | None) -> bool:
    """Return whether the URL names Sentinels or a Cluster, where a replica can take the place of its master."""
    return redis_url is not None and parse_redis_url(redis_url.get_secret_value()).topology is not Topology.SINGLE


def _default_event_replicas(validated: dict[str, Any]) -> int:
    return int(can_fail_over(validated["redis_url"]))


def _keys_in(value: SecretStr) -> tuple[bytes, ...]:
    try:
        return tuple(base64.b64decode(key.strip(), validate=True) for key in value.get_secret_value().split(","))
    except ValueError as error:
        # Text beyond ASCII is a ValueError of its own kind, and would be quoted.
        reason = "must be base64, several separated by commas"
        raise ValueError(reason) from (error if isinstance(error, binascii.Error) else None)


def _check_master_keys(value: SecretStr) -> SecretStr:
    master_keys_of(value)
    return value


def _check_assignment_keys(value: SecretStr) -> SecretStr:
    assignment_keys_of(value)
    return value


def _check_digest_keys(value: SecretStr) -> SecretStr:
    digest_keys_of(value)
    return value


def _check_database_url(value: SecretStr) -> SecretStr:
    if not value.get_secret_value().startswith(("postgresql://", "postgres://")):
        raise ValueError("must be a postgresql:// URL")
    return value


def _check_redis_url(value: SecretStr) -> SecretStr:
    parse_redis_url(value.get_secret_value())
    return value


def _check_shared_secret(value: SecretStr) -> SecretStr:
    # RFC 7518, section 3.2: a key as long as the hash, or it could be guessed from any token.
    if len(value.get_secret_value().encode()) < SHARED_SECRET_BYTES:
        raise ValueError(f"must have at least {SHARED_SECRET_BYTES} bytes")
    return value


def _check_public_url(value: str) -> str:
    # It is put in front of paths as a string, also by SDKs: without a slash at its end.
    try:
        parts = urlsplit(value)
        is_complete = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_complete = False
    is_plain = value.isascii() and value.isprintable() and not set(value) & set(" \"'<>\\?#@;,")
    if not (is_complete and is_plain):
        raise ValueError("must be an http:// or https:// URL without a user, a query or a fragment")
    return value.rstrip("/")


def _check_media_store_url(url: str) -> str:
    # The messages leave out the URL, which may have a password.
    parts = urlsplit(url)
    if parts.scheme not in _STORE_SCHEMES:
        raise ValueError(f"must begin with {', '.join(f'{scheme}://' for scheme in _STORE_SCHEMES)}")
    if parts.scheme == "file" and (parts.netloc or not parts.path.startswith("/") or parts.path == "/"):
        raise ValueError("must name a folder by three slashes, such as file:///var/lib/onboarding/media")
    if parts.scheme != "file" and not parts.netloc:
        raise ValueError("must name a bucket")
    return url


def _check_origins(values: tuple[str, ...]) -> tuple[str, ...]:
    if "*" in values and len(values) > 1:
        raise ValueError("must be `*` alone, or a list of origins")
    for value in values:
        if value != "*" and "/" in _check_public_url(value).partition("://")[2]:
            raise ValueError("must be origins without a path, such as https://app.example.com")
    return tuple(value.rstrip("/").lower() for value in values)


def _none_if_empty(value: object) -> object:
    """Compose files pass a variable that is not set as an empty text."""
    return None if value == "" else value


def _split_at_commas(value: object) -> object:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


def _check_networks(value: tuple[str, ...]) -> tuple[str, ...]:
    TrustedProxies(value)
    return value


#: The request format of a service for machine translation.
MachineKind = Literal["openai", "deepl"]
MasterKey = Annotated[SecretStr, AfterValidator(_check_master_keys)]
DatabaseUrl = Annotated[SecretStr, AfterValidator(_check_database_url)]
RedisUrl = Annotated[SecretStr, AfterValidator(_check_redis_url)]
AssignmentKeys = Annotated[SecretStr, AfterValidator(_check_assignment_keys)]
DigestKeys = Annotated[SecretStr, AfterValidator(_check_digest_keys)]


def _check_group_roles(text: str | None) -> str | None:
    if text is not None:
        parse_group_roles(text)
    return text


SharedSecret = Annotated[SecretStr, AfterValidator(_check_shared_secret)]
PublicUrl = Annotated[str, AfterValidator(_check_public_url)]
OptionalPublicUrl = Annotated[PublicUrl | None, BeforeValidator(_none_if_empty)]
_StoreUrl = Annotated[str, AfterValidator(_check_media_store_url)]
MediaStoreUrl = Annotated[_StoreUrl | None, BeforeValidator(_none_if_empty)]
OptionalText = Annotated[str | None, BeforeValidator(_none_if_empty)]
OptionalGroupRoles = Annotated[str | None, BeforeValidator(_none_if_empty), AfterValidator(_check_group_roles)]
PublicUrls = Annotated[tuple[PublicUrl, ...], NoDecode, BeforeValidator(_split_at_commas)]
Origins = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split_at_commas), AfterValidator(_check_origins)]
Port = Annotated[int, Field(ge=1, le=65535)]
#: 0: the process has no metrics endpoint.
MetricsPort = Annotated[int, Field(ge=0, le=65535)]
#: The class declares `redis_url` before it, because the default follows from that.
EventReplicas = Annotated[
    int,
    Field(
        default_factory=_default_event_replicas,
        ge=0,
        le=10,
        description="The number of replicas that must have an event before it is acknowledged. Default: 1 where"
        " `ONBOARDING_REDIS_URL` names Sentinels or a Cluster, else 0. With 0, a failover loses acknowledged events."
        " Masters without replicas need 0.",
    ),
]
RequestsAnHour = Annotated[int, Field(ge=1, le=1_000_000_000)]
Quota = Annotated[int, Field(ge=1, le=10**15)]
TrustedNetworks = Annotated[
    tuple[str, ...], NoDecode, BeforeValidator(_split_at_commas), AfterValidator(_check_networks)
]
