"""Certificates for tests of TLS: an authority and the certificates that it signs."""

import ipaddress
from datetime import timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from common.timestamps import utc_now

_DAY = timedelta(days=1)
_SIGNS_CERTIFICATES = x509.KeyUsage(
    digital_signature=False,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=True,
    crl_sign=True,
    encipher_only=False,
    decipher_only=False,
)


class Authority:
    """A certificate authority; `file` is its certificate in PEM."""

    def __init__(self, name: str, folder: Path) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _x509_name(name)
        self.file = folder / f"{name}.pem"
        own = (
            self._builder(self._name, self._key)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_SIGNS_CERTIFICATES, critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self._key.public_key()), critical=False)
        )
        self.file.write_bytes(_pem(own.sign(self._key, hashes.SHA256())))

    def sign_address(self, address: str, certificate_file: Path, key_file: Path) -> None:
        """Write a certificate for an IP address, and its key with mode 0600.

        The certificate is for servers and for clients.
        """
        key = ec.generate_private_key(ec.SECP256R1())
        names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(address))])
        # Newer versions of Python require the identifier of the signing key.
        signer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        signed = (
            self._builder(_x509_name("peer"), key)
            .add_extension(names, critical=False)
            .add_extension(signer, critical=False)
        )
        certificate_file.write_bytes(_pem(signed.sign(self._key, hashes.SHA256())))
        key_file.touch(mode=0o600)
        key_file.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )

    def _builder(self, subject: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(utc_now() - _DAY)
            .not_valid_after(utc_now() + _DAY)
        )


def _x509_name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)
