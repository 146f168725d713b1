// Evaluates the flags of two contexts by the unmodified clients of OpenFeature for servers and for browsers.
// Arguments: the address of the edge, the bearer credential. Prints one object of JSON.

import { createRequire } from "node:module";

const require = createRequire(new URL("../../../web/package.json", import.meta.url));
const { OpenFeature: Server } = require("@openfeature/server-sdk");
const { OFREPProvider } = require("@openfeature/ofrep-provider");
const { OpenFeature: Web } = require("@openfeature/web-sdk");
const { OFREPWebProvider } = require("@openfeature/ofrep-web-provider");

const [, , baseUrl, bearer] = process.argv;
const headers = [["Authorization", `Bearer ${bearer}`]];

async function inServer(context) {
  const client = Server.getClient();
  return [
    await client.getObjectDetails("onboarding", {}, context),
    await client.getBooleanDetails("onboarding.enabled", false, context),
    await client.getStringDetails("onboarding.variant", "", context),
  ];
}

async function inBrowser(context) {
  await Web.setContext(context);
  const client = Web.getClient();
  return [
    client.getObjectDetails("onboarding", {}),
    client.getBooleanDetails("onboarding.enabled", false),
    client.getStringDetails("onboarding.variant", ""),
  ];
}

const pro = { targetingKey: "phone", plan: "pro" };
const free = { targetingKey: "phone", plan: "free" };
await Server.setProviderAndWait(new OFREPProvider({ baseUrl, headers }));
await Web.setProviderAndWait(new OFREPWebProvider({ baseUrl, headers, pollInterval: 0, cacheMode: "disabled" }), pro);
const results = {
  server: [await inServer(pro), await inServer(free)],
  browser: [await inBrowser(pro), await inBrowser(free)],
};
process.stdout.write(JSON.stringify(results));
await Server.close();
await Web.close();
process.exit(0);
