"""The table's own certificate authority: for local networks only, renewed in time, its keys kept from others."""

from __future__ import annotations

import ssl
import tarfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from table import tls
from table.addresses import own_names
from table.backup import back_up
from table.cli import _certificates, main
from tests import webui_rig as rig
from webui import ACCESS_FILE, create_app

NOW = datetime(2030, 5, 1, tzinfo=UTC)


def test_keys_are_their_owners_and_the_dates_are_what_browsers_take(tmp_path: Path) -> None:
    made = tls.make(tmp_path / "tls", ["table7", "table7.local", "192.168.4.1", "fd00::2"], NOW)
    modes = {name: (made.folder / name).stat().st_mode & 0o777 for name in (tls.CA_KEY, tls.LEAF_KEY)}
    assert modes == {tls.CA_KEY: 0o600, tls.LEAF_KEY: 0o600}
    assert set(made.names) == {"table7", "table7.local", "192.168.4.1", "fd00::2"}
    assert made.ends - NOW < timedelta(days=397 - 1)
    assert len(made.fingerprint) == 95


def test_a_renewal_keeps_the_authority_that_devices_know(tmp_path: Path) -> None:
    first = tls.make(tmp_path, ["table7.local"], NOW)
    again = tls.make(tmp_path, ["table7.local", "10.0.0.7"], NOW)
    assert (again.fingerprint == first.fingerprint, "10.0.0.7" in again.names) == (True, True)
    anew = tls.make(tmp_path, ["table7.local"], NOW, new_authority=True)
    assert anew.fingerprint != first.fingerprint


def test_it_is_renewed_when_it_ends_soon_or_the_address_changed_and_only_then(tmp_path: Path) -> None:
    made = tls.make(tmp_path, ["table7.local", "192.168.4.1"], NOW)
    assert tls.renewed(tmp_path, ["table7.local"], NOW + timedelta(days=300)) == made
    moved = tls.renewed(tmp_path, ["table7.local", "192.168.4.9", "8.8.8.8"], NOW)
    assert set(moved.names) == {"table7.local", "192.168.4.1", "192.168.4.9"}, "no address of the internet"
    later = tls.renewed(tmp_path, ["table7.local"], NOW + timedelta(days=380))
    assert later.ends > NOW + timedelta(days=700)


def test_the_authority_vouches_for_local_networks_only(tmp_path: Path) -> None:
    tls.make(tmp_path, ["table7"], NOW)
    for name, says in (("8.8.8.8", "local network"), ("bank.example", "does not vouch"), ("a b", "neither a host")):
        with pytest.raises(tls.TlsError, match=says):
            tls.make(tmp_path, [name], NOW)


