import path from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@onboarding/flow": path.resolve("../../web/flow/src") } },
  test: { isolate: false },
});
