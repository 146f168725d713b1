import type { TokenSource } from "@/api/client";
import type { DashboardConfig } from "../config";
import { developmentSession } from "./developmentSession";

/** The signed-in user, as the identity provider names it. */
export interface SignedInUser {
  name: string;
  email: string | null;
}

/** A user's session. Its token authorises every request. */
export interface Session extends TokenSource {
  readonly user: SignedInUser;
  /** End the session here and at the identity provider. */
  signOut(): Promise<void>;
}

/** The reasons why there is no session. */
export type SignedOutReason = "signed_out" | "no_session" | "expired" | "failed";

/** The reason why there is no session, and how to sign in. */
export interface SignedOut {
  readonly reason: SignedOutReason;
  /** The provider's message, when it refused. */
  readonly message?: string;
  /** Go to the identity provider; absent with the development identity, whose link signs in. */
  readonly signIn?: () => Promise<void>;
}

export type SignInResult = { session: Session } | { signedOut: SignedOut };

/** Return the session of a link with a token, of this tab, of another tab or of the provider, or else how to sign in. */
export async function startSession(config: DashboardConfig): Promise<SignInResult> {
  if (config.development_identity) {
    const development = await developmentSession();
    if (development) {
      return development;
    }
  }
  const { issuer, client_id } = config;
  if (issuer === null || client_id === null) {
    return { signedOut: { reason: "no_session" } };
  }
  // The client of the protocol is a chunk of its own: the development identity needs none of it.
  const { openIdSession } = await import("./openIdSession");
  return openIdSession({ issuer, client_id, scopes: config.scopes });
}
