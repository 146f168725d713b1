import { ErrorResponse, InMemoryWebStorage, UserManager, WebStorageStateStore } from "oidc-client-ts";
import { lifetimeSeconds, readClaims, userOfClaims } from "./claims";
import type { Session, SignInResult } from "./session";

/** The path that the provider redirects to, after signing in and out. It is registered there. */
const HOME = "/dashboard/";
/** Set in this tab from signing out until signing in: the provider may still have a session. */
const SIGNED_OUT = "signed-out";
/** A token with fewer seconds than this left is renewed before a request. */
const RENEWAL_MARGIN_SECONDS = 10;
/** Within this time after signing in, a rejected token is not renewed: that would be a redirect loop. */
const FRESH_MILLISECONDS = 30_000;
/** The error codes of a provider that cannot sign in without asking the user. */
const NEEDS_USER = new Set([
  "login_required",
  "interaction_required",
  "consent_required",
  "account_selection_required",
]);

/** The state that a sign-in carries to the provider and back. */
interface SignInState {
  view: string;
  /** Whether it renews a session, so that a failure is shown as an expired session. */
  renewal: boolean;
}

/** The provider and the settings of this client. */
interface Provider {
  issuer: string;
  client_id: string;
  scopes: string;
}

function newManager({ issuer, client_id, scopes }: Provider): UserManager {
  const origin = window.location.origin;
  return new UserManager({
    authority: issuer,
    client_id,
    redirect_uri: origin + HOME,
    post_logout_redirect_uri: origin + HOME,
    response_type: "code",
    scope: scopes,
    loadUserInfo: false,
    automaticSilentRenew: false,
    // Tokens stay in memory. The verifier and the state of a sign-in must survive the redirect.
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore: new WebStorageStateStore({ store: window.sessionStorage }),
  });
}

/** Return the path and query of this view, to which a sign-in returns. */
function currentView(): string {
  return window.location.pathname + window.location.search;
}

/** Leave the page; the promise never settles, so that a request waits for the next page instead of failing. */
async function leave(redirect: Promise<void>): Promise<never> {
  await redirect;
  return new Promise(() => {});
}

function sessionOf(manager: UserManager, idToken: string): Session {
  const claims = readClaims(idToken) ?? {};
  const startedAt = Date.now();
  // Computed from the lifetime, because the clock of this machine may be wrong: each page load would renew again.
  const renewAt = startedAt + (lifetimeSeconds(claims) - RENEWAL_MARGIN_SECONDS) * 1000;
  // Parallel requests share one renewal.
  let renewal: Promise<never> | null = null;
  const renew = () => {
    renewal ??= leave(signIn(manager, { view: currentView(), renewal: true }, "none"));
    return renewal;
  };
  return {
    user: userOfClaims(claims),
    token: async () => (Date.now() >= renewAt ? renew() : idToken),
    reauthenticate: async () => {
      if (Date.now() - startedAt > FRESH_MILLISECONDS) {
        await renew();
      }
    },
    signOut: async () => {
      sessionStorage.setItem(SIGNED_OUT, "true");
      const endpoint = await manager.metadataService.getEndSessionEndpoint();
      if (endpoint) {
        await leave(manager.signoutRedirect({ id_token_hint: idToken }));
      }
      window.location.assign(HOME);
    },
  };
}

function signIn(manager: UserManager, state: SignInState, prompt?: "none"): Promise<void> {
  sessionStorage.removeItem(SIGNED_OUT);
  return manager.signinRedirect({ state, prompt });
}

function signedOut(manager: UserManager, error: unknown): SignInResult {
  const refusal = error instanceof ErrorResponse ? error : null;
  const state = (refusal?.state as SignInState | undefined) ?? { view: HOME, renewal: false };
  window.history.replaceState(null, "", state.view);
  const retry = () => signIn(manager, { ...state, renewal: false });
  if (refusal?.error && NEEDS_USER.has(refusal.error)) {
    return { signedOut: { reason: state.renewal ? "expired" : "no_session", signIn: retry } };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { signedOut: { reason: "failed", message, signIn: retry } };
}

/** Return whether the provider has redirected to this address. */
function isCallback(): boolean {
  const parameters = new URLSearchParams(window.location.search);
  const hasResult = parameters.has("code") || parameters.has("error");
  return window.location.pathname === HOME && parameters.has("state") && hasResult;
}

/**
 * Return the session of an OpenID Connect provider, by the authorization code flow with PKCE.
 *
 * Tokens live in memory only, so each page load asks the provider again, by a redirect of the whole page with
 * `prompt=none`, and comes back to the same view.
 */
export async function openIdSession(provider: Provider): Promise<SignInResult> {
  const manager = newManager(provider);
  if (sessionStorage.getItem(SIGNED_OUT) !== null) {
    window.history.replaceState(null, "", HOME);
    const start = () => signIn(manager, { view: HOME, renewal: false });
    return { signedOut: { reason: "signed_out", signIn: start } };
  }
  if (!isCallback()) {
    return leave(signIn(manager, { view: currentView(), renewal: false }, "none"));
  }
  try {
    const user = await manager.signinRedirectCallback(window.location.href);
    if (!user.id_token) {
      throw new Error("The identity provider sent no ID token");
    }
    window.history.replaceState(null, "", (user.state as SignInState).view);
    return { session: sessionOf(manager, user.id_token) };
  } catch (error) {
    return signedOut(manager, error);
  }
}
