import { setTokenSource } from "@/api/client";
import { type DashboardConfig, fetchConfig } from "@/api/config";
import type { Dashboard } from "@/api/dashboard";
import { type SignedOut, startSession } from "@/api/session/session";
import { dropKeptWork } from "@/ui/form/keptKeys";

/** The result of a page load: a signed-in dashboard, a way to sign in, or the reason of a failure. */
export type Started =
  | { dashboard: Dashboard }
  | { signedOut: SignedOut; config: DashboardConfig }
  | { failure: unknown };

/** Read the settings and sign in. */
export async function start(): Promise<Started> {
  try {
    const config = await fetchConfig();
    const result = await startSession(config);
    if ("signedOut" in result) {
      if (result.signedOut.reason === "signed_out") {
        // Perhaps in another tab.
        dropKeptWork();
      }
      return { signedOut: result.signedOut, config };
    }
    setTokenSource(result.session);
    return { dashboard: { config, session: result.session } };
  } catch (failure) {
    return { failure };
  }
}
