import { expect, test, vi } from "vitest";
import { developmentSession } from "./developmentSession";

function tokenOf(claims: object): string {
  return `header.${btoa(JSON.stringify(claims))}.signature`;
}

function inOneHour(): number {
  return Date.now() / 1000 + 3600;
}

test("token of the address signs in and leaves the address at once", async () => {
  const token = tokenOf({ name: "Alice", email: "alice@example.com", exp: inOneHour() });
  window.history.replaceState(null, "", `/dashboard/projects?page=2#token=${token}`);
  const result = developmentSession();
  expect(window.location.hash).toBe("");
  expect(window.location.search).toBe("?page=2");
  if (!result || !("session" in result)) {
    throw new Error("no session");
  }
  expect(result.session.user).toEqual({ name: "Alice", email: "alice@example.com" });
  expect(await result.session.token()).toBe(token);
});

test("reload of the tab keeps the session", () => {
  window.history.replaceState(null, "", `/dashboard/#token=${tokenOf({ sub: "alice", exp: inOneHour() })}`);
  developmentSession();
  expect(developmentSession()).toHaveProperty("session");
});

test("link of another user asks before it replaces the session of the tab", async () => {
  const links = ["alice", "mallory"].map((sub) => tokenOf({ sub, exp: inOneHour() }));
  const confirm = vi.spyOn(window, "confirm").mockReturnValue(false);
  for (const token of links) {
    window.history.replaceState(null, "", `/dashboard/#token=${token}`);
    const result = developmentSession();
    expect(result).toHaveProperty("session.user.name", "alice");
    expect(window.location.hash).toBe("");
  }
  expect(confirm).toHaveBeenCalledOnce();
  confirm.mockRestore();
});

test("expired token asks to sign in again", () => {
  window.history.replaceState(null, "", `/dashboard/#token=${tokenOf({ exp: 1 })}`);
  expect(developmentSession()).toEqual({ signedOut: { reason: "expired" } });
});

test("tab without a token has no session", () => {
  window.history.replaceState(null, "", "/dashboard/");
  expect(developmentSession()).toBeNull();
});
