import path from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    alias: {
      "@onboarding/flow": path.resolve("../../web/flow/src"),
      "@onboarding/pages": path.resolve("../../web/pages/src"),
      "@onboarding/illustrations": path.resolve("../../web/flow/illustrations"),
    },
  },
  server: { fs: { allow: ["../.."] } },
  test: { isolate: false },
});
