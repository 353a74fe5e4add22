"""A certificate authority of the table's own, so that tablets in the same network trust its pages.

The authority is limited to local networks (name constraints): whoever stole its key could not imitate a site on the
internet towards the devices that trust it. Its certificate is installed once on each device; the one of the pages is
renewed every year, and whenever the PC gets another address.
"""

from __future__ import annotations

import ipaddress
import re
import ssl
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from table.durable import keep

FOLDER = "tls"
CA_CERT, CA_KEY, LEAF_CERT, LEAF_KEY = "ca.pem", "ca.key", "pages.pem", "pages.key"
CA_DAYS, LEAF_DAYS, RENEW_DAYS = 3650, 390, 30
"""Apple's devices take no certificate of pages that is good for more than 397 days."""

LOCAL_NETWORKS = tuple(
    ipaddress.ip_network(text)
    for text in (
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8",
        "::1/128", "fc00::/7", "fe80::/10",
    )
)  # fmt: skip
LOCAL_NAMES = ("localhost", "local", "lan", "home.arpa", "internal")
"""The authority vouches for these and names below them, and for the PC's own name."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class TlsError(ValueError):
    """The certificates cannot be made, read or used; the sentence says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificates:
    """The certificates of a table as they lie on the disk.

    Attributes:
        folder: where they lie.
        names: what the pages' certificate vouches for: host names and addresses as text.
        ends: when it ends (UTC).
        authority_ends: when the authority ends (UTC).
        fingerprint: SHA-256 of the authority's certificate, for people to compare, ``AB:CD:...``.
    """

    folder: Path
    names: tuple[str, ...]
    ends: datetime
    authority_ends: datetime
    fingerprint: str

    def context(self) -> ssl.SSLContext:
        """What a server needs to speak HTTPS with them.

        Raises:
            TlsError: the files do not belong together.
        """
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        try:
            context.load_cert_chain(self.folder / LEAF_CERT, self.folder / LEAF_KEY)
        except (OSError, ssl.SSLError) as error:
            raise TlsError(f"{self.folder}: {_why(error)}. Make them anew: paiju tls init.") from None
        return context

    def authority(self) -> bytes:
        """The authority's certificate for devices to install (DER)."""
        return _read_certificate(self.folder / CA_CERT).public_bytes(serialization.Encoding.DER)


def make(folder: Path, names: Sequence[str], now: datetime, *, new_authority: bool = False) -> Certificates:
    """Make the certificate of the pages, and the authority if there is none yet.

    Args:
        folder: is made if it is not there; keys in it are readable by their owner only.
        names: host names and addresses of this PC (`own_names`).
        now: the present, UTC.
        new_authority: make another authority; every device must install it anew.

    Raises:
        TlsError: a name is not local, half of the authority is lost, or the disk refuses.
    """
    hosts, addresses = _sorted(names)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lost = [name for name in (CA_CERT, CA_KEY) if not (folder / name).exists()]
        if new_authority or len(lost) == 2:
            _make_authority(folder, hosts, now)
        elif lost:  # another authority would be a surprise on every device: that is for a person to decide
            raise TlsError(
                f"{folder / lost[0]}: is not there, so the authority that devices know can vouch for nothing new. "
                "Put the file back, or make another authority: paiju tls init --new-authority; devices install it anew."
            )
        _make_leaf(folder, hosts, addresses, now)
    except OSError as error:
        raise TlsError(f"{folder}: cannot be written ({error.strerror}).") from None
    return load(folder)


def load(folder: Path) -> Certificates:
    """The certificates in a folder.

    Raises:
        TlsError: there are none, or they are damaged.
    """
    authority, leaf = (_read_certificate(folder / name) for name in (CA_CERT, LEAF_CERT))
    try:
        alternative = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        raise TlsError(f"{folder / LEAF_CERT}: names no address. Make it anew: paiju tls init.") from None
    hosts = alternative.get_values_for_type(x509.DNSName)
    addresses = [str(one) for one in alternative.get_values_for_type(x509.IPAddress)]
    print_ = authority.fingerprint(hashes.SHA256())
    return Certificates(
        folder=folder,
        names=(*hosts, *addresses),
        ends=leaf.not_valid_after_utc,
        authority_ends=authority.not_valid_after_utc,
        fingerprint=print_.hex(":").upper(),
    )


def there(folder: Path) -> bool:
    """Whether somebody made certificates here."""
    return folder.exists()


def renewed(folder: Path, names: Sequence[str], now: datetime) -> Certificates:
    """The certificates in a folder, the pages' own made anew if it ends soon or does not name this PC any more.

    Raises:
        TlsError: they are damaged or do not belong together, or the authority does not vouch for the PC's present name
            or has ended.
    """
    known = load(folder)
    known.context()
    missing = set(local_only(names)) - set(known.names)
    if not missing and known.ends - now > timedelta(days=RENEW_DAYS):
        return known
    return make(folder, [*known.names, *local_only(names)], now)


