import { expect, test, vi } from "vitest";
import { developmentSession } from "./developmentSession";

function tokenOf(claims: object): string {
  return `header.${btoa(JSON.stringify(claims))}.signature`;
}

function inOneHour(): number {
  return Date.now() / 1000 + 3600;
}

test("tab without a token has no session where no other tab has one", async () => {
  window.history.replaceState(null, "", "/dashboard/");
  expect(await developmentSession()).toBeNull();
});

test("token of the address signs in and leaves the address at once", async () => {
  const token = tokenOf({ name: "Alice", email: "alice@example.com", exp: inOneHour() });
  window.history.replaceState(null, "", `/dashboard/projects?page=2#token=${token}`);
  const result = await developmentSession();
  expect(window.location.hash).toBe("");
  expect(window.location.search).toBe("?page=2");
  if (!result || !("session" in result)) {
    throw new Error("no session");
  }
  expect(result.session.user).toEqual({ name: "Alice", email: "alice@example.com" });
  expect(await result.session.token()).toBe(token);
});

test("reload of the tab keeps the session", async () => {
  window.history.replaceState(null, "", `/dashboard/#token=${tokenOf({ sub: "alice", exp: inOneHour() })}`);
  await developmentSession();
  expect(await developmentSession()).toHaveProperty("session");
});

test("link of another user asks before it replaces the session of the tab", async () => {
  const links = ["alice", "mallory"].map((sub) => tokenOf({ sub, exp: inOneHour() }));
  const confirm = vi.spyOn(window, "confirm").mockReturnValue(false);
  for (const token of links) {
    window.history.replaceState(null, "", `/dashboard/#token=${token}`);
    const result = await developmentSession();
    expect(result).toHaveProperty("session.user.name", "alice");
    expect(window.location.hash).toBe("");
  }
  expect(confirm).toHaveBeenCalledOnce();
  confirm.mockRestore();
});

test("expired token asks to sign in again", async () => {
  window.history.replaceState(null, "", `/dashboard/#token=${tokenOf({ exp: 1 })}`);
  expect(await developmentSession()).toEqual({ signedOut: { reason: "expired" } });
});

test("new tab has the session of another tab, but not after it has signed out itself", async () => {
  const token = tokenOf({ sub: "alice", exp: inOneHour() });
  window.history.replaceState(null, "", `/dashboard/#token=${token}`);
  await developmentSession();
  sessionStorage.clear();
  expect(await developmentSession()).toHaveProperty("session");
  sessionStorage.clear();
  sessionStorage.setItem("development-ended", "signed_out");
  expect(await developmentSession()).toEqual({ signedOut: { reason: "signed_out" } });
});
