"""The key that signs assignment tokens in tests."""

import base64

from common.rules.assignment_tokens import AssignmentTokens

_KEY = b"assignment tokens of the tests  "

#: As the setting has it.
ASSIGNMENT_KEYS = base64.b64encode(_KEY).decode()

TOKENS = AssignmentTokens([_KEY])
