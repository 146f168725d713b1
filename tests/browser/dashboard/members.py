"""Members of a project beside the user of a test."""

import httpx

from tests.support.servers.local_stack import RunningStack


def add_member(api: httpx.Client, stack: RunningStack, project_id: str, role: str) -> str:
    """Add a new user to a project with a role, and return the address."""
    email = sign_in_new_user(api, stack, role)
    api.post(f"/projects/{project_id}/members", json={"email": email, "role": role}).raise_for_status()
    return email


def sign_in_new_user(api: httpx.Client, stack: RunningStack, name: str) -> str:
    """Let a new user, who is in no project, sign in once, and return the address."""
    email = f"{name}-{api.get('/user').json()['data']['email']}"
    signed_in = {"Authorization": f"Bearer {stack.token(email)}"}
    httpx.get(f"{stack.management_url}/api/user", headers=signed_in, trust_env=False).raise_for_status()
    return email
