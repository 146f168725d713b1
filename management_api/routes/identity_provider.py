"""Whose tokens this service believes, as the settings say: the provider's own documents, a file, a shared secret."""

from common.errors import SettingsError
from management_api.routes.bearer_tokens import KeySource, TokenVerifier
from management_api.routes.provider_documents import ProviderDocuments, is_provider_url
from management_api.routes.provider_keys import ProviderKeys
from management_api.routes.verifying_keys import JwksFile, KeySetError, read_key_set
from management_api.settings import ManagementSettings


def check_identity_settings(settings: ManagementSettings) -> None:
    """Refuse a start that could believe no token. Raises SettingsError.

    The provider is not asked: it may be away just now, and personal API keys work without it.
    """
    if settings.identity_jwks_file is not None:
        try:
            read_key_set(settings.identity_jwks_file)
        except KeySetError as error:
            raise SettingsError(f"ONBOARDING_IDENTITY_JWKS_FILE: {error}") from error
    elif settings.identity_discovery:
        if not is_provider_url(settings.identity_issuer, allow_loopback_http=settings.identity_allow_loopback_http):
            raise SettingsError(
                "ONBOARDING_IDENTITY_ISSUER: must be an https:// URL, or the provider's keys must be in"
                " ONBOARDING_IDENTITY_JWKS_FILE"
            )
    elif settings.identity_shared_secret is None:
        raise SettingsError(
            "ONBOARDING_IDENTITY_DISCOVERY: is off, so tokens need ONBOARDING_IDENTITY_JWKS_FILE or"
            " ONBOARDING_IDENTITY_SHARED_SECRET"
        )


def token_verifier(settings: ManagementSettings) -> TokenVerifier:
    """Make what reads tokens; a thread begins to fetch where the keys are the provider's. Raises SettingsError."""
    check_identity_settings(settings)
    return TokenVerifier(
        _key_source(settings),
        issuer=settings.identity_issuer,
        audience=settings.identity_audience,
        shared_secret=settings.identity_shared_secret,
        assume_email_verified=settings.identity_assume_email_verified,
    )


def _key_source(settings: ManagementSettings) -> KeySource | None:
    if settings.identity_jwks_file is not None:
        return JwksFile(settings.identity_jwks_file)
    if not settings.identity_discovery:
        return None
    documents = ProviderDocuments(settings.identity_issuer, allow_loopback_http=settings.identity_allow_loopback_http)
    keys = ProviderKeys(documents.fetch_keys)
    keys.start()
    return keys
