/** Where an app asks for flows and sends its events, and as whom. */
export interface Connection {
  edgeUrl: string;
  projectId: string;
  secretKey: string;
}

/** Lines of an app in one language or for one library. */
export interface Target {
  id: string;
  label: string;
  lines: (connection: Connection) => string;
}

const DEVICE = { deviceId: "my-device", platform: "ios" } as const;

/** Return the targets of a request with a body: curl, Swift, Kotlin, JavaScript. `used` is what each does with the response. */
function request(path: string, body: object, used: { swift: string; kotlin: string; javascript: string }): Target[] {
  const json = JSON.stringify(body);
  return [
    {
      id: "curl",
      label: "curl",
      lines: ({ edgeUrl, projectId, secretKey }) => `curl ${edgeUrl}${path} \\
  -H "X-Project-Id: ${projectId}" \\
  -H "X-Secret-Key: ${secretKey}" \\
  -H "Content-Type: application/json" \\
  -d '${json}'`,
    },
    {
      id: "swift",
      label: "Swift",
      lines: ({ edgeUrl, projectId, secretKey }) => `var request = URLRequest(url: URL(string: "${edgeUrl}${path}")!)
request.httpMethod = "POST"
request.setValue("${projectId}", forHTTPHeaderField: "X-Project-Id")
request.setValue("${secretKey}", forHTTPHeaderField: "X-Secret-Key")
request.setValue("application/json", forHTTPHeaderField: "Content-Type")
request.httpBody = #"${json}"#.data(using: .utf8)
${used.swift}`,
    },
    {
      id: "kotlin",
      label: "Kotlin",
      lines: ({
        edgeUrl,
        projectId,
        secretKey,
      }) => `val connection = URL("${edgeUrl}${path}").openConnection() as HttpURLConnection
connection.requestMethod = "POST"
connection.doOutput = true
connection.setRequestProperty("X-Project-Id", "${projectId}")
connection.setRequestProperty("X-Secret-Key", "${secretKey}")
connection.setRequestProperty("Content-Type", "application/json")
connection.outputStream.use { it.write("""${json.replace('"ios"', '"android"')}""".toByteArray()) }
${used.kotlin}`,
    },
    {
      id: "javascript",
      label: "JavaScript",
      lines: ({ edgeUrl, projectId, secretKey }) => `const response = await fetch("${edgeUrl}${path}", {
  method: "POST",
  headers: {
    "X-Project-Id": "${projectId}",
    "X-Secret-Key": "${secretKey}",
    "Content-Type": "application/json",
  },
  body: JSON.stringify(${json}),
});
${used.javascript}`,
    },
  ];
}

/** The request for the flow of a device. */
export const RESOLVE: readonly Target[] = request("/api/onboarding/resolve", DEVICE, {
  swift: `let (body, response) = try await URLSession.shared.data(for: request)
// 404: no onboarding for this device.
let flow = (response as? HTTPURLResponse)?.statusCode == 200 ? try JSONSerialization.jsonObject(with: body) : nil`,
  kotlin: `// 404: no onboarding for this device.
val flow = if (connection.responseCode == 200) connection.inputStream.bufferedReader().readText() else null`,
  javascript: `// 404: no onboarding for this device.
const flow = response.status === 200 ? await response.json() : null;`,
});

/** The address, for SDKs that have one, such as published SDKs of this kind of interface. */
const PUBLISHED: Target = {
  id: "sdk",
  label: "Published SDK",
  lines: ({ edgeUrl, projectId, secretKey }) => `address     ${edgeUrl}
project id  ${projectId}
API key     ${secretKey}`,
};

/** The report of one event. */
export const EVENT: readonly Target[] = [
  ...request(
    "/api/analytics/event",
    { eventType: "app_opened", ...DEVICE },
    {
      swift: "_ = try await URLSession.shared.data(for: request)",
      kotlin: "check(connection.responseCode == 201)",
      javascript: "console.assert(response.status === 201);",
    },
  ),
  PUBLISHED,
];

/** Clients of OpenFeature, which speak OFREP with the edge. */
export const OPEN_FEATURE: readonly Target[] = [
  {
    id: "web",
    label: "Web",
    lines: ({ edgeUrl, projectId, secretKey }) => `// npm install @openfeature/web-sdk @openfeature/ofrep-web-provider
import { OFREPWebProvider } from "@openfeature/ofrep-web-provider";
import { OpenFeature } from "@openfeature/web-sdk";

const provider = new OFREPWebProvider({
  baseUrl: "${edgeUrl}",
  headers: [["Authorization", "Bearer ${projectId}.${secretKey}"]],
});
await OpenFeature.setProviderAndWait(provider, { targetingKey: "my-device" });
const onboarding = OpenFeature.getClient().getObjectValue("onboarding", {});`,
  },
  {
    id: "curl",
    label: "curl",
    lines: ({ edgeUrl, projectId, secretKey }) => `curl ${edgeUrl}/ofrep/v1/evaluate/flags/onboarding \\
  -H "Authorization: Bearer ${projectId}.${secretKey}" \\
  -H "Content-Type: application/json" \\
  -d '{"context":{"targetingKey":"my-device"}}'`,
  },
];
