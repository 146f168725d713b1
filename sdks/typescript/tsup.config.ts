import path from "node:path";
import { defineConfig } from "tsup";

/** ES modules and CommonJS with types. The engine of the hosted pages is bundled from its sources. */
export default defineConfig({
  entry: {
    index: "src/index.ts",
    node: "src/node/index.ts",
    openfeature: "src/openfeature/index.ts",
    testing: "src/testing/index.ts",
  },
  format: ["esm", "cjs"],
  target: "es2020",
  dts: true,
  clean: true,
  treeshake: true,
  splitting: true,
  noExternal: ["jsep"],
  esbuildOptions(options) {
    options.alias = { "@onboarding/flow": path.resolve("../../web/flow/src") };
  },
});
