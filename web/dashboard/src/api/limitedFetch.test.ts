import { expect, test, vi } from "vitest";
import { limitedFetch } from "./limitedFetch";

/** Answer requests only when the test ends them, as the browser does: a cancelled one fails at once. */
function holdRequests() {
  const sent: { url: string; end: () => void }[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(
    (input) =>
      new Promise((resolve, reject) => {
        const { signal, url } = input as Request;
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        sent.push({ url: new URL(url).pathname, end: () => resolve(new Response("{}")) });
      }),
  );
  return sent;
}

function read(path: string, signal?: AbortSignal) {
  return limitedFetch(new Request(`https://service${path}`, { signal }));
}

test("four reads are under way at once, and the next follows the first that ends", async () => {
  const sent = holdRequests();
  const reads = ["/1", "/2", "/3", "/4", "/5"].map((path) => read(path));
  expect(sent.map(({ url }) => url)).toEqual(["/1", "/2", "/3", "/4"]);
  sent[1]?.end();
  await reads[1];
  await vi.waitFor(() => expect(sent.map(({ url }) => url)).toEqual(["/1", "/2", "/3", "/4", "/5"]));
  for (const { end } of sent) {
    end();
  }
  await Promise.all(reads);
});

test("read that is cancelled while it waits is never sent", async () => {
  const sent = holdRequests();
  const reads = ["/1", "/2", "/3", "/4"].map((path) => read(path));
  const left = new AbortController();
  const cancelled = read("/left", left.signal);
  left.abort();
  const next = read("/next");
  sent[0]?.end();
  await expect(cancelled).rejects.toThrow();
  await vi.waitFor(() => expect(sent.map(({ url }) => url)).toEqual(["/1", "/2", "/3", "/4", "/next"]));
  for (const { end } of sent) {
    end();
  }
  await Promise.all([...reads, next]);
});

test("change does not wait for reads", async () => {
  const sent = holdRequests();
  const reads = ["/1", "/2", "/3", "/4"].map((path) => read(path));
  const change = limitedFetch(new Request("https://service/change", { method: "POST" }));
  expect(sent.map(({ url }) => url)).toContain("/change");
  for (const { end } of sent) {
    end();
  }
  await Promise.all([...reads, change]);
});