def still_good(folder: Path, now: datetime) -> Certificates | None:
    """The certificates as they lie there, if pages can be served with them; for when they cannot be renewed."""
    try:
        known = load(folder)
        known.context()
    except TlsError:
        return None
    return known if known.ends > now else None


def local_only(names: Iterable[str]) -> list[str]:
    """The names that a certificate may carry: an address on the internet is left out."""
    kept = []
    for name in names:
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            kept.append(name.lower())
        else:
            kept += [str(address)] if _is_local(address) else []
    return kept


def _sorted(names: Iterable[str]) -> tuple[list[str], list[Address]]:
    hosts: dict[str, None] = {}
    addresses: dict[Address, None] = {}
    for name in names:
        try:
            addresses[ipaddress.ip_address(name)] = None
        except ValueError:
            if not re.fullmatch(r"(?!-)[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})*", name):
                raise TlsError(f"{name!r} is neither a host name nor an address.") from None
            hosts[name.lower()] = None
    strange = [str(one) for one in addresses if not _is_local(one)]
    if strange:
        raise TlsError(f"{strange[0]} is no address of a local network; Paiju is for local networks only.")
    return list(hosts), list(addresses)


def _is_local(address: Address) -> bool:
    return any(address in network for network in LOCAL_NETWORKS if network.version == address.version)


def _below(host: str, domains: Iterable[str]) -> bool:
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def _make_authority(folder: Path, hosts: Sequence[str], now: datetime) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    own = [host for host in hosts if not _below(host, LOCAL_NAMES)]
    named = f"Paiju {own[0] if own else 'table'} {now:%Y-%m-%d}"
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, named[:64])])
    allowed: list[x509.GeneralName] = [x509.DNSName(domain) for domain in (*LOCAL_NAMES, *own)]
    allowed += [x509.IPAddress(network) for network in LOCAL_NETWORKS]
    certificate = (
        _builder(name, name, key.public_key(), now, CA_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_others=True), critical=True)
        .add_extension(x509.NameConstraints(permitted_subtrees=allowed, excluded_subtrees=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    keep(folder / CA_KEY, _private(key), 0o600)
    keep(folder / CA_CERT, certificate.public_bytes(serialization.Encoding.PEM))


def _make_leaf(folder: Path, hosts: Sequence[str], addresses: Sequence[Address], now: datetime) -> None:
    authority, authority_key = _read_certificate(folder / CA_CERT), _read_key(folder / CA_KEY)
    if authority.public_key() != authority_key.public_key():
        raise TlsError(
            f"{folder / CA_KEY}: belongs to another authority than {CA_CERT}. Put the right one back, or make another "
            "authority: paiju tls init --new-authority; devices install it anew."
        )
    days = min(LEAF_DAYS, (authority.not_valid_after_utc - now).days)
    if days < 1:
        raise TlsError(
            "The authority has ended. Make another: paiju tls init --new-authority; devices install it anew."
        )
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or ()
    domains = [one.value for one in constraints if isinstance(one, x509.DNSName)]
    strange = [host for host in hosts if not _below(host, domains)]
    if strange:
        raise TlsError(
            f"The authority does not vouch for {strange[0]}. Use a name that ends in .local, or make another one: "
            "paiju tls init --new-authority; devices install it anew."
        )
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, (hosts[0] if hosts else "paiju")[:64])])
    alternative = [*(x509.DNSName(host) for host in hosts), *(x509.IPAddress(address) for address in addresses)]
    certificate = (
        _builder(name, authority.subject, key.public_key(), now, days)
        .add_extension(x509.SubjectAlternativeName(alternative), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_others=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()), critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    keep(folder / LEAF_KEY, _private(key), 0o600)
    keep(folder / LEAF_CERT, certificate.public_bytes(pem) + authority.public_bytes(pem))


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime, days: int
) -> x509.CertificateBuilder:
    """Good from yesterday on, because the clock of a tablet may be behind."""
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=days))
    )


def _usage(*, signs_others: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_others,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_others,
        crl_sign=signs_others,
        encipher_only=False,
        decipher_only=False,
    )


def _private(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _read_certificate(path: Path) -> x509.Certificate:
    try:
        return x509.load_pem_x509_certificate(path.read_bytes())
    except (OSError, ValueError) as error:
        raise TlsError(f"{path}: {_why(error)}. Make the certificates: paiju tls init.") from None


def _read_key(path: Path) -> ec.EllipticCurvePrivateKey:
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as error:
        raise TlsError(f"{path}: {_why(error)}. Make the certificates anew: paiju tls init --new-authority.") from None
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise TlsError(
            f"{path}: not a key that Paiju made. Make the certificates anew: paiju tls init --new-authority."
        )
    return key


def _why(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "is not there"
    return f"cannot be read ({error.strerror})" if isinstance(error, OSError) and error.strerror else "damaged"
