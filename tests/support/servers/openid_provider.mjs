// An OpenID Connect provider for browsers: people sign in with any name. Arguments: its port, the origin of the client,
// and the lifetime of ID tokens in seconds.
import { createRequire } from "node:module";

const require = createRequire(new URL("../../../web/package.json", import.meta.url));
const { default: Provider } = await import(require.resolve("oidc-provider"));

const [port, origin, lifetime] = process.argv.slice(2);
const account = (id) => ({
  accountId: id,
  claims: () => ({ sub: id, name: id, email: `${id}@example.com`, email_verified: true }),
});

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: "onboarding-dashboard",
      token_endpoint_auth_method: "none",
      redirect_uris: [`${origin}/dashboard/`],
      post_logout_redirect_uris: [`${origin}/dashboard/`],
    },
  ],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
  // The ID token is the bearer, so it has the claims itself.
  conformIdTokenClaims: false,
  clientBasedCORS: () => true,
  cookies: { keys: ["only of tests"] },
  features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true } },
  findAccount: (_context, id) => account(id),
  // Nobody is asked for consent.
  loadExistingGrant: async (context) => {
    const grant = new context.oidc.provider.Grant({
      clientId: context.oidc.client.clientId,
      accountId: context.oidc.session.accountId,
    });
    grant.addOIDCScope("openid email profile");
    await grant.save();
    return grant;
  },
  pkce: { required: () => true },
  ttl: { IdToken: Number(lifetime), AccessToken: 600, Session: 3600, Grant: 3600, Interaction: 600 },
});
provider.listen(Number(port), "127.0.0.1");
