import { copyFile } from "node:fs/promises";
import path from "node:path";
import { defineConfig } from "tsup";
import { texts } from "./texts";

/** ES modules and CommonJS with types. The engine of the hosted pages is bundled from its sources. */
export default defineConfig({
  entry: {
    index: "src/index.ts",
    node: "src/node/index.ts",
    openfeature: "src/openfeature/index.ts",
    react: "src/react/index.tsx",
    "react-native": "src/react-native/index.tsx",
    testing: "src/testing/index.ts",
    web: "src/web/index.ts",
  },
  format: ["esm", "cjs"],
  target: "es2020",
  dts: true,
  clean: true,
  treeshake: true,
  splitting: true,
  noExternal: ["lottie-web"],
  // The package has the code of one other project.
  onSuccess: () => copyFile("../../web/node_modules/lottie-web/LICENSE.md", "dist/lottie-web.LICENSE.md"),
  esbuildPlugins: [texts],
  esbuildOptions(options) {
    options.alias = {
      "@onboarding/flow": path.resolve("../../web/flow/src"),
      "@onboarding/pages": path.resolve("../../web/pages/src"),
    };
  },
});
