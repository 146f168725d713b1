/** Where an app sends its events, and as whom. */
export interface Connection {
  edgeUrl: string;
  projectId: string;
  secretKey: string;
}

const EVENT = { eventType: "app_opened", deviceId: "my-device", platform: "ios" } as const;

/** The languages of the lines that send an event. */
export const LANGUAGES = ["curl", "swift", "kotlin", "sdk"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Return the lines that send a first event, in a language; for a published SDK, its settings. */
export function firstEventLines(language: Language, { edgeUrl, projectId, secretKey }: Connection): string {
  const url = `${edgeUrl}/api/analytics/event`;
  const body = JSON.stringify(EVENT);
  switch (language) {
    case "curl":
      return `curl ${url} \\
  -H "X-Project-Id: ${projectId}" \\
  -H "X-Secret-Key: ${secretKey}" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`;
    case "swift":
      return `var request = URLRequest(url: URL(string: "${url}")!)
request.httpMethod = "POST"
request.setValue("${projectId}", forHTTPHeaderField: "X-Project-Id")
request.setValue("${secretKey}", forHTTPHeaderField: "X-Secret-Key")
request.setValue("application/json", forHTTPHeaderField: "Content-Type")
request.httpBody = #"${body}"#.data(using: .utf8)
_ = try await URLSession.shared.data(for: request)`;
    case "kotlin":
      return `val connection = URL("${url}").openConnection() as HttpURLConnection
connection.requestMethod = "POST"
connection.doOutput = true
connection.setRequestProperty("X-Project-Id", "${projectId}")
connection.setRequestProperty("X-Secret-Key", "${secretKey}")
connection.setRequestProperty("Content-Type", "application/json")
connection.outputStream.use { it.write("""${body.replace('"ios"', '"android"')}""".toByteArray()) }
check(connection.responseCode == 201)`;
    case "sdk":
      return `address     ${edgeUrl}
project id  ${projectId}
API key     ${secretKey}`;
  }
}
