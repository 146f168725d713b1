import type { SignedInUser } from "./session";

interface Claims {
  exp?: number;
  iat?: number;
  name?: string;
  email?: string;
  sub?: string;
}

/** Return the claims of a JWT without verifying it, or null; the service verifies it. */
export function readClaims(token: string): Claims | null {
  try {
    const payload = token.split(".")[1] ?? "";
    const bytes = Uint8Array.from(atob(payload.replaceAll("-", "+").replaceAll("_", "/")), (char) =>
      char.charCodeAt(0),
    );
    return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
  } catch {
    return null;
  }
}

/** Return the user of claims: name, else e-mail address, else subject. */
export function userOfClaims(claims: Claims): SignedInUser {
  const email = claims.email ?? null;
  return { name: claims.name ?? email ?? claims.sub ?? "", email };
}

/** Return the seconds from `iat` to `exp`; infinity if one is missing. */
export function lifetimeSeconds(claims: Claims): number {
  return claims.exp === undefined || claims.iat === undefined ? Number.POSITIVE_INFINITY : claims.exp - claims.iat;
}

/** Return whether claims expire within some seconds; false without `exp`. */
export function expiresWithin(claims: Claims, seconds: number): boolean {
  return claims.exp !== undefined && claims.exp * 1000 - Date.now() < seconds * 1000;
}
