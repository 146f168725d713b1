import createClient from "openapi-fetch";
import { expect, test } from "vitest";
import { idempotency } from "./idempotency";
import type { paths } from "./schema";

type Answer = () => Response;

const LOST: Answer = () => {
  throw new TypeError("Failed to fetch");
};
const created: Answer = () => Response.json({ data: {} }, { status: 201 });
const unavailable: Answer = () => Response.json({ error: "" }, { status: 503 });

/** Create a flow of each name in turn, and return the keys of the requests. */
async function keysOf(...posts: [name: string, answer: Answer][]): Promise<(string | null)[]> {
  const keys: (string | null)[] = [];
  for (const [name, answer] of posts) {
    const client = createClient<paths>({
      baseUrl: "http://service",
      fetch: async (request) => {
        keys.push(request.headers.get("Idempotency-Key"));
        return answer();
      },
    });
    client.use(idempotency);
    await client.POST("/api/flows", { body: { projectId: "proj_1", name } }).catch(() => null);
  }
  return keys;
}

test("a repeated change has the key of the first until it is answered", async () => {
  const [lost, failed, answered, next] = await keysOf(["a", LOST], ["a", unavailable], ["a", created], ["a", created]);
  expect(lost).toMatch(/^[0-9a-f]{32}$/);
  expect([failed, answered]).toEqual([lost, lost]);
  expect(next).not.toBe(lost);
});

test("a changed form has another key", async () => {
  const [first, second] = await keysOf(["b", LOST], ["c", created]);
  expect(second).not.toBe(first);
});