def test_a_browser_refuses_a_site_of_the_internet_signed_with_a_stolen_key(tmp_path: Path) -> None:
    """The limit is in the authority's certificate itself, so it holds even for whoever has its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    made = tls.make(tmp_path, ["localhost"], datetime.now(UTC))
    stolen = serialization.load_pem_private_key((tmp_path / tls.CA_KEY).read_bytes(), None)
    authority = x509.load_pem_x509_certificate((tmp_path / tls.CA_CERT).read_bytes())
    assert isinstance(stolen, ec.EllipticCurvePrivateKey)
    key = ec.generate_private_key(ec.SECP256R1())
    forged = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "bank.example")]))
        .issuer_name(authority.subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(datetime.now(UTC) - timedelta(days=1))
        .not_valid_after(datetime.now(UTC) + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("bank.example")]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(stolen.public_key()), critical=False)
        .sign(stolen, hashes.SHA256())
    )
    (tmp_path / tls.LEAF_CERT).write_bytes(forged.public_bytes(serialization.Encoding.PEM))
    no_password = serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, no_password)
    (tmp_path / tls.LEAF_KEY).write_bytes(pem)
    client = ssl.create_default_context(cafile=str(tmp_path / tls.CA_CERT))
    assert "permitted subtree" in refused(made.context(), client, "bank.example")


def refused(server: ssl.SSLContext, client: ssl.SSLContext, name: str) -> str:
    """Why the client hangs up on the server, without a network."""
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    here = client.wrap_bio(down, up, server_hostname=name)
    there = server.wrap_bio(up, down, server_side=True)
    for _ in range(4):
        for side in (here, there):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
            except ssl.SSLCertVerificationError as error:
                return error.verify_message
    return ""


@pytest.mark.parametrize("name", [tls.CA_CERT, tls.CA_KEY, tls.LEAF_CERT, tls.LEAF_KEY])
@pytest.mark.parametrize("damage", [None, b"", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
def test_damaged_files_say_what_to_do(tmp_path: Path, name: str, damage: bytes | None) -> None:
    tls.make(tmp_path, ["localhost"], NOW)
    file = tmp_path / name
    file.unlink() if damage is None else file.write_bytes(damage)
    with pytest.raises(tls.TlsError, match="paiju tls init"):
        use(tmp_path)


@pytest.mark.parametrize("name", [tls.CA_CERT, tls.LEAF_CERT, tls.LEAF_KEY])
@pytest.mark.parametrize("damage", [None, b"", "other"])
def test_what_no_server_can_use_is_said_before_a_page_names_it(
    tmp_path: Path, name: str, damage: bytes | str | None
) -> None:
    for folder in ("ours", "theirs"):
        tls.make(tmp_path / folder, ["localhost"], NOW)
    ours, theirs = tmp_path / "ours" / name, tmp_path / "theirs" / name
    ours.unlink() if damage is None else ours.write_bytes(damage if isinstance(damage, bytes) else theirs.read_bytes())
    assert tls.there(tmp_path / "ours")
    if (name, damage) == (tls.CA_CERT, "other"):
        return  # the pages' own certificate is still whole; devices see who vouches for it
    with pytest.raises(tls.TlsError, match="paiju tls init"):
        tls.renewed(tmp_path / "ours", ["localhost"], NOW)


@pytest.mark.parametrize("lost", [tls.CA_CERT, tls.CA_KEY])
def test_half_an_authority_is_never_silently_replaced(tmp_path: Path, lost: str) -> None:
    """Every device would have to install the new one: a person decides that."""
    folder = tmp_path / tls.FOLDER
    tls.make(folder, ["localhost"], datetime.now(UTC))
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != lost}
    (folder / lost).unlink()
    code, said = paiju("tls", "init", "--data", tmp_path)
    assert (code, f"{lost}: is not there" in said, "--new-authority" in said) == (1, True, True)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert paiju("tls", "init", "--new-authority", "--data", tmp_path)[0] == 0


def test_a_key_of_another_authority_signs_nothing(tmp_path: Path) -> None:
    for folder in ("ours", "theirs"):
        tls.make(tmp_path / folder, ["localhost"], NOW)
    (tmp_path / "theirs" / tls.CA_KEY).replace(tmp_path / "ours" / tls.CA_KEY)
    with pytest.raises(tls.TlsError, match="belongs to another authority"):
        tls.make(tmp_path / "ours", ["localhost"], NOW)


def test_pages_stay_secure_under_their_old_names_while_they_cannot_be_renewed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tls.make(tmp_path / tls.FOLDER, ["table7.local"], datetime.now(UTC))
    (made.folder / tls.CA_KEY).unlink()
    assert _certificates(tmp_path) == made
    assert "Secure pages only for table7.local" in capsys.readouterr().out
    assert tls.still_good(made.folder, made.ends) is None
    (made.folder / tls.LEAF_KEY).write_bytes(b"")
    assert _certificates(tmp_path) is None
    assert "No secure pages" in capsys.readouterr().out


def use(folder: Path) -> None:
    """All four files, as the server and a renewal read them."""
    tls.load(folder).context()
    tls.make(folder, ["localhost"], NOW)


def paiju(*words: object) -> tuple[int, str]:
    answer = CliRunner().invoke(main, [str(word) for word in words])
    return answer.exit_code, answer.output


def test_the_command_makes_renews_and_shows_them(tmp_path: Path) -> None:
    code, said = paiju("tls", "show", "--data", tmp_path)
    assert (code, "paiju tls init" in said) == (1, True)
    code, said = paiju("tls", "init", "--data", tmp_path, "--name", "table7.local")
    assert code == 0, said
    found = tls.load(tmp_path / tls.FOLDER)
    assert {"table7.local", "localhost", "127.0.0.1", "paiju.local"} <= set(found.names)
    assert found.fingerprint in said
    assert "/trust" in said
    code, said = paiju("tls", "init", "--data", tmp_path)
    assert (code, found.fingerprint in said) == (0, True), "renewed, the authority stays"
    code, said = paiju("tls", "init", "--data", tmp_path, "--name", "bank.example")
    assert (code, "does not vouch" in said) == (1, True)
    assert paiju("tls", "show", "--data", tmp_path)[0] == 0


def test_this_machine_knows_its_names() -> None:
    names = own_names()
    assert {"localhost", "127.0.0.1", "paiju.local"} <= set(names)
    assert len(set(names)) == len(names)


def test_a_backup_holds_no_keys_and_no_pins(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with rig.open_table(data) as runtime:
        rig.open_game(runtime)
        create_app(runtime, access_file=data / ACCESS_FILE)
        tls.make(data / tls.FOLDER, ["localhost"], NOW)
        back_up(data, tmp_path / "evening.tar")
    with tarfile.open(tmp_path / "evening.tar") as tar:
        names = tar.getnames()
    assert names
    assert not [name for name in names if "tls" in name or name.endswith((".key", ".json.new", ACCESS_FILE))]
