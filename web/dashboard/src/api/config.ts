/**
 * GET /dashboard/config.json, which is not part of the OpenAPI document: the settings of the dashboard, and the release
 * that serves it.
 */
export interface DashboardConfig {
  /** The OpenID Connect issuer; null where the development identity is the only sign-in. */
  issuer: string | null;
  /** Null where the sign-in is not set up. */
  client_id: string | null;
  scopes: string;
  /** The public address of the edge, whose `/onboarding/preview` the editor shows; null where it is this origin. */
  edge_url: string | null;
  release: string;
  /** Whether links with a token in the fragment sign in; `make run` prints one. */
  development_identity: boolean;
  /** Whether a machine can translate missing texts. */
  translates?: boolean;
}

/** Fetch the settings; they are never cached. */
export async function fetchConfig(): Promise<DashboardConfig> {
  const response = await fetch("/dashboard/config.json", { cache: "no-store" });
  if (!response.ok) {
    throw new Error(`config.json responded with status ${response.status}`);
  }
  return (await response.json()) as DashboardConfig;
}
