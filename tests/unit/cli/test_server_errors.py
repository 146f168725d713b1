"""What is said of an error in one line."""

from urllib.error import URLError

import pytest

from cli.server_errors import first_line


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("this\nand that"), "this"),
        (TimeoutError(), "TimeoutError"),
        (ConnectionRefusedError(111, "Connection refused"), "Connection refused"),
        (URLError(ConnectionRefusedError(111, "Connection refused")), "Connection refused"),
        (URLError("no host given"), "<urlopen error no host given>"),
    ],
)
def test_an_error_is_told_by_its_first_line_else_by_its_name(error: Exception, said: str) -> None:
    assert first_line(error) == said
