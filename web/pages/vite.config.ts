/// <reference types="vitest/config" />
import { defineConfig } from "vite";

/**
 * One script and one style sheet, a script of its own for each part that only some pages need, and the fallback. The
 * scripts import each other, so that vite puts the digests into their names.
 */
export default defineConfig({
  publicDir: "../flow/illustrations",
  build: {
    /** iOS 14 and Android WebView 80 have the syntax of ES2020. */
    target: "es2020",
    cssTarget: ["chrome80", "ios14"],
    modulePreload: false,
    // The notices of all packages in the bundles; the bill of materials lists them too (tools/sbom.py).
    license: { fileName: "third-party.txt" },
    rollupOptions: {
      input: { pages: "src/main.ts", fallback: "src/fallback.js" },
      output: {
        entryFileNames: "[name].[hash].js",
        chunkFileNames: "[name].[hash].js",
        assetFileNames: "pages.[hash].css",
        codeSplitting: { groups: [{ name: "pages", test: /\/src\/(?!fallback)/, tags: ["$initial"] }] },
      },
    },
  },
  test: {
    environment: "jsdom",
    // One jsdom for all files: it takes longer to create than the tests to run.
    isolate: false,
    unstubGlobals: true,
  },
});
