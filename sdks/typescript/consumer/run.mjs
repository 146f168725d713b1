/** Show a flow of a small service, report it, and show it again without the service. */

export async function run(createServer, createOnboarding, storage) {
  const flow = {
    id: "flow_1",
    name: "",
    theme: null,
    screens: [{ id: "a", type: "welcome", content: {}, settings: {} }],
  };
  const assignment = { source: "default", experimentId: null, variant: null, token: null };
  const received = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await new Response(request).text().catch(() => "{}")) || "{}");
    const events = body.events ?? [];
    received.push(...events.map(({ eventType }) => eventType));
    const results = events.map(({ eventId }) => ({ eventId, status: "accepted" }));
    const isEvents = request.url.endsWith("/events");
    response.end(
      JSON.stringify(isEvents ? { success: true, results } : { flowId: "flow_1", flow, assignment, configVersion: 1 }),
    );
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const options = { projectId: "p", secretKey: "s", storage };
  const client = createOnboarding({ ...options, baseUrl: `http://127.0.0.1:${server.address().port}` });
  const resolution = await client.resolve();
  client.start(resolution).forward();
  await client.flush();
  server.close();
  server.closeAllConnections();
  const again = await createOnboarding({ ...options, baseUrl: "http://127.0.0.1:9" }).resolve();
  const result = JSON.stringify([resolution.origin, again.origin, again.flowId, received]);
  const events = ["flow_started", "screen_viewed", "screen_completed", "flow_completed"];
  if (result !== JSON.stringify(["network", "stored", "flow_1", events])) {
    throw new Error(result);
  }
}
