import { texts } from "@/texts";
import { expiresWithin, readClaims, userOfClaims } from "./claims";
import type { Session, SignInResult } from "./session";
import { shareToken, tokenOfAnotherTab } from "./sharedToken";

/** The key of the development identity's token, which survives reloads of this tab. No provider's token is stored. */
const KEY = "development-token";
/** The key of the reason why the last session of this tab ended. */
const ENDED = "development-ended";

/** Return the token of the fragment `#token=...`, or null, and remove it from the address. */
function takeTokenOfAddress(): string | null {
  const token = new URLSearchParams(window.location.hash.slice(1)).get("token");
  if (token !== null) {
    window.history.replaceState(null, "", window.location.pathname + window.location.search);
  }
  return token;
}

/** Drop the token and reload, so that the page asks to sign in. Unsaved work stays in sessionStorage. */
function end(reason: "signed_out" | "expired"): Promise<never> {
  sessionStorage.removeItem(KEY);
  sessionStorage.setItem(ENDED, reason);
  window.location.reload();
  return new Promise(() => {});
}

/** Return whether a link may replace the user of this tab: a stranger's link must not do so unnoticed. */
function mayReplace(present: string | null, given: string): boolean {
  const [before, after] = [present === null ? null : readClaims(present), readClaims(given)];
  if (before === null || after === null || expiresWithin(before, 0) || before.sub === after.sub) {
    return true;
  }
  return window.confirm(texts.session.replace(userOfClaims(after).name, userOfClaims(before).name));
}

/**
 * Return the session of a link that `make run` printed, of this tab or of another one, the reason of its end, or null if
 * there was none. A tab whose session has ended asks no other one.
 */
export async function developmentSession(): Promise<SignInResult | null> {
  const given = takeTokenOfAddress();
  if (given !== null && mayReplace(sessionStorage.getItem(KEY), given)) {
    sessionStorage.setItem(KEY, given);
    sessionStorage.removeItem(ENDED);
  }
  if (sessionStorage.getItem(KEY) === null && sessionStorage.getItem(ENDED) === null) {
    const shared = await tokenOfAnotherTab();
    if (shared !== null) {
      sessionStorage.setItem(KEY, shared);
    }
  }
  const token = sessionStorage.getItem(KEY);
  const claims = token === null ? null : readClaims(token);
  if (token === null || claims === null || expiresWithin(claims, 0)) {
    const ended = token === null ? sessionStorage.getItem(ENDED) : "expired";
    return ended === null ? null : { signedOut: { reason: ended === "expired" ? "expired" : "signed_out" } };
  }
  const tellSignedOut = shareToken(
    () => (expiresWithin(claims, 0) ? null : token),
    () => void end("signed_out"),
  );
  const session: Session = {
    user: userOfClaims(claims),
    token: async () => (expiresWithin(claims, 0) ? end("expired") : token),
    reauthenticate: () => end("expired"),
    signOut: () => {
      tellSignedOut();
      return end("signed_out");
    },
  };
  return { session };
}
