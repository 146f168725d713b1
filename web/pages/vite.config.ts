/// <reference types="vitest/config" />
import { defineConfig } from "vite";

/** One script and one style sheet. Digests of their content are put into their names when they are published. */
export default defineConfig({
  publicDir: "static",
  build: {
    target: ["es2020", "chrome80", "ios14"],
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
