/** A process that walks: a line of JSON in, a line of JSON out. */

import { createInterface } from "node:readline";
import { type Walk, walk } from "./walk";

for await (const line of createInterface({ input: process.stdin })) {
  let result: object;
  try {
    result = walk(JSON.parse(line) as Walk);
  } catch (error) {
    result = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
