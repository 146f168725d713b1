"""Tickets: valid only until their end, in one spelling, and under the keys that signed them."""

import base64
import hmac

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.ids import IdPrefix, new_id
from common.rules.resolution import Assignment
from common.wire.assignment_tokens import AssignmentTokens
from common.wire.tickets import MAX_TICKET_LENGTH, PreviewLink, Ticket, Tickets

KEY, FORMER_KEY = b"k" * 32, b"f" * 32
NOW = 1_800_000_000
TICKETS = Tickets([KEY])
TICKET = Ticket(new_id(IdPrefix.PROJECT), new_id(IdPrefix.KEY), NOW + 60)
TEXT = TICKETS.issue(TICKET)
IDS = st.text(max_size=40)


@given(IDS, IDS, st.integers(NOW + 1, 2**40))
def test_ticket_returns_its_content(project_id: str, key_id: str, expires_at: int) -> None:
    ticket = Ticket(project_id, key_id, expires_at)
    text = TICKETS.issue(ticket)
    # Ids of the product are ASCII; longer ones are not issued.
    assert TICKETS.read(text, NOW) == (ticket if 24 <= len(text) <= MAX_TICKET_LENGTH else None)


@pytest.mark.parametrize("is_draft", [True, False])
def test_preview_link_returns_its_content(*, is_draft: bool) -> None:
    link = PreviewLink(new_id(IdPrefix.PROJECT), new_id(IdPrefix.FLOW), NOW + 60, is_draft)
    assert TICKETS.read(TICKETS.issue(link), NOW) == link


@pytest.mark.parametrize(
    ("text", "ticket"),
    [
        ("lAGmcHJval8xpWtleV8xzmtJ0jwUbA4HOlz6Znw4y9XaOfbK", Ticket("proj_1", "key_1", NOW + 60)),
        (
            "lQKmcHJval8xpmZsb3dfMc5rSdI8w2ugN_E89c5_XOr7dtQiwOQ",
            PreviewLink("proj_1", "flow_1", NOW + 60, is_draft=True),
        ),
    ],
)
def test_ticket_of_release_before_stays_valid(text: str, ticket: Ticket | PreviewLink) -> None:
    assert TICKETS.read(text, NOW) == ticket


def test_ids_of_the_product_fit_the_maximum_length() -> None:
    longest = PreviewLink("p" * 40, "f" * 40, 2**62, is_draft=True)
    assert len(TICKETS.issue(longest)) <= MAX_TICKET_LENGTH


@pytest.mark.parametrize(("now", "is_valid"), [(NOW + 59.9, True), (NOW + 60, False), (NOW + 1e9, False)])
def test_ticket_is_valid_until_its_end(now: float, *, is_valid: bool) -> None:
    assert (TICKETS.read(TEXT, now) is not None) is is_valid


def test_ticket_of_another_installation_is_ignored() -> None:
    assert Tickets([FORMER_KEY]).read(TEXT, NOW) is None


def test_former_key_stays_valid_and_first_key_signs() -> None:
    rotated = Tickets([FORMER_KEY, KEY])
    assert rotated.read(TEXT, NOW) == TICKET
    assert TICKETS.read(rotated.issue(TICKET), NOW) is None


@given(st.integers(0, 10_000), st.integers(1, 255))
def test_ticket_with_changed_byte_is_ignored(position: int, change: int) -> None:
    raw = bytearray(base64.urlsafe_b64decode(TEXT + "=" * (-len(TEXT) % 4)))
    raw[position % len(raw)] ^= change
    assert TICKETS.read(base64.urlsafe_b64encode(raw).decode().rstrip("="), NOW) is None


@given(st.integers(0, len(TEXT) - 1), st.sampled_from("AZaz09-_+/=. \n\x00é"))
def test_ticket_has_one_spelling(position: int, character: str) -> None:
    changed = TEXT[:position] + character + TEXT[position + 1 :]
    assert TICKETS.read(changed, NOW) == (TICKET if changed == TEXT else None)


@given(st.text(max_size=300))
def test_any_text_is_ignored_without_error(text: str) -> None:
    assert TICKETS.read(text, NOW) is None


@given(st.text("abcXYZ019_-", min_size=20, max_size=MAX_TICKET_LENGTH + 5))
def test_any_base64url_is_ignored_without_error(text: str) -> None:
    assert TICKETS.read(text, NOW) is None


@pytest.mark.parametrize("suffix", ["=", "==", "\n", " ", "A" * 4, "A" * 100_000])
def test_ticket_with_suffix_is_ignored(suffix: str) -> None:
    assert TICKETS.read(TEXT + suffix, NOW) is None


def test_signature_of_assignment_tokens_is_no_signature_of_tickets() -> None:
    token = AssignmentTokens([KEY]).issue("", "", Assignment("exp_1", "b", NOW + 60)).decode()
    assert TICKETS.read(token, NOW) is None


@pytest.mark.parametrize("content", [[3, "p", "k", NOW + 60], [1, "p", "k"], [1, "p", "k", NOW + 60, 1], "text", None])
def test_signed_content_of_another_form_is_ignored(content: object) -> None:
    assert TICKETS.read(_sign(content), NOW) is None


def test_signature_follows_from_the_documented_derivation() -> None:
    assert _sign([1, TICKET.project_id, TICKET.key_id, TICKET.expires_at]) == TEXT


def _sign(content: object) -> str:
    encoded = msgspec.msgpack.encode(content)
    mac = hmac.digest(hmac.digest(KEY, b"onboarding/ticket/1", "sha256"), encoded, "sha256")[:16]
    return base64.urlsafe_b64encode(encoded + mac).decode().rstrip("=")
