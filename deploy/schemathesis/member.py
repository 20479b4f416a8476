"""Hooks of schemathesis for requests as a member.

deploy/api.sh sends the session cookie with every request of the member, so a case whose only fault
is a missing or malformed session is accepted. The visitor's requests cover such cases.
"""

import schemathesis
from schemathesis.core.parameters import ParameterLocation


@schemathesis.hook
def filter_case(_context, case):
    """Leaves out cases with a fault in the cookies: the description has no cookie but the session."""
    cookies = case.meta.components.get(ParameterLocation.COOKIE) if case.meta else None
    return cookies is None or not cookies.mode.is_negative
