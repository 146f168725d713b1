/// <reference types="vitest/config" />
import { build, defineConfig, type Plugin } from "vite";

/** iOS 14 and Android WebView 80 have the syntax of ES2020. */
const target = "es2020";
/** Scripts of their own, beside that of the pages: in front of it, and for the case that it does not arrive. */
const OTHERS = { logic: "src/logic.ts", fallback: "src/fallback.js" };

/** Build the other scripts, each without imports, so that digests can be put into the names of all. */
function otherScripts(): Plugin {
  return {
    name: "other-scripts",
    apply: "build",
    async generateBundle() {
      for (const [name, entry] of Object.entries(OTHERS)) {
        const built = await build({
          configFile: false,
          logLevel: "warn",
          publicDir: false,
          build: { target, write: false, lib: { entry, formats: ["iife"], name }, minify: true },
        });
        const chunks = [built].flat().flatMap((result) => ("output" in result ? result.output : []));
        for (const chunk of chunks) {
          if (chunk.type === "chunk") {
            this.emitFile({ type: "asset", fileName: `${name}.js`, source: chunk.code });
          }
        }
      }
    },
  };
}

/** One script and one style sheet. Digests of their content are put into their names when they are published. */
export default defineConfig({
  publicDir: "static",
  plugins: [otherScripts()],
  build: {
    target,
    cssTarget: ["chrome80", "ios14"],
    modulePreload: false,
    rollupOptions: {
      input: "src/main.ts",
      output: { entryFileNames: "pages.js", assetFileNames: "pages.css" },
    },
  },
  test: {
    environment: "jsdom",
    // One jsdom for all files: it takes longer to create than the tests to run.
    isolate: false,
    unstubGlobals: true,
  },
});
