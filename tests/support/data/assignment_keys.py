"""The signing key of assignment tokens and tickets in tests."""

import base64

from common.wire.assignment_tokens import AssignmentTokens
from common.wire.tickets import Tickets

_KEY = b"assignment tokens of the tests  "

#: The value of the setting.
ASSIGNMENT_KEYS = base64.b64encode(_KEY).decode()

TOKENS = AssignmentTokens([_KEY])

TICKETS = Tickets([_KEY])
