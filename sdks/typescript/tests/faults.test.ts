/** Servers and processes as they fail in the world: sockets that hang, replies that dribble, processes that are killed. */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { createOnboarding } from "../src/index";
import { fileStorage } from "../src/node";
import { FakeService, options, resolved } from "./fakeService";

const folder = mkdtempSync(path.join(tmpdir(), "doorstep-"));
afterAll(() => rmSync(folder, { recursive: true }));

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
const FAULTS: Record<string, (socket: Socket) => void> = {
  "accepts and says nothing": () => {},
  "dribbles its headers": (socket) => dribble(socket, HEAD),
  "dribbles its body": (socket) => {
    socket.write(`${HEAD}Content-Length: 1000\r\n\r\n`);
    dribble(socket, `{"flow":${" ".repeat(900)}`);
  },
  "stops in the middle of its body": (socket) => socket.write(`${HEAD}Content-Length: 1000\r\n\r\n{"flowId":"flow_2"`),
  "closes in the middle of its body": (socket) => socket.end(`${HEAD}Content-Length: 1000\r\n\r\n{"flowId":"flow_2"`),
  "resets the connection": (socket) => socket.resetAndDestroy(),
  "sends garbage": (socket) => socket.end("\u0000\u0001 garbage \r\n\r\n"),
  "sends another coding than it says": (socket) =>
    socket.end(`${HEAD}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`),
  "redirects to itself": (socket) =>
    socket.end("HTTP/1.1 302 Found\r\nLocation: /api/onboarding/resolve\r\nContent-Length: 0\r\n\r\n"),
};

function dribble(socket: Socket, content: string): void {
  let sent = 0;
  const timer = setInterval(() => (socket.writable ? socket.write(content[sent++] ?? " ") : clearInterval(timer)), 20);
  socket.on("close", () => clearInterval(timer));
}

it.concurrent.each(Object.entries(FAULTS))(
  "shows the last flow and keeps events when the server %s",
  async (_, fault) => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => {});
      socket.once("data", () => fault(socket));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const service = new FakeService();
    service.replies["/api/onboarding/resolve"] = () => resolved();
    const storage = fileStorage(path.join(folder, String(Math.random())));
    await createOnboarding(options(service, { storage })).resolve();

    const client = createOnboarding({
      ...options(service, { storage, timeoutMs: 300 }),
      baseUrl,
      fetch: globalThis.fetch,
    });
    client.track("opened");
    expect(await client.resolve()).toMatchObject({ status: "flow", origin: "stored", flowId: "flow_1" });
    client.close();
    await createOnboarding(options(service, { storage })).flush();
    expect(service.events).toMatchObject([{ eventType: "opened" }]);
    sockets.forEach((socket) => {
      socket.destroy();
    });
    server.close();
  },
);

it("has every event that a killed process has recorded, and whole files alone", async () => {
  const file = path.join(folder, "killed");
  const program = path.join(folder, "app.ts");
  const source = (name: string) => JSON.stringify(path.resolve("src", name));
  // Node strips the types, and finds the engine by the loader of vite alone: the storage is what a kill can harm.
  writeFileSync(
    program,
    `import { fileStorage } from ${source("node/index.ts")};
     const storage = fileStorage(${JSON.stringify(file)});
     for (let count = 1; ; count += 1) {
       storage.set("state", JSON.stringify({ count, filling: "x".repeat(300_000) }));
       process.stdout.write(count + "\\n");
     }`,
  );
  for (let run = 0; run < 3; run += 1) {
    const recorded = await killedAfter(spawn(process.execPath, ["--experimental-strip-types", program]), 20 + run * 7);
    const { count } = JSON.parse((await fileStorage(file).get("state")) ?? "") as { count: number };
    expect(count).toBeGreaterThanOrEqual(recorded);
  }
  expect(readdirSync(folder).filter((name) => name.startsWith("killed.state")).length).toBeGreaterThan(0);
});

/** Kill a process after so many lines, and return the number in the last line. */
function killedAfter(child: ChildProcess, lines: number): Promise<number> {
  return new Promise((settle, reject) => {
    let written = "";
    child.stderr?.on("data", (data) => String(data).includes("Error") && reject(new Error(String(data))));
    child.stdout?.on("data", (data) => {
      written += data;
      if (written.split("\n").length > lines) {
        child.kill("SIGKILL");
      }
    });
    child.on("close", () => settle(Number(written.trimEnd().split("\n").pop())));
  });
}
