"""The signing key of assignment tokens in tests."""

import base64

from common.rules.assignment_tokens import AssignmentTokens

_KEY = b"assignment tokens of the tests  "

#: The value of the setting.
ASSIGNMENT_KEYS = base64.b64encode(_KEY).decode()

TOKENS = AssignmentTokens([_KEY])
