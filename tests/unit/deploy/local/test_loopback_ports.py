"""Ports of the embedded servers."""

import socket
from pathlib import Path

from deploy.local.loopback_ports import free_port, is_free, reserve_port


def test_a_port_is_kept_while_it_is_free(tmp_path: Path) -> None:
    file = tmp_path / "port"
    assert reserve_port(file) == reserve_port(file)


def test_port_in_use_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "port"
    port = reserve_port(file)
    with socket.create_server(("127.0.0.1", port)):
        assert not is_free(port)
        assert reserve_port(file) != port


def test_damaged_port_file_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "port"
    file.write_text("nonsense")
    assert file.read_text() != str(reserve_port(file))
    assert file.read_text().strip().isdecimal()


def test_a_free_port_is_free() -> None:
    assert is_free(free_port())
